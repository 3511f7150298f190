import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudCoreDataMirroring
import TestSupport
import Testing

@testable import CoreData

@Suite("Stores of a container's public database", .timeLimit(.minutes(2)))
struct PublicStoreTests {
  private let cloud: TemporaryCloud
  private let folder: TemporaryFolder

  init() throws {
    (cloud, folder) = (try TemporaryCloud(), try TemporaryFolder())
    let (schemas, caller) = (cloud.service.schemas, cloud.caller("alice"))
    let types = ["CD_Comment", "CD_Post", "CD_Tag", "CDMR"].map { type in
      """
      RECORD TYPE \(type) (
        "___modTime" TIMESTAMP QUERYABLE SORTABLE, "___recordID" REFERENCE QUERYABLE,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
      """
    }
    _ = try schemas.importSchema("DEFINE SCHEMA\n" + types.joined(separator: "\n"), by: caller)
  }

  /// Posts with tags; the later version has also subtitles and comments.
  private static func model(isSecret: Bool = false, isLater: Bool = false) -> NSManagedObjectModel {
    let (post, tag) = (NSEntityDescription(), NSEntityDescription())
    (post.name, tag.name) = ("Post", "Tag")
    let tags = BlogModel.relationship("tags", to: tag, isToMany: true, .nullifyDeleteRule)
    let posts = BlogModel.relationship("posts", to: post, isToMany: true, .nullifyDeleteRule)
    BlogModel.pair(tags, posts)
    let title = BlogModel.attribute("title", .string)
    title.allowsCloudEncryption = isSecret
    post.properties = [title, tags]
    tag.properties = [BlogModel.attribute("name", .string), posts]
    let model = NSManagedObjectModel()
    model.entities = [post, tag]
    guard isLater else { return model }
    let comment = NSEntityDescription()
    comment.name = "Comment"
    let comments = BlogModel.relationship("comments", to: comment, isToMany: true, .nullifyDeleteRule)
    let commented = BlogModel.relationship("post", to: post, isToMany: false, .nullifyDeleteRule)
    BlogModel.pair(comments, commented)
    post.properties += [BlogModel.attribute("subtitle", .string), comments]
    comment.properties = [BlogModel.attribute("text", .string), commented]
    model.entities.append(comment)
    return model
  }

