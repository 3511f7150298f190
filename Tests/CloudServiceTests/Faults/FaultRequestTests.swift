import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Fault rules and requests")
struct FaultRequestTests {
  private let stage: FaultStage
  private let alice: Person

  init() throws {
    stage = try FaultStage()
    alice = stage.person()
  }

  @Test("an error rule makes a request fail before the cloud does anything, and names itself ([fault-4], [fault-12])")
  func errorRule() throws {
    let rule = try stage.add(.error(.zoneBusy, retryAfter: 2.5), .fires(times: 1)) { $0.operation = .modifyRecords }
    let failure = error { try alice.save(alice.note("n", "1")) }
    #expect(failure?.code == .zoneBusy)
    #expect(failure?.retryAfter == 2.5)
    #expect(failure?.hint?.contains("`localcloud fault remove \(rule.id)`") == true)
    #expect(stage.lastFaults == [rule.id])
    #expect(error { try alice.fetch("n") }?.code == .unknownItem)
    try alice.save(alice.note("n", "1"))
    #expect(stage.lastFaults == [])
    #expect(try stage.rule(rule.id)?.isUsedUp == true)
    #expect(try stage.rule(rule.id)?.matched == 1)
  }

  @Test("each code of CloudKit but partialFailure can be the error of a request ([fault-4])")
  func everyCode() throws {
    for code in ServiceError.Code.allCases where code != .partialFailure {
      try stage.add(.error(code), .fires(times: 1))
      #expect(error { try alice.changes() }?.code == code)
    }
    #expect(throws: ServiceError.self) { try FaultRule(.error(.partialFailure)) }
    let network = [ServiceError.Code.networkUnavailable, .networkFailure, .serverResponseLost].map { code in
      _ = try? stage.add(.error(code), .fires(times: 1))
      return error { try alice.changes() }?.urlError
    }
    #expect(network == [-1009, -1004, -1005])
  }

  @Test("a rule fires after a number of matching requests, and so often ([fault-3])")
  func schedule() throws {
    let rule = try stage.add(.error(.zoneBusy), .fires(after: 2, times: 2)) { $0.operation = .zoneChanges }
    let codes = (0..<6).map { _ in
      _ = try? alice.service.zones.list(nil, in: .private, by: alice.caller)
      return error { try alice.changes() }?.code
    }
    #expect(codes == [nil, nil, .zoneBusy, .zoneBusy, nil, nil])
    #expect(try stage.rule(rule.id)?.fired == 2)
    // A rule that is used up counts nothing more.
    #expect(try stage.rule(rule.id)?.matched == 4)
  }

  @Test("the seed and the number of a request decide whether a rule of some probability fires ([fault-3])")
  func probability() throws {
    func run(_ seed: Int64) throws -> [Bool] {
      var schedule = FaultRule.Schedule()
      (schedule.probability, schedule.seed) = (0.5, seed)
      let rule = try stage.add(.error(.zoneBusy), schedule) { $0.operation = .zoneChanges }
      let hits = (0..<64).map { _ in error { try alice.changes() } != nil }
      try stage.cloud.service.faults.remove([rule.id])
      return hits
    }
    let first = try run(7)
    #expect(try run(7) == first)
    #expect(try run(8) != first)
    #expect((16...48).contains(first.filter(\.self).count))
  }

