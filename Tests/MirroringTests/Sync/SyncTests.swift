import CloudKit
import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Two devices of one person")
struct SyncTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet")
  }

  /// Exports the changes of one device and imports them on the other.
  private func sync(_ from: Device, _ to: Device) async {
    await from.drain()
    await to.drain()
  }

  @Test("objects with values of all types, and with none, are the same on both devices [mirror-3] [mirror-6]")
  func objectsWithValuesOfAllTypes() async throws {
    var attributes: [String: StoredValue] = [:]
    for type in StoreSchema.AttributeType.allCases {
      attributes["plain_\(type.rawValue)"] = TestModel.sample(type)
      attributes["sealed_\(type.rawValue)"] = TestModel.sample(type)
    }
    let full = try phone.insert("Value", "full", attributes)
    try phone.insert("Value", "empty")
    await sync(phone, tablet)
    #expect(try tablet.lines() == phone.lines())
    #expect(try tablet.lines().count == 2)
    // Sets values to nil on the other device.
    let there = try #require(try tablet.find("Value", "full"))
    try tablet.set(there, "plain_string", .null)
    try tablet.set(there, "sealed_date", .null)
    await sync(tablet, phone)
    #expect(try phone.row(full)?["plain_string"] == .null && phone.row(full)?["sealed_date"] == .null)
    #expect(try tablet.lines() == phone.lines())
    #expect(phone.errors(.export).isEmpty)
    #expect(tablet.errors(.import).isEmpty)
  }

  @Test("relationships of all kinds, also with sub-entities, are the same on both devices [mirror-7] [mirror-8]")
  func relationshipsOfAllKindsAlsoWithSub() async throws {
    let cover = try phone.insert("Cover", "cover")
    let post = try phone.insert("ImagePost", "post", ["width": .integer(3)], toOnes: ["cover": cover])
    try phone.relate(cover, "post", to: post)
    try phone.insert("Attachment", "a1", toOnes: ["post": post])
    let second = try phone.insert("Attachment", "a2", toOnes: ["post": post])
    let red = try phone.insert("Tag", "red")
    let blue = try phone.insert("Tag", "blue")
    try phone.link(post, "tags", to: red)
    try phone.link(blue, "posts", to: post)
    let anna = try phone.insert("Person", "anna")
    try phone.link(anna, "follows", to: anna)
    let bert = try phone.insert("Person", "bert")
    try phone.link(bert, "followers", to: anna)
    await sync(phone, tablet)
    #expect(try tablet.lines() == phone.lines())
    let full = "ImagePost post width=integer(3) attachments=[\"a1\", \"a2\"] cover=[\"cover\"] tags=[\"blue\", \"red\"]"
    #expect(try tablet.lines().contains(full))

    // Links that end, and references that change, on either side.
    let there = try #require(try tablet.find("ImagePost", "post"))
    try tablet.link(there, "tags", to: try #require(try tablet.find("Tag", "red")), false)
    try phone.relate(second, "post", to: nil)
    try phone.delete(blue)
    await sync(tablet, phone)
    await sync(phone, tablet)
    #expect(try tablet.lines() == phone.lines())
    let line = try #require(try phone.lines().first { $0.hasPrefix("ImagePost") })
    #expect(line == "ImagePost post width=integer(3) attachments=[\"a1\"] cover=[\"cover\"]")
    #expect(try phone.titles("Tag") == ["red"])
  }

  @Test("a save reaches the other device by a push, without a request [mirror-18]")
  func saveReachesTheOtherDevice() async throws {
    await sync(phone, tablet)
    let post = try phone.insert("Post", "A")
    try await eventually("the post arrives") { try tablet.find("Post", "A") != nil }
    try phone.set(post, "title", .string("B"))
    try await eventually("its new title arrives") { try tablet.titles("Post") == ["B"] }
    try tablet.delete(try #require(try tablet.find("Post", "B")))
    try await eventually("its deletion comes back") { try phone.row(post) == nil }
    // A commit is posted after it is visible.
    try await eventually("commits are told of") {
      tablet.commits.contains { $0.inserted.count == 1 } && phone.commits.contains { $0.deleted == [post] }
    }
  }

  @Test("plain CloudKit finds one record for each object and pair, with Apple's names [mirror-1] [mirror-2] [mirror-8]")
  func plainRecords() async throws {
    let post = try phone.insert("Post", "A")
    let tag = try phone.insert("Tag", "T")
    try phone.link(post, "tags", to: tag)
    await phone.drain()
    let database = try stage.container(of: "alice").privateCloudDatabase
    let zoneID = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil)
    let records = try changes.modificationResultsByID.values.map { try $0.get().record }
    #expect(records.map(\.recordType).sorted() == ["CDMR", "CD_Post", "CD_Tag"])
    let record = try #require(records.first { $0.recordType == "CD_Post" })
    #expect(record["CD_title"] as? String == "A")
    #expect(record["CD_entityName"] as? String == "Post")
    #expect(UUID(uuidString: record.recordID.recordName)?.uuidString == record.recordID.recordName)
    let engine = try phone.require()
    #expect(engine.recordID(for: post) == record.recordID)
    let known = try #require(engine.record(for: post))
    #expect(known["CD_title"] as? String == "A")
    #expect(known.creationDate != nil)
    #expect(known.changedKeys().isEmpty)
    #expect(known.recordChangeTag == record.recordChangeTag)
    let pair = try #require(records.first { $0.recordType == "CDMR" })
    #expect(pair["CD_entityNames"] as? String == "Post:Tag")
    #expect(pair.recordID.zoneID == record.recordID.zoneID)
    #expect(UUID(uuidString: pair.recordID.recordName)?.uuidString == pair.recordID.recordName)
    let subscriptions = try await database.allSubscriptions()
    #expect(subscriptions.map(\.subscriptionID) == ["com.apple.coredata.cloudkit.private.subscription"])
    // The pair's record is deleted with one of its objects.
    try phone.delete(tag)
    await phone.drain()
    let left = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil).modificationResultsByID
    #expect(Array(left.keys) == [record.recordID])
  }

  @Test("an import computes derived attributes from inserted and deleted objects [mirror-4]")
  func importComputesDerivedAttributesFromInserted() async throws {
    let post = try phone.insert("Post", "A")
    let tags = try ["T", "U"].map { try phone.insert("Tag", $0) }
    for tag in tags { try phone.link(post, "tags", to: tag) }
    await sync(phone, tablet)
    let there = try #require(try tablet.find("Post", "A"))
    #expect(try tablet.row(there)?["tagCount"] == .integer(2))
    try phone.delete(tags[0])
    await sync(phone, tablet)
    #expect(try tablet.row(there)?["tagCount"] == .integer(1))
  }

  @Test("long values are exchanged as assets, in both directions [mirror-5]")
  func longValues() async throws {
    let photo = [UInt8](repeating: 5, count: 1_200_000)
    let text = String(repeating: "ö", count: 500_000)
    let post = try phone.insert("Post", "A", ["photo": .binary(photo), "content": .string(text)])
    await sync(phone, tablet)
    #expect(try tablet.lines() == phone.lines())
    try phone.set(post, "photo", .binary([1]))
    await sync(phone, tablet)
    #expect(try tablet.lines() == phone.lines())
    #expect(phone.errors(.export).isEmpty)
  }

  @Test("a device does not send imported changes back [mirror-11]")
  func deviceDoesNotSendImportedChangesBack() async throws {
    try phone.insert("Post", "A")
    await sync(phone, tablet)
    let before = try tablet.require().record(for: try #require(try tablet.find("Post", "A")))?.recordChangeTag
    let commits = phone.commits.count
    await sync(tablet, phone)
    await sync(phone, tablet)
    #expect(phone.commits.count == commits)
    let after = try tablet.require().record(for: try #require(try tablet.find("Post", "A")))?.recordChangeTag
    #expect(before == after)
  }

  @Test("objects saved before the store was mirrored are sent [mirror-11]")
  func olderObjects() async throws {
    let laptop = try stage.device("alice", "laptop", isStarted: false)
    try laptop.insert("Post", "old")
    try laptop.start()
    await sync(laptop, phone)
    #expect(try phone.titles("Post") == ["old"])
  }

  @Test("two stores of one device notify each other, though the device gets no pushes of its own changes [mirror-18]")
  func oneDevice() async throws {
    let other = try stage.device("alice", "phone")
    await other.drain()
    try phone.insert("Post", "A")
    try await eventually("the other store has it") { try other.titles("Post") == ["A"] }
  }
}
