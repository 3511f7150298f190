import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("A mirroring killed at any step")
struct KillTests {
  /// Runs `body` with a mirroring that is killed at its first step, then at its second one, and so on, until a run ends
  /// without a kill. Returns the steps.
  /// killed any more. Returns the steps.
  private func everyStep(
    _ body: (MirrorStage, @escaping @Sendable (MirroringStep) throws -> Void) async throws -> Void
  ) async throws -> [MirroringStep] {
    var steps: [MirroringStep] = []
    while steps.count < 100 {
      let killer = Killer(after: steps.count)
      try await body(try MirrorStage()) { try killer.pass($0) }
      guard let step = killer.killed.withLock({ $0 }) else { return steps }
      steps.append(step)
    }
    Issue.record("there is no end")
    return steps
  }

  /// The records of the person's zones by type, read by plain CloudKit.
  private func recordTypes(_ stage: MirrorStage) async throws -> [String] {
    let database = try stage.container(of: "alice").privateCloudDatabase
    var types: [String] = []
    for zone in try await database.allRecordZones() where RecordNames.isMirrored(zone: zone.zoneID.zoneName) {
      let changes = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
      for result in changes.modificationResultsByID.values { types.append(try result.get().record.recordType) }
    }
    return types.sorted()
  }

  private func fill(_ device: Device) throws -> RowID {
    let post = try device.insert("Post", "A")
    try device.link(post, "tags", to: try device.insert("Tag", "T"))
    try device.insert("Attachment", "X", toOnes: ["post": post])
    return post
  }

  @Test("changes by another device between a kill and the next start are retained [mirror-10] [mirror-13]")
  func secondWriter() async throws {
    let steps = try await everyStep { stage, step in
      let phone = try stage.device("alice", "phone", isStarted: false)
      let post = try phone.insert("Post", "A", ["content": .string("phone"), "likes": .integer(1)])
      try phone.start(step: step)
      await phone.drain()
      phone.stop()
      let tablet = try stage.device("alice", "tablet")
      await tablet.drain()
      // Whether the post has arrived on the tablet.
      let theirs = try tablet.find("Post", "A")
      if let theirs { try tablet.set(theirs, "content", .string("tablet")) }
      await tablet.drain()
      try phone.set(post, "likes", .integer(2))
      try phone.start()
      await phone.drain()
      await tablet.drain()
      let content = theirs == nil ? "phone" : "tablet"
      for device in [phone, tablet] {
        #expect(try device.lines() == ["Post A content=string(\"\(content)\") likes=integer(2)"])
      }
    }
    #expect(Set(steps).isSuperset(of: [.assigned, .sent, .stored]), "\(steps)")
  }

  @Test("a killed export sends each object once and omits none [mirror-10]")
  func killedExportSendsEachObjectOnce() async throws {
    let steps = try await everyStep { stage, step in
      let phone = try stage.device("alice", "phone", isStarted: false)
      let post = try fill(phone)
      try phone.start(step: step)
      await phone.drain()
      try phone.start()
      await phone.drain()
      #expect(try await recordTypes(stage) == ["CDMR", "CD_Attachment", "CD_Post", "CD_Tag"])
      try phone.set(post, "likes", .integer(1))
      await phone.drain()
      let tablet = try stage.device("alice", "tablet")
      await tablet.drain()
      #expect(try tablet.lines() == phone.lines() && tablet.lines().count == 3)
      #expect(phone.errors(.export).isEmpty)
    }
    #expect(Set(steps).isSuperset(of: [.zoneMade, .assigned, .sent, .stored]), "\(steps)")
  }

  @Test("a killed export of changes and deletions is completed [mirror-10]")
  func killedExportOfChangesAndDeletions() async throws {
    let steps = try await everyStep { stage, step in
      let phone = try stage.device("alice", "phone")
      let post = try fill(phone)
      // Only the edits remain to be sent after the kill.
      for _ in 0..<2 { await phone.drain() }
      phone.stop()
      try phone.set(post, "title", .string("B"))
      try phone.delete(try #require(try phone.find("Tag", "T")))
      try phone.insert("Cover", "C")
      try phone.start(step: step)
      await phone.drain()
      try phone.start()
      await phone.drain()
      #expect(try await recordTypes(stage) == ["CD_Attachment", "CD_Cover", "CD_Post"])
      let tablet = try stage.device("alice", "tablet")
      await tablet.drain()
      try expectSame(tablet, phone)
      #expect(phone.errors(.export).isEmpty)
    }
    #expect(Set(steps).isSuperset(of: [.assigned, .sent, .stored]), "\(steps)")
  }

  @Test("a killed import loses no object and inserts none twice [mirror-10]")
  func killedImportLosesNoObjectAndInserts() async throws {
    let steps = try await everyStep { stage, step in
      let phone = try stage.device("alice", "phone")
      let post = try fill(phone)
      await phone.drain()
      let tablet = try stage.device("alice", "tablet", isStarted: false)
      try tablet.start(step: step)
      await tablet.drain()
      try phone.delete(post)
      try phone.insert("Tag", "U")
      await phone.drain()
      try tablet.start()
      await tablet.drain()
      try expectSame(tablet, phone)
      #expect(try await recordTypes(stage) == ["CD_Attachment", "CD_Tag", "CD_Tag"])
    }
    #expect(Set(steps).isSuperset(of: [.fetched, .imported]), "\(steps)")
  }

  @Test("after a killed sharing all objects are in one zone, and other devices retain theirs [mirror-10] [mirror-14]")
  func afterAKilledSharingAllObjects() async throws {
    let steps = try await everyStep { stage, step in
      let phone = try stage.device("alice", "phone")
      let post = try fill(phone)
      await phone.drain()
      let tablet = try stage.device("alice", "tablet")
      await tablet.drain()
      let there = try #require(try tablet.find("Post", "A"))
      phone.stop()
      try phone.start(step: step)
      // Otherwise the first import runs before or after the sharing, and a step may be skipped.
      await phone.drain()
      let isShared = (try? await phone.require().share([post], to: nil)) != nil
      await phone.drain()
      try phone.start()
      await phone.drain()
      if try phone.require().shares(matching: [post]).isEmpty { _ = try await phone.require().share([post], to: nil) }
      await phone.drain()
      await tablet.drain()
      try expectSame(tablet, phone)
      #expect(try tablet.find("Post", "A") == there)
      let zones = try ["Post A", "Tag T", "Attachment X"].map { name in
        let words = name.split(separator: " ").map(String.init)
        return try phone.require().recordID(for: try #require(try phone.find(words[0], words[1])))?.zoneID.zoneName
      }
      #expect(Set(zones).count == 1 && zones[0]?.hasPrefix(RecordNames.shareZonePrefix) == true, "\(isShared)")
      let types = try await recordTypes(stage).filter { $0 != "cloudkit.share" }
      #expect(types == ["CDMR", "CD_Attachment", "CD_Post", "CD_Tag"])
    }
    #expect(Set(steps).isSuperset(of: [.zoneMade, .shareMade, .shared, .sent, .stored]), "\(steps)")
  }
}
