import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Long-lived operations of a device: visibility and lifetime")
struct StoredOperationTests {
  private final class Clock: Sendable {
    private let time = Mutex<Int64>(1_800_000_000_000)
    var now: Int64 { time.withLock { $0 } }
    func goOn(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  }

  private static let id = "FEDCBA9876543210"
  private static let day: Int64 = 24 * 3600 * 1000
  private let clock: Clock
  private let cloud: TemporaryCloud
  /// Alice's caller on a phone.
  private let caller: Caller
  private var service: CloudService { cloud.service }

  init() throws {
    let clock = Clock()
    self.clock = clock
    cloud = try TemporaryCloud { $0.clock = { clock.now } }
    caller = cloud.caller("alice", device: "phone")
  }

  @Test("an operation is visible only to its account, on its device, in its container and environment")
  func operationIsVisibleOnlyToItsAccount() throws {
    try service.devices.storeOperation(Self.id, ["kind": "k"], isSecret: false, by: caller).release()
    #expect(try service.devices.operationIDs(by: caller) == [Self.id])
    #expect(try service.devices.storedOperation(Self.id, by: caller) == ["kind": "k"])
    let file = try cloud.directory("devices/phone/operations").contents(Self.id + ".json") ?? []
    let kept = try #require(try JSONValue(parsing: file).object.flatMap(StoredOperation.init))
    #expect(kept.account == "alice")
    #expect(kept.container == TemporaryCloud.container)
    #expect(kept.environment == .development)
    #expect(kept.storedAt == clock.now)
    #expect(kept.content == .plain(["kind": "k"]))
    var others = [cloud.caller("bob", device: "phone"), cloud.caller(nil, device: "phone"), cloud.caller("alice")]
    for change: (inout Caller) -> Void in [{ $0.container = "iCloud.other" }, { $0.environment = .production }] {
      var other = caller
      change(&other)
      others.append(other)
    }
    for other in others {
      #expect(try service.devices.operationIDs(by: other) == [])
      #expect(try service.devices.storedOperation(Self.id, by: other) == nil)
    }
    #expect(try service.devices.storedOperation("0123456789ABCDEF", by: caller) == nil)
    try service.devices.removeOperation(Self.id, by: caller)
    #expect(try service.devices.operationIDs(by: caller) == [])
  }

  @Test("answers are stored for 24 hours; an operation without answers is stored without limit")
  func answersAreStoredFor24Hours() throws {
    let other = "0123456789ABCDEF"
    try service.devices.storeOperation(other, [:], isSecret: false, by: caller).release()
    let held = try service.devices.storeOperation(Self.id, [:], isSecret: false, by: caller)
    clock.goOn(Self.day * 2)
    try service.devices.finishOperation(held, ["events": []], isSecret: false, by: caller)
    held.release()
    clock.goOn(Self.day)
    #expect(try service.devices.operationIDs(by: caller) == [other, Self.id])
    let found = try service.devices.holdOperation(Self.id, by: caller)
    #expect(found?.answers == ["events": []])
    found?.operation.release()
    clock.goOn(1)
    #expect(try service.devices.operationIDs(by: caller) == [other])
    let isGone = try service.devices.holdOperation(Self.id, by: caller) == nil
    #expect(isGone)
    let unfinished = try service.devices.holdOperation(other, by: caller)
    #expect(unfinished?.operation.id == other)
    #expect(unfinished?.answers == nil)
    unfinished?.operation.release()
  }

  @Test("a damaged operation file or answers file is an error for its caller, and the list of IDs omits the operation")
  func damagedOperationFileOrAnswersFile() throws {
    try service.devices.storeOperation(Self.id, ["kind": "k"], isSecret: false, by: caller).release()
    let folder = try cloud.directory("devices/phone/operations")
    let good = try #require(try folder.contents(Self.id + ".json"))
    let object = try #require(try JSONValue(parsing: good).object)
    for key in ["containerIdentifier", "content", "environment", "kept"] {
      for value: JSONValue? in [nil, 1] {
        var broken = object
        broken[key] = value
        try folder.writeStaged(Self.id + ".json", JSONValue.object(broken).pretty())
        #expect(try service.devices.operationIDs(by: caller) == [], "\(key)")
        let failure = error { try service.devices.storedOperation(Self.id, by: caller) }
        #expect(failure == DeviceService.damaged(Self.id), "\(key)")
        #expect(failure?.message == "The long-lived operation FEDCBA9876543210 is damaged.")
      }
    }
    try folder.writeStaged(Self.id + ".json", good)
    for answers in [
      #"{"operationID":"FEDCBA9876543210","content":{}}"#,
      #"{"operationID":"FEDCBA9876543210","finished":"2027-01-15T08:00:00.000Z"}"#,
      #"{"operationID":"FEDCBA9876543210","content":{},"finished":1}"#,
    ] {
      try folder.writeStaged(Self.id + "-answers.json", Array(answers.utf8))
      #expect(code { try service.devices.holdOperation(Self.id, by: caller)?.operation } == .internalError)
      #expect(try service.devices.operationIDs(by: caller) == [Self.id])
    }
  }
}
