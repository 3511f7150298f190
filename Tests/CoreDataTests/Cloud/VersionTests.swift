import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import CoreData

@Suite("Versions of a model side by side", .timeLimit(.minutes(2)))
struct VersionTests {
  private let cloud: TemporaryCloud
  private let folder: TemporaryFolder

  init() throws { (cloud, folder) = (try TemporaryCloud(), try TemporaryFolder()) }

  /// Posts. The later version adds a subtitle, a secret, a long note, ranks, comments, and topics in a many-to-many
  /// relationship.
  private static func model(isLater: Bool) -> NSManagedObjectModel {
    let post = NSEntityDescription()
    post.name = "Post"
    post.properties = [BlogModel.attribute("title", .string), BlogModel.attribute("body", .string)]
    let model = NSManagedObjectModel()
    model.entities = [post]
    guard isLater else { return model }
    let secret = BlogModel.attribute("secret", .string)
    secret.allowsCloudEncryption = true
    post.properties += [
      BlogModel.attribute("subtitle", .string), secret, BlogModel.attribute("note", .binaryData),
      BlogModel.attribute("rank", .integer16, default: 5),
      BlogModel.attribute("level", .integer16, isOptional: false, default: 3),
    ]
    let (comment, topic) = (NSEntityDescription(), NSEntityDescription())
    (comment.name, topic.name) = ("Comment", "Topic")
    let comments = BlogModel.relationship("comments", to: comment, isToMany: true, .nullifyDeleteRule)
    let commented = BlogModel.relationship("post", to: post, isToMany: false, .nullifyDeleteRule)
    BlogModel.pair(comments, commented)
    let topics = BlogModel.relationship("topics", to: topic, isToMany: true, .nullifyDeleteRule)
    let posts = BlogModel.relationship("posts", to: post, isToMany: true, .nullifyDeleteRule)
    BlogModel.pair(topics, posts)
    post.properties += [comments, topics]
    comment.properties = [BlogModel.attribute("text", .string), commented]
    topic.properties = [BlogModel.attribute("name", .string), posts]
    model.entities = [post, comment, topic]
    return model
  }

  private func start(
    _ device: String, account: String = "alice", isLater: Bool, scope: CKDatabase.Scope = .private
  ) throws -> NSPersistentCloudKitContainer {
    let container = try LocalCloud.acting(
      as: account, device: device, root: cloud.path, container: TemporaryCloud.container
    ) { NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: Self.model(isLater: isLater)) }
    let description = container.persistentStoreDescriptions[0]
    description.url = URL(fileURLWithPath: folder.path).appendingPathComponent("\(device).sqlite")
    description.cloudKitContainerOptions?.databaseScope = scope
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  /// A post with all properties of the later version.
  private static func later(_ context: NSManagedObjectContext) throws {
    let post = context.add(
      "Post",
      [
        "title": "New", "subtitle": "Sub", "secret": "hidden", "note": Data(repeating: 1, count: 1_200_000), "rank": 9,
        "level": 8,
      ])
    let comment = context.add("Comment", ["text": "C"])
    comment.setValue(post, forKey: "post")
    let topic = context.add("Topic", ["name": "T"])
    post.setValue(Set([topic]), forKey: "topics")
  }

  /// The values that a program of the later version reads of a post.
  private func line(_ title: String, _ container: NSPersistentCloudKitContainer) async throws -> String {
    let context = container.newBackgroundContext()
    return try await context.perform {
      let post = try context.post(title)
      let words = ["body", "subtitle", "secret", "rank", "level"].map { "\(post.value(forKey: $0) ?? "nil")" }
      let note = (post.value(forKey: "note") as? Data)?.count ?? 0
      let comments = (post.value(forKey: "comments") as? Set<NSManagedObject> ?? []).compactMap {
        $0.value(forKey: "text") as? String
      }
      let topics = (post.value(forKey: "topics") as? Set<NSManagedObject> ?? []).compactMap {
        $0.value(forKey: "name") as? String
      }
      return (words + ["\(note)"] + comments + topics).joined(separator: " ")
    }
  }

  @Test("an updated program sees earlier values of new fields and retains its own changes [mirror-29] [note-5]")
  func updatedProgramSeesEarlierValuesOfNew() async throws {
    let (phone, old) = (try start("phone", isLater: true), try start("tablet", isLater: false))
    try await old.change { $0.add("Post", ["title": "Old", "body": "old"]) }
    try await phone.change(Self.later)
    for container in [phone, old, phone] { await container.drain() }
    try old.end()
    let offline = try start("tablet", isLater: false)
    try await offline.change { try $0.post("New").setValue("edited", forKey: "body") }
    try offline.end()
    let tablet = try start("tablet", isLater: true)
    await tablet.drain()
    await phone.drain()
    for container in [tablet, phone] {
      #expect(try await line("New", container) == "edited Sub hidden 9 8 1200000 C T")
    }
    // The new model supplies values that the record never had: a default for a required attribute.
    #expect(try await line("Old", tablet) == "old nil nil 5 3 0")
    #expect(try await line("Old", phone) == "old nil nil nil 3 0")
  }

  @Test("fields that an old program does not know stay in records that it changes or moves [mirror-29]")
  func fieldsThatAnOldProgram() async throws {
    let (phone, old) = (try start("phone", isLater: true), try start("tablet", isLater: false))
    try await phone.change(Self.later)
    await phone.drain()
    await old.drain()
    let context = old.newBackgroundContext()
    let post = try await context.perform {
      let post = try context.post("New")
      post.setValue("edited", forKey: "body")
      try context.save()
      return post
    }
    let (_, share, _) = try await old.share([post], to: nil)
    await old.drain()
    let id = post.objectID
    let record = try #require(old.record(for: id))
    #expect(record.recordID.zoneID == share.recordID.zoneID)
    await phone.drain()
    let line = try await line("New", phone)
    #expect(line.hasPrefix("edited Sub hidden 9 8 1200000"))
    _ = context
  }

  @Test("a required attribute has its default value if the record has none [mirror-30]")
  func requiredAttributeHasItsDefaultValue() async throws {
    let phone = try start("phone", isLater: true)
    try await phone.change { $0.add("Post", ["title": "A", "level": 7, "rank": 7]) }
    await phone.drain()
    let database = try cloud.plainDatabase()
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let record = CKRecord(recordType: "CD_Post", recordID: CKRecord.ID(recordName: "plain", zoneID: zone))
    record["CD_entityName"] = "Post"
    record["CD_title"] = "B"
    try await database.save(record)
    let id = try await database.recordZoneChanges(inZoneWith: zone, since: nil).modificationResultsByID.keys
      .first { $0.recordName != "plain" }
    let first = try await database.record(for: try #require(id))
    first["CD_level"] = nil
    first["CD_rank"] = nil
    try await database.save(first)
    await phone.drain()
    #expect(try await line("A", phone) == "nil nil nil nil 3 0")
    #expect(try await line("B", phone) == "nil nil nil nil 3 0")
  }
}
