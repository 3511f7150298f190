import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Conflicting changes of two devices")
struct ConflictTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet")
  }

  /// Saves the object on both devices and stops their mirroring.
  private func begin() async throws -> (onPhone: RowID, onTablet: RowID) {
    let post = try phone.insert("Post", "A", ["content": .string("text"), "likes": .integer(1)])
    await phone.drain()
    await tablet.drain()
    phone.stop()
    tablet.stop()
    return (post, try #require(try tablet.find("Post", "A")))
  }

  private func meet() async throws {
    try phone.start()
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    await phone.drain()
    #expect(try phone.lines() == tablet.lines())
  }

  @Test("different changed fields are merged; the last export wins for one field [mirror-13]")
  func differentChangedFieldsAreMerged() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.set(onPhone, "content", .string("phone"))
    try phone.set(onPhone, "title", .string("phone"))
    try tablet.set(onTablet, "likes", .integer(2))
    try tablet.set(onTablet, "title", .string("tablet"))
    try await meet()
    #expect(try phone.lines() == ["Post tablet content=string(\"phone\") likes=integer(2)"])
    #expect(tablet.errors(.export).isEmpty)
  }

  @Test("links of both devices are merged; a to-one reference has the last value [mirror-13]")
  func linksOfBothDevicesAreMerged() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.link(onPhone, "tags", to: try phone.insert("Tag", "p"))
    try tablet.link(onTablet, "tags", to: try tablet.insert("Tag", "t"))
    try pair(phone, onPhone, try phone.insert("Cover", "pc"))
    try pair(tablet, onTablet, try tablet.insert("Cover", "tc"))
    try await meet()
    let line = try #require(try phone.lines().first { $0.hasPrefix("Post") })
    #expect(line.contains("tags=[\"p\", \"t\"]"))
    #expect(line.contains("cover=[\"tc\"]"))
  }

  /// Sets both sides of the relationship, as Core Data does.
  private func pair(_ device: Device, _ post: RowID?, _ cover: RowID?) throws {
    if let post { try device.relate(post, "cover", to: cover) }
    if let cover { try device.relate(cover, "post", to: post) }
  }

  /// The references of posts and covers by title, read by plain CloudKit.
  private func references() async throws -> Set<String> {
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: ZoneLocation.private.zoneID, since: nil)
    let records = try changes.modificationResultsByID.mapValues { try $0.get().record }
    let titles = Dictionary(
      uniqueKeysWithValues: records.map { ($0.key.recordName, $0.value["CD_title"] as? String ?? "") })
    return Set(
      records.values.compactMap { record in
        let key = record.recordType == "CD_Post" ? "CD_cover" : "CD_post"
        let target = record[key] as? String
        return target.map { "\(titles[record.recordID.recordName] ?? "") \(titles[$0] ?? "nothing")" }
      })
  }

  @Test(
    "two devices relate a post to different covers: one pair remains on all devices and in the cloud [mirror-21]",
    arguments: [true, false])
  func oneToOne(isTabletFirst: Bool) async throws {
    let (onPhone, onTablet) = try await begin()
    try pair(phone, onPhone, try phone.insert("Cover", "pc"))
    try pair(tablet, onTablet, try tablet.insert("Cover", "tc"))
    if isTabletFirst {
      try tablet.start()
      await tablet.drain()
    }
    try await meet()
    await tablet.drain()
    await phone.drain()
    // The last device that sent the post's field wins.
    let cover = isTabletFirst ? "pc" : "tc"
    for device in [phone, tablet] {
      #expect(try device.lines().contains("Cover \(cover) post=[\"A\"]"))
      #expect(try device.lines().contains("Cover \(isTabletFirst ? "tc" : "pc")"))
    }
    #expect(try phone.lines() == tablet.lines())
    #expect(try await references() == ["A \(cover)", "\(cover) A"])
  }

  @Test("two devices relate a cover to different posts: one pair remains [mirror-21]", arguments: [true, false])
  func oneCover(isTabletFirst: Bool) async throws {
    let (onPhone, _) = try await begin()
    try phone.start()
    let cover = try phone.insert("Cover", "c")
    try phone.insert("Post", "B")
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    phone.stop()
    tablet.stop()
    try pair(phone, onPhone, cover)
    try pair(tablet, try tablet.find("Post", "B"), try tablet.find("Cover", "c"))
    if isTabletFirst {
      try tablet.start()
      await tablet.drain()
    }
    try await meet()
    await tablet.drain()
    await phone.drain()
    let post = isTabletFirst ? "A" : "B"
    for device in [phone, tablet] { #expect(try device.lines().contains("Cover c post=[\"\(post)\"]")) }
    #expect(try phone.lines() == tablet.lines())
    #expect(try await references() == ["\(post) c", "c \(post)"])
  }

  @Test("a reference that plain CloudKit sets or clears on one side changes both sides of the objects [mirror-21]")
  func plainSide() async throws {
    let (onPhone, _) = try await begin()
    try phone.start()
    try phone.insert("Cover", "c")
    await phone.drain()
    let database = try stage.container(of: "alice").privateCloudDatabase
    let cover = try #require(try phone.find("Cover", "c"))
    let (postID, coverID) = (
      try #require(try phone.require().recordID(for: onPhone)), try #require(try phone.require().recordID(for: cover))
    )
    let post = try await database.record(for: postID)
    post["CD_cover"] = coverID.recordName
    try await database.save(post)
    await phone.drain()
    #expect(try phone.lines().contains("Cover c post=[\"A\"]"))
    await phone.drain()
    #expect(try await references() == ["A c", "c A"])
    let record = try await database.record(for: coverID)
    record["CD_post"] = nil
    try await database.save(record)
    await phone.drain()
    #expect(try phone.lines().contains("Cover c"))
    await phone.drain()
    #expect(try await references() == [])
  }

  @Test("a cover is deleted while another device relates it to a post: the record has no reference [mirror-21]")
  func deletedTarget() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.start()
    let cover = try phone.insert("Cover", "c")
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    phone.stop()
    try pair(tablet, onTablet, try tablet.find("Cover", "c"))
    await tablet.drain()
    tablet.stop()
    try phone.delete(cover)
    try await meet()
    await tablet.drain()
    await phone.drain()
    #expect(try phone.lines() == tablet.lines() && phone.row(onPhone)?.toOnes.compactMap { $0 } == [])
    #expect(try await references() == [])
  }

  @Test("both devices link the same objects, and one unlinks them again [mirror-8]")
  func samePair() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.start()
    let tag = try phone.insert("Tag", "x")
    await phone.drain()
    try tablet.start()
    await tablet.drain()
    phone.stop()
    tablet.stop()
    try phone.link(onPhone, "tags", to: tag)
    try tablet.link(onTablet, "tags", to: try #require(try tablet.find("Tag", "x")))
    try await meet()
    #expect(try phone.lines().contains("Tag x posts=[\"A\"]"))
    try phone.link(onPhone, "tags", to: tag, false)
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.lines().contains("Tag x") && phone.lines() == tablet.lines())
    await phone.drain()
    #expect(try phone.lines().contains("Tag x"))
  }

  @Test(
    "a self-inverse relationship has one pair, linked in either direction [mirror-8]",
    arguments: [true, false])
  func ownInverse(isTurned: Bool) async throws {
    let (a, b) = (try phone.insert("Peer", "a"), try phone.insert("Peer", "b"))
    await phone.drain()
    await tablet.drain()
    let (x, y) = (try #require(try tablet.find("Peer", "a")), try #require(try tablet.find("Peer", "b")))
    phone.stop()
    tablet.stop()
    try phone.link(a, "peers", to: b)
    try tablet.link(isTurned ? y : x, "peers", to: isTurned ? x : y)
    try await meet()
    await tablet.drain()
    await phone.drain()
    for device in [phone, tablet] { #expect(try device.lines() == ["Peer a peers=[\"b\"]", "Peer b peers=[\"a\"]"]) }
    // One of the two records is deleted: the pair remains as long as the other record exists.
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: ZoneLocation.private.zoneID, since: nil)
    let first = try #require(
      try changes.modificationResultsByID.values.map { try $0.get().record }.first { $0.recordType == "CDMR" })
    // Two records, as two devices create them that link the objects concurrently.
    let second = CKRecord(
      recordType: "CDMR", recordID: CKRecord.ID(recordName: UUID().uuidString, zoneID: ZoneLocation.private.zoneID))
    for key in ["CD_entityNames", "CD_relationships"] { second[key] = first[key] }
    let names = try #require(first["CD_recordNames"] as? String).split(separator: ":")
    second["CD_recordNames"] = (isTurned ? names.reversed() : names).joined(separator: ":")
    _ = try await database.save(second)
    await phone.drain()
    await tablet.drain()
    let links = [first.recordID, second.recordID]
    for (number, link) in links.enumerated() {
      _ = try await database.deleteRecord(withID: link)
      await phone.drain()
      await tablet.drain()
      let lines = number == 0 ? ["Peer a peers=[\"b\"]", "Peer b peers=[\"a\"]"] : ["Peer a", "Peer b"]
      for device in [phone, tablet] { #expect(try device.lines() == lines) }
    }
  }

  @Test("a deletion wins over an edit in either order [mirror-13]", arguments: [true, false])
  func deletionWinsOverAnEditInEither(isFirst: Bool) async throws {
    let (onPhone, onTablet) = try await begin()
    if isFirst {
      try phone.delete(onPhone)
      try tablet.set(onTablet, "title", .string("edited"))
    } else {
      try phone.set(onPhone, "title", .string("edited"))
      try tablet.delete(onTablet)
    }
    try await meet()
    #expect(try phone.lines().isEmpty)
    let database = try stage.container(of: "alice").privateCloudDatabase
    let changes = try await database.recordZoneChanges(inZoneWith: ZoneLocation.private.zoneID, since: nil)
    #expect(changes.modificationResultsByID.isEmpty)
  }

  @Test("an import retains unsent local changes and imports the other fields [mirror-13]")
  func importOverEdit() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.start()
    try phone.set(onPhone, "content", .string("phone"))
    try phone.set(onPhone, "title", .string("phone"))
    await phone.drain()
    try tablet.set(onTablet, "title", .string("tablet"))
    let mirrored = try mirrored(tablet)
    try await Task.detached {
      let run = MirroringRun(mirrored, .import)
      var importer = FeedImporter(run)
      try importer.importChanges()
      try run.store()
    }.value
    let row = try #require(try tablet.row(onTablet))
    #expect(row["title"] == .string("tablet"))
    #expect(row["content"] == .string("phone"))
    try tablet.start()
    await tablet.drain()
    await phone.drain()
    #expect(try phone.lines() == tablet.lines() && phone.titles("Post") == ["tablet"])
  }

  private func mirrored(_ device: Device) throws -> MirroredStore {
    MirroredStore(
      store: device.store, mapping: RecordMapping(TestModel.schema), scope: .private,
      cloud: BlockingCloud(MirrorStage.container, acting: try stage.identity("alice", "tablet")), didCommit: { _ in },
      reportedError: { $0 }, step: nil)
  }
}
