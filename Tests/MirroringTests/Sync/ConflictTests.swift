import CloudKit
import Foundation
import ObjectStore
import Testing

@testable import CoreData

@Suite("Two devices that change the same objects")
struct ConflictTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet")
  }

  /// Both devices have the object and are offline.
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

  @Test("each keeps the fields that it changed; of one field the last that was sent is kept [mirror-13]")
  func fields() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.set(onPhone, "content", .string("phone"))
    try phone.set(onPhone, "title", .string("phone"))
    try tablet.set(onTablet, "likes", .integer(2))
    try tablet.set(onTablet, "title", .string("tablet"))
    try await meet()
    #expect(try phone.lines() == ["Post tablet content=string(\"phone\") likes=integer(2)"])
    #expect(tablet.errors(.export).isEmpty)
  }

  @Test("both link other objects: all links stay; a reference to one object is one value [mirror-13]")
  func relationships() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.link(onPhone, "tags", to: try phone.insert("Tag", "p"))
    try tablet.link(onTablet, "tags", to: try tablet.insert("Tag", "t"))
    try phone.relate(onPhone, "cover", to: try phone.insert("Cover", "pc"))
    try tablet.relate(onTablet, "cover", to: try tablet.insert("Cover", "tc"))
    try await meet()
    let line = try #require(try phone.lines().first { $0.hasPrefix("Post") })
    #expect(line.contains("tags=[\"p\", \"t\"]") && line.contains("cover=[\"tc\"]"))
  }

  @Test("both link the same objects, and one unlinks them again [mirror-8]")
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

  @Test("a deletion wins, whichever comes first [mirror-13]", arguments: [true, false])
  func deletion(isFirst: Bool) async throws {
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
    let changes = try await database.recordZoneChanges(inZoneWith: ZoneHome.private.zoneID, since: nil)
    #expect(changes.modificationResultsByID.isEmpty)
  }

  @Test("an import leaves what was changed here and not sent, and takes the rest [mirror-13]")
  func importOverEdit() async throws {
    let (onPhone, onTablet) = try await begin()
    try phone.start()
    try phone.set(onPhone, "content", .string("phone"))
    try phone.set(onPhone, "title", .string("phone"))
    await phone.drain()
    try tablet.set(onTablet, "title", .string("tablet"))
    let importer = Importer(try mirrored(tablet))
    try await Task.detached {
      var importer = importer
      try importer.run()
    }.value
    let row = try #require(try tablet.row(onTablet))
    #expect(row["title"] == .string("tablet") && row["content"] == .string("phone"))
    try tablet.start()
    await tablet.drain()
    await phone.drain()
    #expect(try phone.lines() == tablet.lines() && phone.titles("Post") == ["tablet"])
  }

  private func mirrored(_ device: Device) throws -> MirroredStore {
    MirroredStore(
      store: device.store, mapping: RecordMapping(TestModel.schema), scope: .private,
      cloud: BlockingCloud(MirrorStage.container, acting: try stage.identity("alice", "tablet")), didCommit: { _ in },
      step: nil)
  }
}
