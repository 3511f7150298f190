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
    .itemError(.serverRecordChanged), .itemError(.zoneBusy), .requestLost, .replyLost, .latency(0.05),
  ]

  @Test(
    "a save reaches the other device after an export that failed or was slow on demand ([fault-4] to [fault-10])",
    arguments: 0..<8)
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

  @Test(
    "changes whose pushes went astray are imported once ([fault-8], [fault-9])",
    arguments: [
      .lostPushes, .doubledPushes, .reorderedPushes, .latePushes(100_000),
    ] as [LocalCloud.Fault.Effect])
  func pushes(effect: LocalCloud.Fault.Effect) async throws {
    let (phone, tablet) = (try stage.device("alice", "phone"), try stage.device("alice", "tablet"))
    await phone.drain()
    await tablet.drain()
    try LocalCloud.acting(as: "alice", device: "phone", root: stage.cloud.path) {
      _ = try LocalCloud.addFaults([.init(effect, device: "tablet", times: 1)])
    }
    try phone.insert("Post", "A")
    await phone.drain()
    #expect(try stage.cloud.service.faults.list().first?.fired == 1)
    try phone.insert("Post", "B")
    await phone.drain()
    // The second push arrives by itself.
    try await eventually("the tablet has both") { try tablet.titles("Post") == ["A", "B"] }
    if case .latePushes = effect {
      let container = try LocalCloud.acting(as: "alice", device: "tablet", root: stage.cloud.path) {
        CKContainer(identifier: MirrorStage.container)
      }
      #expect(try LocalCloud.releasePushes(in: container) == 1)
    }
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A", "B"])
    try expectSame(phone, tablet)
    #expect(tablet.errors(.import).isEmpty)
  }

  @Test("a public store imports a record when the index no longer lags ([fault-10], [mirror-35])")
  func indexLag() async throws {
    let people = try PublicStage()
    let (phone, tablet) = (try people.device("alice", "phone"), try people.device("bob", "tablet"))
    await tablet.drain()
    let rules = try LocalCloud.acting(as: "alice", device: "phone", root: people.stage.cloud.path) {
      try LocalCloud.addFaults([.init(.indexLag(100_000), database: .public)])
    }
    try phone.insert("Post", "A")
    await phone.drain()
    #expect(try await people.posts() == [])
    await tablet.drain()
    #expect(try tablet.titles("Post") == [])
    try LocalCloud.acting(as: "alice", device: "phone", root: people.stage.cloud.path) {
      try LocalCloud.removeFaults(rules)
    }
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A"])
    try expectSame(phone, tablet)
  }
}
