import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Fault rules and pushes")
struct FaultPushTests {
  private let stage: FaultStage
  private let alice: Person
  private let phone: Person

  init() throws {
    stage = try FaultStage()
    alice = stage.person()
    phone = stage.person(device: "phone")
    _ = try stage.cloud.service.devices.signIn("alice", on: "phone")
    try alice.subscribe(in: alice.zone)
  }

  private func created(_ names: String...) -> [String] { names.map { "query created \($0)" } }

  private var heldPath: String { stage.cloud.path + "/devices/phone/held-pushes.json" }

  private func hasHeld() throws -> Bool {
    try stage.service.cloud.root.directory(at: ["devices", "phone"])?.exists("held-pushes.json") ?? false
  }

  @Test("a lost push does not arrive; a doubled one arrives twice with one count ([fault-9])")
  func lostAndDoubled() throws {
    var info = NotificationInfo()
    info.badges = true
    try alice.unsubscribe("query")
    try alice.subscribe(in: alice.zone, info)
    try stage.add(.pushes(.lost), .fires(times: 1)) { $0.device = "phone" }
    try alice.save(alice.note("a"))
    try alice.save(alice.note("b"))
    #expect(try phone.receivedPushes() == created("b"))
    let rule = try stage.add(.pushes(.doubled), .fires(times: 1))
    try alice.save(alice.note("c"))
    #expect(try phone.receivedPushes() == created("b", "c", "c"))
    let pushes = try phone.pushes().suffix(2)
    #expect(pushes.first?.userInfo["aps"]?["badge"] == 2)
    #expect(pushes.first?.userInfo == pushes.last?.userInfo)
    #expect(pushes.first?.object["fault"]?["rule"]?.string == rule.id)
    #expect(try stage.cloud.service.checks.check().isEmpty)
  }

  @Test("a late push arrives when its time has come, behind pushes that came before ([fault-8])")
  func late() throws {
    try stage.add(.latePushes(60), .fires(times: 1))
    try alice.save(alice.note("a"))
    try alice.save(alice.note("b"))
    #expect(try phone.receivedPushes() == created("b"))
    let location = try phone.service.pushes.pushLocation(of: phone.caller)
    #expect(try location.deliverDue() == 60)
    #expect(try hasHeld())
    #expect(try stage.cloud.service.checks.check().isEmpty)
    stage.advance(seconds: 59.999)
    #expect(try phone.receivedPushes() == created("b"))
    stage.advance(seconds: 0.001)
    #expect(try phone.receivedPushes() == created("b", "a"))
    #expect(try !hasHeld())
    #expect(try location.deliverDue() == .infinity)
    #expect(try phone.receivedPushes() == created("b", "a"))
  }

  @Test("a reordered push arrives after the next one, or on request ([fault-9])")
  func reordered() throws {
    try stage.add(.pushes(.reordered), .fires(times: 1))
    try alice.save(alice.note("a"))
    #expect(try phone.receivedPushes() == [])
    try alice.save(alice.note("b"))
    #expect(try phone.receivedPushes() == created("b", "a"))
    try stage.add(.pushes(.reordered), .fires(times: 1))
    try alice.save(alice.note("c"))
    // The rule is not needed for the delivery.
    _ = try stage.cloud.service.faults.clear()
    #expect(try phone.service.pushes.releasePushes(by: phone.caller) == 1)
    #expect(try phone.service.pushes.releasePushes(by: phone.caller) == 0)
    #expect(try phone.receivedPushes() == created("b", "a", "c"))
  }

  @Test("of pushes that are all reordered, each second one arrives before the first ([fault-9])")
  func allReordered() throws {
    try stage.add(.pushes(.reordered))
    for name: ExactName in ["a", "b", "c", "d", "e"] { try alice.save(alice.note(name)) }
    #expect(try phone.receivedPushes() == created("b", "a", "d", "c"))
    #expect(try hasHeld())
  }

