import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudObjectStore
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

/// Two mirrorings of one process without shared state behave like those of two processes: a file lock belongs to an
/// open file. The tests of `Stress` use real processes.
@Suite("Several programs of a device with one store")
struct ProcessTests {
  private let stage: MirrorStage

  init() throws { stage = try MirrorStage() }

  /// The titles of the objects in the mirrored zones, read by plain CloudKit.
  private func sentTitles(of account: String = "alice") async throws -> [String] {
    let database = try stage.container(of: account).privateCloudDatabase
    var titles: [String] = []
    for zone in try await database.allRecordZones() where RecordNames.isMirrored(zone: zone.zoneID.zoneName) {
      let changes = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
      for result in changes.modificationResultsByID.values {
        titles += [try result.get().record["CD_title"] as? String].compactMap(\.self)
      }
    }
    return titles.sorted()
  }

  /// A step that waits until the test opens the barrier.
  private final class Barrier: Sendable {
    private let state = ThreadCondition((isReached: false, isOpen: false))

    func reach() {
      state.change { $0.isReached = true }
      _ = state.wait(seconds: 60) { $0.isOpen ? true : nil }
    }

    var isReached: Bool { state.change { $0.isReached } }
    func open() { state.change { $0.isOpen = true } }
  }

  @Test("two programs send all saved objects once, and each posts its own events [mirror-33]")
  func twoProgramsSendAllSavedObjectsOnce() async throws {
    let seed = TestSeed.value(30)
    var random = SeededGenerator(seed: seed)
    let app = try stage.device("alice", "phone")
    let tool = try app.program()
    try tool.start()
    var titles: [String] = []
    for number in 0..<60 {
      let device = Bool.random(using: &random) ? app : tool
      titles.append("P\(number)")
      let id = try device.insert("Post", "P\(number)")
      if Bool.random(using: &random) { try (Bool.random(using: &random) ? app : tool).set(id, "likes", .integer(1)) }
      if Int.random(in: 0..<10, using: &random) == 0 { await device.drain() }
    }
    await app.drain()
    #expect(try await sentTitles() == titles.sorted(), "seed \(seed)")
    await tool.drain()
    for device in [app, tool] {
      #expect(device.events.allSatisfy { $0.error == nil }, "seed \(seed)")
      let ended = Set(device.events.filter { $0.endDate != nil }.map(\.kind))
      #expect(ended == [.setup, .import, .export], "seed \(seed)")
    }
    #expect(try await sentTitles() == titles.sorted(), "seed \(seed)")
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    try expectSame(tablet, app)
    #expect(try app.store.check().isEmpty)
  }

  @Test("after a kill at any step the other program sends the rest, without duplicates [mirror-33]")
  func afterAKillAtAnyStep() async throws {
    var steps: [MirroringStep] = []
    while steps.count < 100 {
      let stage = try MirrorStage()
      let app = try stage.device("alice", "phone", isStarted: false)
      let tool = try app.program()
      try tool.start()
      await tool.drain()
      let post = try app.insert("Post", "A")
      try app.insert("Attachment", "X", toOnes: ["post": post])
      let killer = Killer(after: steps.count)
      try app.start { try killer.pass($0) }
      await app.drain()
      try tool.insert("Post", "B")
      await tool.drain()
      let tablet = try stage.device("alice", "tablet")
      await tablet.drain()
      #expect(try tablet.lines() == ["Attachment X post=[\"A\"]", "Post A attachments=[\"X\"]", "Post B"], "\(steps)")
      try expectSame(tablet, tool)
      #expect(tool.errors(.export).isEmpty, "\(steps)")
      guard let step = killer.killed.withLock({ $0 }) else { break }
      steps.append(step)
    }
    #expect(Set(steps).isSuperset(of: [.assigned, .sent, .stored]), "\(steps)")
  }

  @Test("the lease ends with its mirroring, and the waiting one continues [mirror-33]")
  func leaseEndsWithItsMirroring() async throws {
    let app = try stage.device("alice", "phone", isStarted: false)
    let tool = try app.program()
    try app.insert("Post", "A")
    let barrier = Barrier()
    try app.start { if $0 == .assigned { barrier.reach() } }
    try await eventually("the app sends") { barrier.isReached }
    try tool.start()
    try tool.insert("Post", "B")
    #expect(tool.events.isEmpty)
    try app.require().stop()
    barrier.open()
    await tool.drain()
    #expect(try await sentTitles() == ["A", "B"])
  }

  @Test("a mirroring that waits for another program's lease stops at once, with its requests [mirror-33]")
  func mirroringThatWaitsForAnotherProgramsLease() async throws {
    let app = try stage.device("alice", "phone", isStarted: false)
    let id = try app.insert("Post", "A")
    let lease = MirroringLease(app.store)
    let held = try #require(try lease.acquireIfFree())
    try app.start()
    let engine = try app.require()
    let request = Task { try await engine.share([id], to: nil) }
    try await Task.sleep(nanoseconds: 50_000_000)
    engine.stop()
    await #expect { _ = try await request.value } throws: { ($0 as NSError).code == 134407 }
    #expect(engine.finish())
    #expect(app.events.isEmpty)
    held.release()
  }

  @Test("a lease that never ends causes error 134410, and the mirroring continues to wait [mirror-34]")
  func leaseThatNeverEndsCausesError134410() async throws {
    let app = try stage.device("alice", "phone", isStarted: false)
    let id = try app.insert("Post", "A")
    let lease = MirroringLease(app.store)
    let held = try #require(try lease.acquireIfFree())
    try app.start(leaseTimeout: 0.05)
    try await eventually("the setup fails") { !app.errors(.setup).isEmpty }
    let error = try #require(app.errors(.setup).first)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134410)
    let reason = try #require(error.localizedFailureReason)
    #expect(reason.contains("(process \(HostProcess.identifier)"), "\(reason)")
    await #expect { _ = try await app.require().share([id], to: nil) } throws: { ($0 as NSError).code == 134410 }
    await app.drain()
    held.release()
    try await eventually("it is sent") { app.events.contains { $0.kind == .export && $0.succeeded } }
    await app.drain()
    #expect(try await sentTitles() == ["A"])
  }

