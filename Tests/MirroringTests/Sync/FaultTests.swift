import CloudKit
import LocalCloud
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Mirroring and faults on demand")
struct FaultTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  private static let effects: [LocalCloud.Fault.Effect] = [
    .error(.zoneBusy, retryAfter: 0.001), .error(.serviceUnavailable, retryAfter: 0.001), .error(.networkFailure),
    .itemError(.serverRecordChanged), .itemError(.zoneBusy), .requestLost, .replyLost,
  ]

  @Test(
    "a save reaches the other device after an export that failed on demand ([fault-4] to [fault-6])", arguments: 0..<7)
  func exportConverges(index: Int) async throws {
    let (phone, tablet) = (try stage.device("alice", "phone"), try stage.device("alice", "tablet"))
    await phone.drain()
    await tablet.drain()
    let ids = try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      try LocalCloud.addFaults([.init(Self.effects[index], on: .modifyRecords, device: "phone", times: 1)])
    }
    let post = try phone.insert("Post", "A")
    try await eventually("the tablet has the post") {
      await phone.drain()
      await tablet.drain()
      return try tablet.titles("Post") == ["A"]
    }
    try phone.set(post, "likes", .integer(1))
    try await eventually("both are the same") {
      await phone.drain()
      await tablet.drain()
      return try tablet.lines().contains { $0.contains("likes") } && phone.lines() == tablet.lines()
    }
    let rule = try #require(try stage.cloud.service.faults.list().first { $0.id == ids[0] })
    #expect(rule.fired == 1)
  }

  @Test("after a lost push the next import has the change ([fault-9])")
  func lostPush() async throws {
    let (phone, tablet) = (try stage.device("alice", "phone"), try stage.device("alice", "tablet"))
    await phone.drain()
    await tablet.drain()
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      _ = try LocalCloud.addFaults([.init(.lostPushes, device: "tablet", times: 1)])
    }
    try phone.insert("Post", "A")
    await phone.drain()
    #expect(try stage.cloud.service.faults.list().first?.fired == 1)
    try phone.insert("Post", "B")
    await phone.drain()
    try await eventually("the tablet has both") {
      await tablet.drain()
      return try tablet.titles("Post") == ["A", "B"]
    }
  }
}
