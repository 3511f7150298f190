import CloudKit
import Foundation
import LocalCloud
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("Faults on demand, through CKDatabase")
struct FaultTests: OnZoneStage {
  let stage: ZoneStage

  init() async throws { stage = try await ZoneStage() }

  private struct Failure: Error {}

  /// Runs `body` while the rules are in force.
  private func with(
    _ faults: LocalCloud.Fault..., isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async throws {
    try await LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
      try await LocalCloud.withFaults(faults, body)
    }
  }

  private func error(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async throws
    -> CKError
  {
    do { try await body() } catch { return try #require(error as? CKError) }
    throw Failure()
  }

  private var rules: [StoredFault] { get throws { try cloud.cloud.service.faults.list() } }

  @Test("an error has its code, the retry time and a way out in userInfo; a retry is saved ([fault-4])")
  func error() async throws {
    try await with(.init(.error(.zoneBusy, retryAfter: 2), on: .modifyRecords, times: 1)) {
      let id = try #require(try rules.first?.id)
      let error = try await error { try await database.save(note("n", "a")) }
      #expect(error.code == .zoneBusy)
      #expect(error.retryAfterSeconds == 2)
      let suggestion = try #require(error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)
      #expect(suggestion.contains("`localcloud fault remove \(id)`"))
      #expect(await code { _ = try await database.record(for: .note("n")) } == .unknownItem)
      try await database.save(note("n", "a"))
    }
    #expect(try await database.record(for: .note("n"))["title"] == "a")
    #expect(try rules.isEmpty)
  }

  @Test("an item error is a partial failure with batchRequestFailed for the others; a retry is saved ([fault-5])")
  func itemError() async throws {
    try await with(.init(.itemError(.quotaExceeded), recordName: "b", times: 1)) {
      let records = [note("a"), note("b")]
      let results = try await database.modifyRecords(saving: records, deleting: [], atomically: true).saveResults
      #expect(results[.note("a")]?.code == .batchRequestFailed)
      #expect(results[.note("b")]?.code == .quotaExceeded)
      #expect(await code { _ = try await database.record(for: .note("a")) } == .unknownItem)
      let again = try await database.modifyRecords(saving: records, deleting: [], atomically: true).saveResults
      #expect(again.values.compactMap(\.code) == [])
    }
  }

  @Test("a conflict on demand has the three records, and the merged record is saved ([fault-5])")
  func conflict() async throws {
    let record = try await database.save(note("n", "server"))
    try await with(.init(.itemError(.serverRecordChanged), recordType: "Note", times: 1)) {
      record["title"] = "client"
      let error = try await error { try await database.save(record) }
      #expect(error.code == .serverRecordChanged)
      let server = try #require(error.serverRecord)
      #expect(server["title"] == "server")
      #expect(error.clientRecord?["title"] == "client")
      server["title"] = "merged"
      try await database.save(server)
    }
    #expect(try await database.record(for: .note("n"))["title"] == "merged")
  }

  @Test("a lost request changes nothing, a lost answer leaves the change, and both converge ([fault-6])")
  func lostReplies() async throws {
    try await with(.init(.requestLost, on: .modifyRecords, times: 1)) {
      let error = try await error { try await database.save(note("n", "a")) }
      #expect(error.code == .networkFailure)
      #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -1004)
      #expect(await code { _ = try await database.record(for: .note("n")) } == .unknownItem)
    }
    try await with(.init(.replyLost, times: 1)) {
      #expect(await code { try await database.save(note("n", "a")) } == .serverResponseLost)
      let conflict = try await error { try await database.save(note("n", "a")) }
      #expect(conflict.code == .serverRecordChanged)
      #expect(conflict.serverRecord?["title"] == "a")
    }
  }

  @Test("latency makes an answer slower, and a zone fails by itself ([fault-5], [fault-10])")
  func latencyAndZones() async throws {
    let zoneID = CKRecordZone.ID(zoneName: "New")
    try await with(
      .init(.latency(0.001), on: .fetchRecords),
      .init(.itemError(.zoneBusy), on: .modifyZones, zoneName: "New", times: 1)
    ) {
      let start = ContinuousClock.now
      #expect(await code { _ = try await database.record(for: .note("n")) } == .unknownItem)
      #expect(ContinuousClock.now - start >= .milliseconds(1))
      #expect(await code { try await database.save(CKRecordZone(zoneID: zoneID)) } == .zoneBusy)
      try await database.save(CKRecordZone(zoneID: zoneID))
    }
    #expect(try await database.recordZone(for: zoneID).zoneID == zoneID)
  }

  @Test("with an index lag a query misses a record that a fetch has ([fault-10])")
  func indexLag() async throws {
    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    try await database.save(note("n"))
    try await with(.init(.indexLag(100_000), recordType: "Note")) {
      let found = try await database.records(matching: query, inZoneWith: testZoneID).matchResults
      let fetched = try await database.record(for: .note("n"))
      #expect(found.isEmpty)
      #expect(fetched.recordID == .note("n"))
    }
    #expect(try await database.records(matching: query, inZoneWith: testZoneID).matchResults.count == 1)
  }

  @Test("pushes are lost, doubled, reordered and late, until they are released ([fault-8], [fault-9])")
  func pushes() async throws {
    try await database.save(
      CKQuerySubscription(
        recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "notes",
        options: .firesOnRecordCreation))
    try await LocalCloud.acting(as: "alice", device: "phone", root: cloud.cloud.path) {
      let phone = cloud.container()
      /// The records of the pushes that wait on the phone.
      func received() async throws -> [String] {
        var names: [String] = []
        while let push = try? await LocalCloud.waitForPush(in: phone, timeout: 0) {
          let notification = CKNotification(fromRemoteNotificationDictionary: push) as? CKQueryNotification
          names.append(notification?.recordID?.recordName ?? "")
        }
        return names
      }
      /// Saves on the other device, as a change is not pushed to the device that made it.
      func save(_ names: String..., with effect: LocalCloud.Fault.Effect) async throws {
        try await LocalCloud.withFaults([.init(effect, device: "phone", times: 1)]) {
          try await LocalCloud.acting(as: "alice") {
            for name in names { try await database.save(note(name)) }
          }
        }
      }
      // The first look signs the account in on the phone.
      #expect(try await received() == [])
      try await save("a", "b", with: .lostPushes)
      #expect(try await received() == ["b"])
      try await save("c", with: .doubledPushes)
      #expect(try await received() == ["c", "c"])
      try await save("d", "e", with: .reorderedPushes)
      #expect(try await received() == ["e", "d"])
      try await save("f", "g", with: .latePushes(100_000))
      #expect(try await received() == ["g"])
      #expect(try LocalCloud.releasePushes(in: phone) == 1)
      #expect(try await received() == ["f"])
    }
  }

  private func failUnderRule() throws {
    try LocalCloud.withFaults([.init(.error(.zoneBusy))]) {
      #expect(try rules.count == 2)
      throw Failure()
    }
  }

  private func removeAllUnderRule() throws {
    try LocalCloud.withFaults([.init(.error(.zoneBusy))]) { _ = try cloud.cloud.service.faults.clear() }
  }

  // The bodies are functions: as closures, the one inside of the expectation and the one after it would have the same
  // symbol in the binary, and the first would run twice.
  @Test("rules are removed at the end, also if the body throws, and only those of the scope ([fault-2])")
  func scope() async throws {
    try LocalCloud.acting(as: "alice", root: cloud.cloud.path) {
      let outer = try LocalCloud.addFaults([.init(.latency(1), on: .acceptShare)])
      #expect(throws: Failure.self) { try failUnderRule() }
      #expect(try rules.map(\.id) == outer)
      try removeAllUnderRule()
      try LocalCloud.removeFaults(outer)
      #expect(try rules.isEmpty)
      #expect(throws: CKError.self) { try LocalCloud.addFaults([.init(.latency(1)), .init(.latency(-1))]) }
      #expect(throws: CKError.self) { try LocalCloud.addFaults([.init(.latency(1), environment: "test")]) }
      #expect(throws: CKError.self) { try LocalCloud.addFaults([.init(.error(.partialFailure))]) }
      #expect(try rules.isEmpty)
    }
  }

  @Test("the kinds of requests are those that a device sends to the cloud")
  func kinds() {
    #expect(
      Set(LocalCloud.Fault.Request.allCases.map(\.rawValue))
        == Set(Operation.allCases.filter(\.usesNetwork).map(\.rawValue)))
  }
}
