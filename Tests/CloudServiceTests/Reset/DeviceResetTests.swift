import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Alice's phone has a push of each of two containers; a link waits on Bob's laptop; Alice has an operation in each
/// container.
@Suite("Resets: data on devices")
struct DeviceResetTests: OnNotesStage {
  let stage: NotesStage
  private let phone: Person
  private let other: Caller
  private static let operations = ["0123456789ABCDEF", "FEDCBA9876543210"]

  init() throws {
    stage = try NotesStage()
    phone = try stage.alice.signedIn(on: "phone")
    other = Caller(account: "alice", container: "iCloud.other")
    let service = stage.cloud.service
    try alice.save(alice.note("root", "r"))
    let share = try alice.share("root", with: ["bob"])
    let subscription = ModifySubscriptionsRequest.Save(Subscription(id: "all", kind: .database))
    for (caller, id) in [(alice.caller, Self.operations[0]), (other, Self.operations[1])] {
      _ = try service.subscriptions.modifySubscriptions(
        ModifySubscriptionsRequest(scope: .private, saves: [subscription]), by: caller)
      _ = try service.zones.modifyZones(
        ModifyZonesRequest(scope: .private, saves: [ZoneIdentifier(name: "More")]), by: caller)
      try service.devices.storeOperation(id, ["kind": "k"], isSecret: false, by: caller).release()
    }
    _ = try service.devices.signIn("bob", on: "laptop")
    let laptop = stage.cloud.caller("bob", device: "laptop")
    _ = try service.devices.open(url: share.shareDetails?.url ?? "", by: laptop)
  }

  private func pushes(in container: String) throws -> [DeliveredPush] {
    var caller = phone.caller
    caller.container = container
    return try cloud.service.pushes.list(by: caller).all
  }

  private func links() throws -> Int {
    try cloud.service.devices.inbox(of: cloud.caller("bob", device: "laptop")).names().count
  }

  @Test("the stage has two pushes, one link and two operations")
  func beforeAnyReset() throws {
    #expect(try pushes(in: TemporaryCloud.container).count == 1)
    #expect(try pushes(in: "iCloud.other").count == 1)
    #expect(try links() == 1)
    #expect(try cloud.service.devices.operationIDs(by: alice.caller) == [Self.operations[0]])
    #expect(try cloud.service.devices.operationIDs(by: other) == [Self.operations[1]])
  }

  // [reset-device-1]
  @Test("a reset of a container removes its pushes, links and operations, and those of no other container")
  func ofAContainer() throws {
    let target = ResetTarget.container(TemporaryCloud.container)
    let preview = try cloud.service.resets.preview(target, by: alice.caller)
    let result = try cloud.service.resets.reset(target, by: alice.caller)
    #expect(result == preview)
    #expect([result.pushes, result.messages, result.operations] == [1, 1, 1])
    #expect(try pushes(in: TemporaryCloud.container).isEmpty)
    #expect(try links() == 0)
    #expect(try cloud.service.devices.operationIDs(by: alice.caller) == [])
    #expect(try pushes(in: "iCloud.other").count == 1)
    #expect(try cloud.service.devices.operationIDs(by: other) == [Self.operations[1]])
    #expect(try cloud.service.checks.check() == [])
    // Later pushes do not use a sequence again.
    try alice.subscribe(Subscription(id: "all", kind: .database))
    try alice.makeZone()
    #expect(try phone.pushes().map(\.sequence) == [3])
  }

  // [reset-device-1]
  @Test("a reset of the cloud removes all pushes, links and operations; a reset of a zone removes none")
  func ofTheCloudAndOfAZone() throws {
    let zone = try cloud.service.resets.reset(.zone("More"), by: phone.caller)
    #expect([zone.pushes, zone.messages, zone.operations] == [0, 0, 0])
    #expect(try pushes(in: TemporaryCloud.container).count == 1)
    #expect(try links() == 1)
    let all = try cloud.service.resets.reset(.all, by: alice.caller)
    // The deletion of the zone sent a push to Alice's other device.
    #expect([all.pushes, all.messages, all.operations] == [3, 1, 2])
    #expect(try pushes(in: "iCloud.other").isEmpty)
    #expect(try cloud.service.checks.check() == [])
  }

  // [reset-device-1]
  @Test("a reset of an account removes the pushes and operations of the account, and the links on its devices")
  func ofAnAccount() throws {
    let bobs = try cloud.service.resets.reset(.account("bob"), by: alice.caller)
    #expect([bobs.pushes, bobs.messages, bobs.operations] == [0, 1, 0])
    #expect(try pushes(in: TemporaryCloud.container).count == 1)
    let alices = try cloud.service.resets.reset(.account("alice"), by: alice.caller)
    #expect([alices.pushes, alices.messages, alices.operations] == [2, 0, 2])
    #expect(try cloud.service.checks.check() == [])
  }

  // [push-11]
  @Test("a replay of a journal after a power cut restores no push that a reset removed")
  func replayRestoresNoPush() throws {
    let guest = try bob.inShared(zoneOf: alice)
    try guest.accept(try alice.fetch("Share-1"))
    try guest.subscribe(Subscription(id: "shared", kind: .database))
    try alice.save(alice.note("child", "1", parent: .set("root", zone: nil)))
    #expect(try guest.receivedPushes() == ["shared changed"])
    _ = try cloud.service.resets.reset(.account("bob"), by: alice.caller)
    #expect(try guest.receivedPushes() == [])
    let folder = try cloud.directory("devices/bob-device/pushes")
    let before = try folder.contents("pushes.jsonl")
    let rebooted = try CloudService.open(
      root: cloud.path, settings: cloud.service.settings, fileSystem: FileSystem(bootIdentifier: "another boot"))
    #expect(try rebooted.pushes.list(by: guest.caller).all == [])
    #expect(try folder.contents("pushes.jsonl") == before)
    #expect(try rebooted.checks.check() == [])
  }
}