  @Test("a late push arrives when the cloud's clock is moved past its time ([fault-8])")
  func movedClock() throws {
    try stage.add(.latePushes(60), .fires(times: 1))
    try alice.save(alice.note("a"))
    try stage.cloud.service.clock.set(.fixed(0))
    #expect(try hasHeld())
    try stage.cloud.service.clock.set(.fixed(250_000_000_000_000))
    #expect(try !hasHeld())
    #expect(try phone.receivedPushes() == created("a"))
  }

  @Test("a rule matches a push by its receiver, its zone and the record of a query subscription ([fault-7])")
  func matching() throws {
    try alice.subscribeToZone()
    let unmet: [(inout FaultRule.Conditions) -> Void] = [
      { $0.account = "bob" }, { $0.device = "alice-device" }, { $0.database = .shared }, { $0.zone = "Other" },
      { $0.recordName = "b" }, { $0.recordType = "Other" }, { $0.container = "iCloud.other" },
      { $0.environment = .production },
    ]
    for edit in unmet { try stage.add(.pushes(.lost), FaultRule.Schedule(), edit) }
    try alice.save(alice.note("a"))
    #expect(try phone.receivedPushes().count == 2)
    // The push of the zone subscription concerns no single record.
    let rule = try stage.add(.pushes(.lost)) { ($0.recordName, $0.recordType, $0.account) = ("c", "Note", "alice") }
    try alice.save(alice.note("c"))
    #expect(try phone.receivedPushes().suffix(1) == ["zone changed"])
    #expect(try stage.rule(rule.id)?.fired == 1)
    // Requests do not meet the rule, nor pushes a rule for requests.
    try stage.add(.error(.zoneBusy), .fires(after: 1000))
    #expect(throws: ServiceError.self) {
      var conditions = FaultRule.Conditions()
      conditions.operation = .modifyRecords
      _ = try FaultRule(.pushes(.lost), where: conditions)
    }
  }

  @Test("a reset removes the rules and the held pushes; a snapshot has no rules ([fault-11])")
  func resetAndSnapshot() throws {
    let service = stage.cloud.service
    try stage.add(.latePushes(60))
    try alice.save(alice.note("a"))
    _ = try service.snapshots.save("s")
    let root = try Directory.open(path: stage.cloud.path + "/snapshots/s", in: FileSystem())
    #expect(try !root.exists("faults.json"))
    _ = try service.resets.reset(.container(TemporaryCloud.container), by: alice.caller)
    #expect(try service.faults.list().count == 1)
    #expect(try !hasHeld())
    #expect(try service.resets.preview(.all, by: alice.caller).faults == 1)
    #expect(try service.resets.reset(.all, by: alice.caller).faults == 1)
    #expect(try service.faults.list().isEmpty)
    try "{".write(to: stage.path)
    #expect(try service.resets.reset(.all, by: alice.caller).faults == 1)
    #expect(try service.faults.list().isEmpty)
  }

  @Test("a restore leaves the rules in force ([fault-11])")
  func restore() throws {
    _ = try stage.cloud.service.snapshots.save("s")
    try stage.add(.error(.zoneBusy))
    try stage.cloud.service.snapshots.restore("s")
    let restored = try CloudService.open(root: stage.cloud.path)
    #expect(try restored.faults.list().count == 1)
  }

  @Test("a held document that can't be read keeps no other push away, and repair sets it aside")
  func damagedHeldPushes() throws {
    try stage.add(.latePushes(60), .fires(times: 2))
    try alice.save(alice.note("a"))
    try #"{"pushes": [{"fault": 3}]}"#.write(to: heldPath)
    try alice.save(alice.note("b"))
    try alice.save(alice.note("c"))
    #expect(error { try phone.receivedPushes() }?.path?.hasSuffix("held-pushes.json") == true)
    #expect(try stage.cloud.service.checks.check().contains { $0.path.hasSuffix("held-pushes.json") })
    _ = try stage.cloud.service.repairs.repair()
    #expect(try phone.receivedPushes() == created("b", "c"))
  }
}

extension String {
  /// Writes the text to a file of a cloud, as a person's editor does.
  func write(to path: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let folder = try Directory.open(path: String(path.dropLast(name.utf8.count + 1)), in: FileSystem())
    try folder.writeStaged(name, Array(utf8))
  }
}
