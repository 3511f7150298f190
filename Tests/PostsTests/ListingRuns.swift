import CloudKit
import CoreData
import LocalCloud
import TestSupport
import Testing

@testable import Posts

/// Runs the listings; the listings of the talk's test run on their own.
@Suite(
  "Listings of the talk and of the notes", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct ListingRuns {
  let cloud: TemporaryCloud
  let folder: URL

  init() throws {
    cloud = try TemporaryCloud(accounts: ["germaine"])
    folder = URL(fileURLWithPath: cloud.path).appendingPathComponent("stores")
  }

  private func acting<Result>(_ body: () throws -> Result) throws -> Result {
    try LocalCloud.acting(as: "germaine", root: cloud.path, container: TemporaryCloud.container, body)
  }

  @Test("the share that shareNoteAction passes to the sheet has the post's title [video-3]")
  func shareThatShareNoteActionPassesToTheSheet() async throws {
    let store = try acting { try PostStore(storesURL: folder, seconds: 60) }
    var draft = PostDraft()
    draft.title = "Sharing demos are great"
    try await store.add(draft)
    let post = try await store.context.perform { try store.post(titled: "Sharing demos are great") }
    let prepare = shareNoteAction(post, store.container)
    let share = try await withCheckedThrowingContinuation { continuation in
      prepare { share, container, error in
        if let share, container != nil {
          continuation.resume(returning: share)
        } else {
          continuation.resume(throwing: error ?? PostsError.noStore)
        }
      }
    }
    #expect(share[CKShare.SystemFieldKey.title] as? String == "Sharing demos are great")
    #expect(await store.context.perform { store.stack.isShared(object: post) })
  }

  @Test("the blocks of a provider replace the container's functions [video-6]")
  func blocksOfAProviderReplaceTheContainers() async throws {
    let store = try acting { try PostStore(storesURL: folder, seconds: 60) }
    var draft = PostDraft()
    draft.title = "Alone"
    try await store.add(draft)
    try await store.context.perform {
      let post = try store.post(titled: "Alone")
      let provider = BlockBasedShareProvider(stack: store.stack)
      #expect(!provider.isShared(object: post))
      #expect(provider.canEdit(object: post))
      provider.isSharedBlock = { $0 == post.objectID }
      provider.canEditBlock = { _ in false }
      #expect(provider.isShared(object: post))
      #expect(!provider.canEdit(object: post))
    }
  }

  @Test("a store without container options is a store of this device only")
  func switchedOff() throws {
    let container = try acting { SwitchedOff(url: folder.appendingPathComponent("my.sqlite")).persistentContainer }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      Item(context: context).timestamp = Date()
      try context.save()
    }
    #expect(context.performAndWait { (try? context.count(for: NSFetchRequest<Item>(entityName: "Item"))) == 1 })
    #expect(!FileManager.default.fileExists(atPath: cloud.zonePath("com.apple.coredata.cloudkit.zone", of: "germaine")))
  }

  @Test("initialising a model's schema creates every field and no object")
  func initialisingAModelsSchemaCreatesEveryField() throws {
    let container = try acting {
      let container = SchemaContainer(name: "MyModel")
      container.persistentStoreDescriptions[0].url = folder.appendingPathComponent("schema.sqlite")
      container.loadPersistentStores { #expect($1 == nil) }
      return container
    }
    try container.initializeCloudKitSchema(options: [.dryRun])
    try container.initializeCloudKitSchema()
    #expect(container.initialized == [[.dryRun], []])
    let schema = try String(
      contentsOfFile: "\(cloud.path)/containers/\(TemporaryCloud.container)/development/schema.ckdb", encoding: .utf8)
    #expect(schema.contains("CD_Item"))
    #expect(schema.contains("CD_timestamp"))
  }

  @Test("the observer of the account is notified of a change [note-10]", .timeLimit(.minutes(2)))
  func observerOfTheAccountIsNotified() async throws {
    let (statuses, continuation) = AsyncStream<String>.makeStream()
    try await LocalCloud.acting(as: "germaine", root: cloud.path, container: TemporaryCloud.container) {
      // Notifications require a container in the process.
      let container = CKContainer.default()
      #expect(try await container.accountStatus() == .available)
      let observer = AccountObserver(continuation)
      try LocalCloud.signOut()
      // A container of an earlier test may report before that its cloud was deleted.
      #expect(await statuses.contains("noAccount"))
      withExtendedLifetime((observer, container)) {}
    }
  }
}