  @Test("all conditions of a rule have to be met ([fault-1])")
  func conditions() throws {
    let bob = stage.person("bob")
    try Person(stage.cloud, "bob").makeZone()
    typealias Edit = (inout FaultRule.Conditions) -> Void
    let met: [(String, Edit)] = [
      ("operation", { $0.operation = .modifyRecords }), ("account", { $0.account = "alice" }),
      ("device", { $0.device = "alice-device" }), ("container", { $0.container = TemporaryCloud.container }),
      ("environment", { $0.environment = .development }), ("database", { $0.database = .private }),
      ("zone", { $0.zone = "Notes" }), ("record", { $0.recordName = "n" }), ("type", { $0.recordType = "Note" }),
    ]
    let unmet: [(String, Edit)] = [
      ("operation", { $0.operation = .fetchRecords }), ("account", { $0.account = "bob" }),
      ("device", { $0.device = "phone" }), ("container", { $0.container = "iCloud.other" }),
      ("environment", { $0.environment = .production }), ("database", { $0.database = .shared }),
      ("zone", { $0.zone = "notes" }), ("record", { $0.recordName = "N" }), ("type", { $0.recordType = "note" }),
    ]
    func isRefused(_ edits: [Edit], _ person: Person) throws -> Bool {
      let rule = try stage.add(.error(.zoneBusy)) { conditions in for edit in edits { edit(&conditions) } }
      defer { _ = try? stage.cloud.service.faults.remove([rule.id]) }
      return error { try person.save(person.note("n"), policy: .allKeys) }?.code == .zoneBusy
    }
    for (name, edit) in met { #expect(try isRefused([edit], alice), "\(name)") }
    #expect(try isRefused(met.map(\.1), alice))
    #expect(try !isRefused(met.map(\.1), bob))
    for (name, edit) in unmet {
      #expect(try !isRefused([edit], alice), "\(name)")
      // A rule for fetches can't have a record type.
      let others = met.filter { name != "operation" || $0.0 != "type" }
      #expect(try !isRefused(others.map(\.1) + [edit], alice), "\(name)")
    }
    // Names are compared byte by byte.
    #expect(try !isRefused([{ $0.recordName = "n\u{301}" }], alice))
  }

  @Test("a zone and a record of a rule have to be those of one item ([fault-1])")
  func oneItem() throws {
    var other = alice
    other.zone = ZoneIdentifier(name: "Other")
    try other.makeZone()
    try stage.add(.error(.zoneBusy)) { ($0.zone, $0.recordName) = ("Other", "n") }
    _ = try alice.modify([alice.note("n"), other.note("m")])
    #expect(error { try alice.modify([alice.note("m"), other.note("n")]) }?.code == .zoneBusy)
  }

  @Test("an item error fails the matching record; in an atomic zone the others fail with it ([fault-5])")
  func itemError() throws {
    try alice.save(alice.note("old", "1"))
    let rule = try stage.add(.itemError(.quotaExceeded, retryAfter: 3), .fires(times: 3)) {
      $0.recordName = "bad"
      $0.operation = .modifyRecords
    }
    let atomic = try alice.modify([alice.note("good"), alice.note("bad")], delete: ["old"])
    #expect(atomic.saves.map(\.code) == [.batchRequestFailed, .quotaExceeded])
    #expect(atomic.deletes.map(\.code) == [.batchRequestFailed])
    #expect(stage.lastFaults == [rule.id])
    guard case .failure(let error) = atomic.saves[1] else { return }
    #expect(error.retryAfter == 3)
    let loose = try alice.modify([alice.note("good"), alice.note("bad")], atomic: false)
    #expect(loose.saves.map(\.code) == [nil, .quotaExceeded])
    // A request without the record is not counted.
    _ = try alice.fetch("good")
    let deletion = try alice.modify(delete: ["bad", "old"], atomic: false)
    #expect(deletion.deletes.map(\.code) == [.quotaExceeded, nil])
    #expect(try alice.modify([alice.note("bad")]).saves.map(\.code) == [nil])
  }

  @Test("an item error of a deletion leaves the record, and fails an atomic batch ([fault-5])")
  func itemErrorOfDeletion() throws {
    for name in ["a", "b"] as [ExactName] { try alice.save(alice.note(name)) }
    try stage.add(.itemError(.zoneBusy), .fires(times: 1)) { $0.recordName = "a" }
    let response = try alice.modify([alice.note("c")], delete: ["a", "b"])
    #expect(response.deletes.map(\.code) == [.zoneBusy, .batchRequestFailed])
    #expect(response.saves.map(\.code) == [.batchRequestFailed])
    _ = try (alice.fetch("a"), alice.fetch("b"))
    #expect(try alice.modify(delete: ["a", "b"]).deletes.map(\.code) == [nil, nil])
  }

  @Test("a conflict on demand has the server's record, and the merged record is saved ([fault-5])")
  func conflict() throws {
    let saved = try alice.save(alice.note("n", "server"))
    try stage.add(.itemError(.serverRecordChanged), .fires(times: 1)) { $0.recordType = "Note" }
    let failure = error { try alice.save(alice.note("n", "client", tag: saved.changeTag)) }
    #expect(failure?.code == .serverRecordChanged)
    #expect(failure?.internalCode == 2004)
    #expect(failure?.serverRecord?.fields["text"] == .string("server"))
    try alice.save(alice.note("n", "merged", tag: failure?.serverRecord?.changeTag))
    #expect(try alice.fetch("n").fields["text"] == .string("merged"))
  }

  @Test("an item error fails records of a fetch, and zones of a request, by themselves ([fault-5])")
  func itemErrorsElsewhere() throws {
    for name in ["a", "b"] as [ExactName] { try alice.save(alice.note(name)) }
    try stage.add(.itemError(.internalError)) { $0.recordName = "a" }
    let request = FetchRecordsRequest(scope: .private, records: [alice.id("a"), alice.id("b")])
    #expect(try alice.service.records.fetchRecords(request, by: alice.caller).map(\.code) == [.internalError, nil])
    try stage.add(.itemError(.zoneBusy)) { ($0.zone, $0.operation) = ("New", .modifyZones) }
    let zones = ModifyZonesRequest(scope: .private, saves: [ZoneIdentifier(name: "New"), ZoneIdentifier(name: "Next")])
    #expect(try alice.service.zones.modifyZones(zones, by: alice.caller).saves.map(\.code) == [.zoneBusy, nil])
    try stage.add(.itemError(.zoneBusy)) { ($0.zone, $0.operation) = ("Next", .fetchZones) }
    let found = try alice.service.zones.list(
      [alice.zone, ZoneIdentifier(name: "Next")], in: .private, by: alice.caller)
    #expect(found.map(\.code) == [nil, .zoneBusy])
  }

  @Test("a request that is lost changes nothing; a lost answer leaves the change ([fault-6])")
  func lostReplies() throws {
    try stage.add(.lostReply(.before), .fires(times: 1)) { $0.operation = .modifyRecords }
    #expect(error { try alice.save(alice.note("n", "1")) }?.code == .networkFailure)
    #expect(error { try alice.fetch("n") }?.code == .unknownItem)
    let rule = try stage.add(.lostReply(.after), .fires(times: 1))
    // A request that changes nothing gets its answer, and is not counted.
    _ = try alice.changes()
    #expect(error { try alice.save(alice.note("n", "1")) }?.code == .serverResponseLost)
    #expect(stage.lastFaults == [rule.id])
    #expect(try alice.fetch("n").fields["text"] == .string("1"))
    #expect(error { try alice.save(alice.note("n", "1")) }?.code == .serverRecordChanged)
  }

  @Test("latency delays the answer, also that of a refusal ([fault-10])")
  func latency() throws {
    try stage.add(.latency(2)) { $0.operation = .modifyRecords }
    try alice.save(alice.note("n"))
    try stage.add(.error(.zoneBusy), .fires(times: 1))
    #expect(error { try alice.save(alice.note("m")) }?.code == .zoneBusy)
    #expect(stage.lastFaults.count == 2)
    _ = try alice.fetch("n")
    #expect(stage.waits == [2, 2])
  }

  @Test("with an index lag a query finds a record only some seconds after its last save ([fault-10])")
  func indexLag() throws {
    func found() throws -> [ExactName] {
      let request = QueryRecordsRequest(scope: .private, zone: alice.zone, query: Query(recordType: "Note"))
      return try alice.service.queries.queryRecords(request, by: alice.caller).records.map(\.id.name)
    }
    try alice.save(alice.note("a", "1"))
    stage.advance(seconds: 10)
    try alice.save(alice.note("b", "1"))
    try stage.add(.indexLag(10)) { $0.recordType = "Note" }
    #expect(try found() == ["a"])
    #expect(try alice.fetch("b").fields["text"] == .string("1"))
    stage.advance(seconds: 9.999)
    #expect(try found() == ["a"])
    stage.advance(seconds: 0.001)
    #expect(try found() == ["a", "b"])
    try alice.save(alice.note("a", "2"), policy: .allKeys)
    #expect(try found() == ["b"])
    _ = try stage.cloud.service.faults.clear()
    #expect(try found() == ["a", "b"])
  }

  @Test("rules meet a request in the order of their addition, up to one that prevents it ([fault-12])")
  func order() throws {
    let slow = try stage.add(.latency(1))
    let lost = try stage.add(.error(.zoneBusy), .fires(times: 1))
    let later = try stage.add(.error(.requestRateLimited))
    #expect(error { try alice.changes() }?.code == .zoneBusy)
    #expect(stage.lastFaults == [slow.id, lost.id])
    #expect(try stage.rule(later.id)?.matched == 0)
    #expect(error { try alice.changes() }?.code == .requestRateLimited)
  }

  @Test("requests that a device does not send to the cloud, and those of tools, meet no rule ([fault-1])")
  func requestsOfTools() throws {
    try stage.add(.error(.internalError))
    _ = try stage.service.accounts.listAccounts()
    _ = try stage.service.faults.list()
    _ = try alice.service.pushes.list(by: alice.caller)
    for operation in [Operation.administration, .schema, .accountStatus, .fetchPushes] {
      #expect(throws: ServiceError.self) {
        var conditions = FaultRule.Conditions()
        conditions.operation = operation
        _ = try FaultRule(.error(.zoneBusy), where: conditions)
      }
    }
  }
}

extension Result where Failure == ServiceError {
  /// The error's code; nil for success.
  fileprivate var code: ServiceError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }
}
