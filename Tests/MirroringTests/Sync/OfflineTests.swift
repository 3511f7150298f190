import CloudKit
import Foundation
import LocalCloud
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Devices that are offline, throttled, or lose replies")
struct OfflineTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  private func set(_ network: LocalCloud.Network, times: Int? = nil, on device: String) throws {
    try LocalCloud.acting(as: "alice", device: device, root: stage.cloud.path) {
      try LocalCloud.setNetwork(network, times: times)
    }
  }

  /// Simulates the pause after many failures.
  private func waitLong(_ device: Device, asked: Bool = false) throws {
    try device.require().worker.state.change { state in
      state.pauses.nextLength = 100_000
      state.pauses.begin(asked ? 100_000 : nil)
    }
  }

  @Test("edits of two devices, one of them offline, are merged once it is online [mirror-39] [mirror-40]")
  func bothSides() async throws {
    let (phone, tablet) = (try stage.device("alice", "phone"), try stage.device("alice", "tablet"))
    for title in ["A", "B", "C"] { try phone.insert("Post", title) }
    await phone.drain()
    await tablet.drain()
    try set(.offline, on: "phone")
    let (a, b, c) = (
      try #require(try phone.find("Post", "A")), try #require(try phone.find("Post", "B")),
      try #require(try tablet.find("Post", "C"))
    )
    try phone.set(a, "likes", .integer(1))
    try phone.delete(b)
    let tag = try phone.insert("Tag", "new")
    try phone.link(a, "tags", to: tag)
    try tablet.set(try #require(try tablet.find("Post", "A")), "content", .string("tablet"))
    try tablet.set(c, "likes", .integer(3))
    try tablet.insert("Post", "D")
    await tablet.drain()
    try await eventually("the phone's export fails") { !phone.errors(.export).isEmpty }
    let error = try #require(phone.errors(.export).last)
    #expect(error.domain == CKErrorDomain)
    #expect(error.code == CKError.Code.networkUnavailable.rawValue)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -1009)
    #expect(try MirroringEvent.all(of: phone.store).contains { ($0.error as NSError?)?.code == 3 })
    #expect(try phone.titles("Post") == ["A", "C"] && tablet.titles("Tag") == [])
    try waitLong(phone)
    try set(.online, on: "phone")
    try await eventually("both hold all") {
      try tablet.titles("Tag") == ["new"] && phone.titles("Post") == ["A", "C", "D"]
    }
    try await eventually("both are the same") { try phone.lines() == tablet.lines() }
    #expect(try phone.lines().contains { $0.hasPrefix("Post A") && $0.contains("tablet") && $0.contains("likes") })
    #expect(try phone.require().worker.state.change { $0.pauses.nextLength } == 1)
  }

  @Test("a device started offline is set up, sends and receives all once it is online [mirror-40]")
  func startedOffline() async throws {
    let tablet = try stage.device("alice", "tablet")
    try tablet.insert("Post", "T")
    await tablet.drain()
    try set(.unreachable, on: "phone")
    let phone = try stage.device("alice", "phone")
    try phone.insert("Post", "P")
    try await eventually("the setup fails") { phone.errors(.setup).last?.code == CKError.Code.networkFailure.rawValue }
    #expect(try phone.titles("Post") == ["P"])
    try waitLong(phone)
    try set(.online, on: "phone")
    try await eventually("all is everywhere") {
      try phone.titles("Post") == ["P", "T"] && phone.lines() == tablet.lines()
    }
  }

  @Test("a pause that the cloud requested is observed; a push ends other pauses [mirror-39]")
  func pauseThatTheCloudRequestedIsObserved() async throws {
    let (phone, tablet) = (try stage.device("alice", "phone"), try stage.device("alice", "tablet"))
    await phone.drain()
    await tablet.drain()
    try await eventually("the phone rests") {
      try phone.require().worker.state.change { $0.wanted.isEmpty }
    }
    try set(.throttled(retryAfter: 50_000), on: "phone")
    try phone.insert("Post", "A")
    try await eventually("the export is refused") { !phone.errors(.export).isEmpty }
    let error = try #require(phone.errors(.export).last)
    #expect(error.domain == CKErrorDomain)
    #expect(error.code == CKError.Code.serviceUnavailable.rawValue)
    #expect((error.userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue == 50_000)
    let count = phone.events.count
    try tablet.insert("Post", "T")
    await tablet.drain()
    try await eventually("the push has come") {
      try phone.require().worker.state.change { $0.wanted.contains(.import) }
    }
    try phone.insert("Post", "B")
    #expect(try phone.require().worker.state.change { $0.pauses.end } != nil)
    #expect(try phone.require().worker.state.change { $0.wanted.contains(.export) })
    #expect(phone.events.count == count)
    // A request by the program is tried, and its error has the remaining time.
    await phone.drain()
    let last = try #require(phone.errors(.import).last)
    #expect(last.code == CKError.Code.requestRateLimited.rawValue)
    try set(.online, on: "phone")
    try await eventually("all is everywhere") { try phone.titles("Post").count == 3 && phone.lines() == tablet.lines() }
    // A pause after other failures ends with the next push.
    try waitLong(phone)
    try tablet.insert("Post", "U")
    try await eventually("it comes") { try phone.titles("Post").count == 4 }
  }

  @Test("lost replies cause no duplicates, from the setup on [mirror-40] [mirror-10]", arguments: 1...6)
  func lostReplies(_ times: Int) async throws {
    try set(.replyLost, times: times, on: "phone")
    let phone = try stage.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    let tag = try phone.insert("Tag", "t")
    try phone.link(post, "tags", to: tag)
    try await eventually("all answers are lost") {
      // Each failure is followed by a pause; the test skips it.
      try phone.require().worker.state.change { $0.pauses.end = nil }
      return !FileManager.default.fileExists(atPath: stage.cloud.path + "/devices/phone/network.json")
    }
    try phone.set(post, "likes", .integer(1))
    let tablet = try stage.device("alice", "tablet")
    try await eventually("the tablet has all") { try !tablet.titles("Tag").isEmpty && tablet.lines() == phone.lines() }
    #expect(try phone.titles("Post") == ["A"] && phone.titles("Tag") == ["t"])
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
    let types = try changes.modificationResultsByID.values.map { try $0.get().record.recordType }.sorted()
    #expect(types == ["CDMR", "CD_Post", "CD_Tag"])
  }

  @Test("requests of an offline device fail and move nothing; permissions are still known")
  func ownRequests() async throws {
    let phone = try stage.device("alice", "phone")
    let post = try phone.insert("Post", "A")
    await phone.drain()
    try set(.offline, on: "phone")
    let engine = try phone.require()
    await #expect(throws: CKError.self) { try await engine.share([post], to: nil) }
    #expect(
      try engine.shares().isEmpty && engine.recordID(for: post)?.zoneID.zoneName == "com.apple.coredata.cloudkit.zone")
    try set(.online, on: "phone")
    let (_, share, _) = try await engine.share([post], to: nil)
    #expect(try engine.shares().map(\.recordID) == [share.recordID])
    let reader = try stage.device("alice", "reader", .public)
    await reader.drain()
    try set(.offline, on: "reader")
    #expect(try reader.require().canModify)
  }
}