  /// Starts a program on a device, with a store of the public database after the stores of `scopes`.
  private func start(
    _ account: String?, _ device: String, beside scopes: [CKDatabase.Scope] = [], isSecret: Bool = false,
    isLater: Bool = false
  ) throws -> NSPersistentCloudKitContainer {
    let container = try LocalCloud.acting(
      as: account, device: device, root: cloud.path, container: TemporaryCloud.container
    ) {
      NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: Self.model(isSecret: isSecret, isLater: isLater))
    }
    container.persistentStoreDescriptions = (scopes + [.public]).map { scope in
      let url = URL(fileURLWithPath: folder.path).appendingPathComponent("\(device)-\(scope.rawValue).sqlite")
      let description = NSPersistentStoreDescription(url: url)
      let options = NSPersistentCloudKitContainerOptions(containerIdentifier: TemporaryCloud.container)
      options.databaseScope = scope
      description.cloudKitContainerOptions = options
      return description
    }
    var failure: (any Error)?
    container.loadPersistentStores { failure = failure ?? $1 }
    if let failure { throw failure }
    return container
  }

  private func publicStore(_ container: NSPersistentCloudKitContainer) throws -> NSPersistentStore {
    try #require(container.persistentStoreCoordinator.persistentStores.last)
  }

  private func add(_ title: String, to container: NSPersistentCloudKitContainer) async throws -> NSManagedObjectID {
    let (context, store) = (container.newBackgroundContext(), try publicStore(container))
    return try await context.perform {
      let post = context.add("Post", ["title": title])
      context.assign(post, to: store)
      try context.save()
      return post.objectID
    }
  }

  private func posts(_ container: NSPersistentCloudKitContainer) async throws -> [String: NSManagedObjectID] {
    let context = container.newBackgroundContext()
    return try await context.perform {
      let posts = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post"))
      return Dictionary(posts.map { ($0.value(forKey: "title") as? String ?? "", $0.objectID) }) { first, _ in first }
    }
  }

  @Test("[mirror-36] only the creator may change and delete an object of the public database")
  func onlyTheCreatorMayChangeAndDelete() async throws {
    let (alice, bob, kiosk) = (try start("alice", "phone"), try start("bob", "tablet"), try start(nil, "kiosk"))
    // The answer is available at once, in any state of the setup.
    #expect(alice.canModifyManagedObjects(in: try publicStore(alice)))
    #expect(!kiosk.canModifyManagedObjects(in: try publicStore(kiosk)))
    let mine = try await add("A", to: alice)
    #expect(alice.canUpdateRecord(forManagedObjectWith: mine))
    #expect(alice.canDeleteRecord(forManagedObjectWith: mine))
    for container in [alice, bob, kiosk] { await container.drain() }
    #expect(alice.record(for: mine)?["CD_title"] as? String == "A")
    #expect(alice.recordID(for: mine)?.zoneID == CKRecordZone.default().zoneID)
    #expect(alice.canUpdateRecord(forManagedObjectWith: mine))
    #expect(alice.canDeleteRecord(forManagedObjectWith: mine))
    for container in [bob, kiosk] {
      let theirs = try #require(try await posts(container)["A"])
      #expect(!container.canUpdateRecord(forManagedObjectWith: theirs))
      #expect(!container.canDeleteRecord(forManagedObjectWith: theirs))
      let context = container.newBackgroundContext()
      await context.perform {
        // An object with a temporary identity.
        #expect(container.canUpdateRecord(forManagedObjectWith: context.add("Post").objectID))
      }
    }
    let unsent = try await add("K", to: kiosk)
    #expect(!kiosk.canUpdateRecord(forManagedObjectWith: unsent))
  }

  @Test("[mirror-36] sharing refuses a store of the public database, also beside other stores")
  func sharingRefusesAStoreOfThePublic() async throws {
    let container = try start("alice", "phone", beside: [.private, .shared])
    #expect(container.engines.map(\.engine.scope) == [.private, .shared, .public])
    let (post, store) = (try await add("A", to: container), try publicStore(container))
    await container.drain()
    let context = container.newBackgroundContext()
    let object = UncheckedBox(await context.perform { UncheckedBox(context.object(with: post)) }.value)
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let refusals: [() async throws -> Void] = [
      { _ = try await container.share([object.value], to: nil) },
      { _ = try await container.acceptShareInvitations(from: [], into: store) },
      { _ = try await container.fetchParticipants(matching: [], into: store) },
      { _ = try await container.persistUpdatedShare(CKShare(recordZoneID: zone), in: store) },
      { _ = try await container.purgeObjectsAndRecordsInZone(with: zone, in: store) },
    ]
    for refusal in refusals {
      await #expect {
        try await refusal()
      } throws: { error in
        let error = error as NSError
        return error.code == 134_060 && error.localizedFailureReason?.contains("public database") == true
      }
    }
    #expect(try container.fetchShares(in: store).isEmpty)
    // All stores that have zones.
    #expect(try await container.purgeObjectsAndRecordsInZone(with: zone, in: nil) == zone)
    #expect(try await posts(container).keys.sorted() == ["A"])
  }

  @Test("[mirror-29] [mirror-35] an updated program sees earlier values of new fields and retains its own changes")
  func updatedProgramSeesEarlierValuesOfNew() async throws {
    let (alice, old) = (try start("alice", "phone", isLater: true), try start("bob", "tablet"))
    try await alice.change { context in
      let post = context.add("Post", ["title": "A", "subtitle": "Sub"])
      context.add("Comment", ["text": "C"]).setValue(post, forKey: "post")
    }
    _ = try await add("B", to: old)
    for container in [alice, old, alice] { await container.drain() }
    #expect(try await posts(old).keys.sorted() == ["A", "B"])
    try old.end()
    // The old version saves the change, and the new version exports it.
    let offline = try start(nil, "tablet")
    try await offline.change { try $0.post("B").setValue("B2", forKey: "title") }
    try offline.end()
    let new = try start("bob", "tablet", isLater: true)
    await new.drain()
    let context = new.newBackgroundContext()
    try await context.perform {
      let post = try context.post("A")
      #expect(post.value(forKey: "subtitle") as? String == "Sub")
      let comments = post.value(forKey: "comments") as? Set<NSManagedObject>
      #expect(comments?.map { $0.value(forKey: "text") as? String } == ["C"])
      #expect(try context.post("B2").value(forKey: "subtitle") == nil)
    }
    try await new.change { try $0.post("B2").setValue("of Bob", forKey: "subtitle") }
    await new.drain()
    await alice.drain()
    let list = alice.newBackgroundContext()
    let subtitle = try await list.perform { try list.post("B2").value(forKey: "subtitle") as? String }
    #expect(subtitle == "of Bob")
    #expect(try await posts(alice).keys.sorted() == ["A", "B2"])
  }

  @Test("[mirror-36] only the public database refuses a model with encrypted attributes")
  func onlyThePublicDatabaseRefusesAModel() throws {
    #expect {
      _ = try start("alice", "phone", isSecret: true)
    } throws: { error in
      let error = error as NSError
      return error.domain == NSCocoaErrorDomain && error.code == 134_060
        && error.localizedFailureReason
          == "CloudKit integration does not support encrypted attributes in the public database. The following allow "
          + "cloud encryption:\nPost: title"
    }
    let reason = MirroringModelRules.failureReason(Self.model(isSecret: true), configuration: nil)
    #expect(reason == nil)
  }
}
