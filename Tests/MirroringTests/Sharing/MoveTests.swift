import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

/// Changes by other devices while one device moves objects to the zone of a share.
@Suite("Moves of objects to a share")
struct MoveTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device
  /// The post on the phone and on the tablet.
  private let post: RowID
  private let there: RowID

  private struct Kill: Error {}

  /// Saves a post with a tag and an attachment on both devices.
  init() async throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet", isStarted: false)
    post = try phone.insert("Post", "A", ["content": .string("text")])
    try phone.link(post, "tags", to: try phone.insert("Tag", "T"))
    try phone.insert("Attachment", "X", toOnes: ["post": post])
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    there = try #require(try tablet.find("Post", "A"))
  }

  /// Shares the post on the phone and kills the mirroring before it sends the moved records. Returns the share's zone.
  @discardableResult
  private func shareAndDie(_ step: MirroringStep = .assigned) async throws -> CKRecordZone.ID {
    try phone.start { if $0 == step { throw Kill() } }
    let zone = try await phone.require().share([post], to: nil).share.recordID.zoneID
    await phone.drain()
    phone.stop()
    return zone
  }

  private func meet() async throws {
    try phone.start()
    for device in [phone, tablet, phone, tablet] { await device.drain() }
    try expectSame(tablet, phone)
    for device in [phone, tablet] {
      #expect(device.errors(.export).isEmpty, "\(device.errors(.export))")
      #expect(device.errors(.import).isEmpty, "\(device.errors(.export))")
    }
  }

  /// The records of the share's zone by type and title; expects that the private zone is empty.
  private func records() async throws -> [String] {
    let database = try stage.container(of: "alice").privateCloudDatabase
    var found: [String] = []
    for zone in try await database.allRecordZones() where RecordNames.isMirrored(zone: zone.zoneID.zoneName) {
      let changes = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
      let records = try changes.modificationResultsByID.values.map { try $0.get().record }
      if zone.zoneID.zoneName == RecordNames.privateZone {
        #expect(records.isEmpty)
      } else {
        found += records.filter { $0.recordType != "cloudkit.share" }
          .map { "\($0.recordType) \($0["CD_title"] as? String ?? "-")" }
      }
    }
    return found.sorted()
  }

  @Test("an import before the moved records are sent inserts and deletes no objects [mirror-14]")
  func importBeforeTheMovedRecordsAreSent() async throws {
    try await shareAndDie()
    let before = phone.commits.count
    try await meet()
    #expect(phone.commits.dropFirst(before).allSatisfy { $0.inserted.isEmpty && $0.deleted.isEmpty })
    #expect(try phone.titles("Post") == ["A"] && tablet.find("Post", "A") == there)
    #expect(try await records() == ["CDMR -", "CD_Attachment X", "CD_Post A", "CD_Tag T"])
  }

  @Test("an edit of a record at its former address moves with the object [mirror-14]")
  func editOfARecordAtItsFormer() async throws {
    try await shareAndDie()
    try tablet.set(there, "content", .string("edited"))
    await tablet.drain()
    try phone.set(post, "likes", .integer(7))
    try await meet()
    let row = try #require(try phone.row(post))
    #expect(row["content"] == .string("edited"))
    #expect(row["likes"] == .integer(7))
    #expect(try tablet.row(there)?["likes"] == .integer(7))
    #expect(try await records() == ["CDMR -", "CD_Attachment X", "CD_Post A", "CD_Tag T"])
  }

  @Test(
    "a deletion of a record at its former address wins over the move [mirror-13] [mirror-14]", arguments: [true, false])
  func deletionOfARecordAtItsFormer(isBefore: Bool) async throws {
    try await shareAndDie()
    if isBefore {
      try tablet.delete(there)
      await tablet.drain()
    } else {
      // The tablet receives the move when it tries to delete the record at its former address.
      tablet.stop()
      try phone.start()
      await phone.drain()
      try tablet.delete(there)
      try tablet.start()
    }
    try await meet()
    #expect(try phone.lines() == ["Attachment X", "Tag T"])
    #expect(try await records() == ["CD_Attachment X", "CD_Tag T"])
  }

  @Test("objects that another device relates to the moved ones follow to their zone [mirror-14]")
  func objectsThatAnotherDeviceRelates() async throws {
    try await shareAndDie()
    try tablet.insert("Attachment", "Y", toOnes: ["post": there])
    try tablet.link(there, "tags", to: try tablet.insert("Tag", "U"))
    await tablet.drain()
    try await meet()
    let line = try #require(try phone.lines().first { $0.hasPrefix("Post A") })
    #expect(line.contains("attachments=[\"X\", \"Y\"]"))
    #expect(line.contains("tags=[\"T\", \"U\"]"))
    #expect(
      try await records() == [
        "CDMR -", "CDMR -", "CD_Attachment X", "CD_Attachment Y", "CD_Post A", "CD_Tag T", "CD_Tag U",
      ])
  }

  @Test("a zone deleted before the records arrive leaves the objects in their former zone [mirror-15]")
  func zoneGone() async throws {
    let zone = try await shareAndDie()
    let database = try stage.container(of: "alice").privateCloudDatabase
    _ = try await database.deleteRecordZone(withID: zone)
    try await meet()
    #expect(try phone.row(post)?["content"] == .string("text"))
    #expect(try tablet.find("Post", "A") == there)
  }

  @Test("a pair with a moved record remains one pair, also on devices that import the move early [mirror-14]")
  func onePair() async throws {
    try await shareAndDie(.stored)
    // The records exist in their new zone, and still in the old one.
    await tablet.drain()
    try await meet()
    try phone.link(post, "tags", to: try #require(try phone.find("Tag", "T")), false)
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.lines().contains("Tag T"))
    try expectSame(tablet, phone)
    #expect(try await records() == ["CD_Attachment X", "CD_Post A", "CD_Tag T"])
  }

  @Test(
    "a zone deleted after other devices imported the move leaves the same objects on all devices [mirror-15]",
    arguments: [true, false])
  func zoneGoneLater(isPurged: Bool) async throws {
    let zone = try await shareAndDie(.sent)
    await tablet.drain()
    #expect(try tablet.require().recordID(for: there)?.zoneID == zone)
    if isPurged {
      try await tablet.require().purge(zone)
    } else {
      _ = try await stage.container(of: "alice").privateCloudDatabase.deleteRecordZone(withID: zone)
    }
    await tablet.drain()
    try await meet()
    #expect(try phone.titles("Post") == (isPurged ? [] : ["A"]))
    let new = try stage.device("alice", "new")
    await new.drain()
    try expectSame(new, phone)
  }

  @Test("unsent objects of a participant are deleted with a lost share [mirror-15]")
  func unsentObjectsOfAParticipantAreDeleted() async throws {
    let engine = try phone.require()
    let share = try await engine.share([post], to: nil).share
    share.publicPermission = .readWrite
    let url = try #require(try await engine.persist(share).url)
    await phone.drain()
    let bob = try stage.device("bob", "bobs", .shared)
    let metadata = try await bob.require().container.shareMetadata(for: url)
    _ = try await bob.require().accept([metadata])
    await bob.drain()
    let shared = try #require(try bob.find("Post", "A"))
    bob.stop()
    try bob.insert("Attachment", "Y", toOnes: ["post": shared])
    try await engine.purge(share.recordID.zoneID)
    try bob.start()
    await bob.drain()
    #expect(try bob.lines().isEmpty)
    #expect(bob.errors(.export).isEmpty, "\(bob.errors(.export))")
  }
}