  @Test("requests of both programs run between their runs [mirror-33]")
  func requestsOfBothProgramsRunBetween() async throws {
    let app = try stage.device("alice", "phone")
    let tool = try app.program()
    try tool.start()
    var zones: Set<CKRecordZone.ID> = []
    for number in 0..<6 {
      let (one, other) = number % 2 == 0 ? (app, tool) : (tool, app)
      let id = try one.insert("Post", "P\(number)")
      for index in 0..<4 { try other.insert("Post", "Q\(number)-\(index)") }
      let (objects, share, _) = try await other.require().share([id], to: nil)
      #expect(objects == [id])
      zones.insert(share.recordID.zoneID)
      share[CKShare.SystemFieldKey.title] = "T\(number)"
      let saved = try await one.require().persist(share)
      #expect(saved[CKShare.SystemFieldKey.title] as? String == "T\(number)")
    }
    await app.drain()
    await tool.drain()
    #expect(zones.count == 6)
    #expect(app.errors(.export).isEmpty)
    #expect(tool.errors(.export).isEmpty)
    let titles = try await sentTitles()
    #expect(titles.count == 30, "\(titles)")
    #expect(Set(titles).count == 30, "\(titles)")
    for zone in zones { #expect(try app.require().shares().contains { $0.recordID.zoneID == zone }) }
    let first = try #require(zones.first)
    try await tool.require().purge(first)
    #expect(try app.require().shares().count == 5)
  }

  @Test("a push that another process consumed still causes an import [mirror-33]")
  func pushThatAnotherProcessConsumedStillCauses() async throws {
    let app = try stage.device("alice", "phone")
    await app.drain()
    let tablet = try stage.device("alice", "tablet")
    do {
      // A process that consumes the device's pushes, and dies before it imports.
      let pushes = try stage.cloud.service.pushes.openPushLocation(by: stage.cloud.caller("alice", device: "phone"))
      let lease = try pushes.cursor.hold()
      try tablet.insert("Post", "A")
      await tablet.drain()
      try lease.pass(try #require(try pushes.waiting().last).sequence)
    }
    try await eventually("it arrives") { try app.titles("Post") == ["A"] }
  }

  @Test("another program's change of a share is visible at the next read; it is not in the history")
  func shareAlone() async throws {
    let app = try stage.device("alice", "phone")
    let tool = try app.program()
    try tool.start()
    let id = try app.insert("Post", "A")
    let share = try await app.require().share([id], to: nil).share
    await app.drain()
    await tool.drain()
    let before = try app.store.read { try $0.history(after: 0).count }
    share[CKShare.SystemFieldKey.title] = "Renamed"
    _ = try await tool.require().persist(share)
    #expect(try app.require().shares().map { $0[CKShare.SystemFieldKey.title] as? String } == ["Renamed"])
    #expect(try app.require().shares(matching: [id])[id]?[CKShare.SystemFieldKey.title] as? String == "Renamed")
    #expect(try app.store.read { try $0.history(after: 0).count } == before)
  }

  @Test("a store that another program uses for another account is not mirrored for this one [mirror-41]")
  func changedHands() async throws {
    let app = try stage.device("alice", "phone")
    let id = try app.insert("Post", "A")
    await app.drain()
    let tool = try app.program(acting: try stage.identity("bob", "bobs"))
    try tool.start()
    await tool.drain()
    #expect(try app.titles("Post").isEmpty)
    try app.insert("Post", "B")
    try await eventually("the app's setup fails") { !app.errors(.setup).isEmpty }
    let error = try #require(app.errors(.setup).first)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == 134060)
    #expect(error.localizedFailureReason?.contains("another account") == true)
    await #expect { _ = try await app.require().share([id], to: nil) } throws: { ($0 as NSError).code == 134060 }
    tool.engine?.saved()
    await app.drain()
    await tool.drain()
    #expect(try await sentTitles() == ["A"])
    #expect(try await sentTitles(of: "bob") == ["B"])
    #expect(try app.titles("Post") == ["B"] && tool.errors(.setup).isEmpty && tool.errors(.export).isEmpty)
    // After a restart the account that is signed in is used.
    tool.stop()
    try app.start()
    await app.drain()
    #expect(try app.titles("Post") == ["A"])
  }

  @Test("after a sign-in of another account all programs continue with that one [mirror-16] [mirror-41]")
  func otherAccount() async throws {
    func acting<Value>(_ account: String, _ body: () throws -> Value) throws -> Value {
      try LocalCloud.acting(as: account, device: "pad", root: stage.cloud.path, body)
    }
    try acting("alice") { try LocalCloud.signIn(as: "alice") }
    let app = try stage.device(nil, "pad")
    let tool = try app.program()
    try tool.start()
    try app.insert("Post", "A")
    await app.drain()
    await tool.drain()
    try acting("alice") { try LocalCloud.signIn(as: "bob") }
    try await eventually("the objects go") { try app.titles("Post").isEmpty }
    try tool.insert("Post", "B")
    try await eventually("it is sent") { try await sentTitles(of: "bob") == ["B"] }
    try app.insert("Post", "C")
    try await eventually("it is sent") { try await sentTitles(of: "bob") == ["B", "C"] }
    #expect(try await sentTitles() == ["A"])
  }
}
