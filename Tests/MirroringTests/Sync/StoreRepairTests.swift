import CloudKit
import LocalCloudObjectStore
import LocalCloudPlatform
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Repaired stores with mirroring")
struct StoreRepairTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet")
  }

  /// Overwrites all segments of a table with garbage.
  private func spoil(_ table: String...) throws {
    var folder = try Directory.open(path: phone.path, in: FileSystem())
    for name in table { folder = try folder.directory(name) }
    for entry in try folder.entries() { try folder.writeStaged(entry.name, Array("garbage\n".utf8)) }
  }

  // [store-30]
  @Test(
    "lost objects return from the cloud and are deleted on no device; deleted ones stay deleted",
    arguments: [true, false])
  func lostObjectsReturnFromTheCloud(hasHistory: Bool) async throws {
    let cover = try phone.insert("Cover", "cover")
    let post = try phone.insert("Post", "post", ["likes": .integer(3)], toOnes: ["cover": cover])
    try phone.relate(cover, "post", to: post)
    for title in ["a1", "a2"] { try phone.insert("Attachment", title, toOnes: ["post": post]) }
    for title in ["red", "blue"] { try phone.link(post, "tags", to: try phone.insert("Tag", title)) }
    let gone = try phone.insert("Person", "gone")
    await phone.drain()
    await tablet.drain()
    let before = try tablet.lines()
    #expect(try before.count == 7 && phone.lines() == before)

    phone.stop()
    try phone.delete(gone)
    try spoil("objects", "Post")
    if !hasHistory { try spoilHistory() }
    let report = try ObjectStore.repair(phone.path)
    #expect(report.left == [])
    #expect(try phone.find("Post", "post") == nil)
    try phone.start()
    await phone.drain()
    await tablet.drain()
    // A deletion that is not in the history is not sent: the object also returns.
    let after = hasHistory ? before.filter { !$0.contains("gone") } : before
    #expect(try phone.lines() == after)
    #expect(try tablet.lines() == after)
    #expect(phone.errors(.import).isEmpty)
    #expect(phone.errors(.export).isEmpty)
    // Both devices continue to synchronise.
    let found = try #require(try phone.find("Post", "post"))
    try phone.set(found, "likes", .integer(4))
    await phone.drain()
    await tablet.drain()
    try expectSame(phone, tablet)
    #expect(try phone.store.check() == [])
  }

  private func spoilHistory() throws {
    let folder = try Directory.open(path: phone.path, in: FileSystem())
    let lines = try #require(try folder.contents("history.jsonl"))
    try folder.writeStaged("history.jsonl", lines + Array("garbage\n".utf8))
  }

  // [store-30]
  @Test(
    "lost links return from the cloud and are removed on no device, also if their objects change",
    arguments: [true, false])
  func lostLinksReturnFromTheCloud(hasHistory: Bool) async throws {
    let post = try phone.insert("Post", "post")
    for title in ["red", "blue"] { try phone.link(post, "tags", to: try phone.insert("Tag", title)) }
    await phone.drain()
    await tablet.drain()
    let before = try tablet.lines()
    phone.stop()
    try spoil("links", "Post.tags")
    if !hasHistory { try spoilHistory() }
    #expect(try ObjectStore.repair(phone.path).left == [])
    #expect(try phone.lines() != before)
    try phone.start()
    // The export reads the relationship before the import has restored the links.
    let green = try phone.insert("Tag", "green")
    try phone.link(post, "tags", to: green)
    await phone.drain()
    await tablet.drain()
    #expect(try phone.lines().contains { $0.hasSuffix(#"tags=["blue", "green", "red"]"#) })
    try expectSame(phone, tablet)
    #expect(phone.errors(.import).isEmpty)
    #expect(phone.errors(.export).isEmpty)
  }

  // [store-30]
  @Test(
    "objects with references to a lost one retain unsent changes, also after a new history",
    arguments: [true, false])
  func objectsWithReferencesToALost(hasHistory: Bool) async throws {
    let post = try phone.insert("Post", "post")
    let attachment = try phone.insert("Attachment", "old", toOnes: ["post": post])
    let moved = try phone.insert("Attachment", "moved")
    await phone.drain()
    await tablet.drain()
    phone.stop()
    try phone.set(attachment, "title", .string("new"))
    try phone.relate(moved, "post", to: post)
    let unsent = try phone.insert("Attachment", "unsent", toOnes: ["post": post])
    try spoil("objects", "Post")
    if !hasHistory { try spoilHistory() }
    #expect(try ObjectStore.repair(phone.path).left == [])
    try phone.start()
    await phone.drain()
    await tablet.drain()
    let found = try #require(try phone.find("Post", "post"))
    #expect(try phone.row(attachment)?["title"] == .string("new"))
    for id in [attachment, moved, unsent] {
      #expect(try phone.store.read { try $0.row(id)?.toOnes } == [found])
    }
    try expectSame(phone, tablet)
  }
}
