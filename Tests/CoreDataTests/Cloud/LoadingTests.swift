import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("Loading the stores of a mirrored container", .timeLimit(.minutes(2)))
struct LoadingTests {
  private let cloud: TemporaryCloud
  private let folder: TemporaryFolder

  init() throws { (cloud, folder) = (try TemporaryCloud(), try TemporaryFolder()) }

  private func container(_ configure: (NSPersistentCloudKitContainer) -> Void = { _ in }) throws
    -> NSPersistentCloudKitContainer
  {
    let container = try LocalCloud.acting(
      as: "alice", device: "phone", root: cloud.path, container: TemporaryCloud.container
    ) { NSPersistentCloudKitContainer(name: "Blog", managedObjectModel: CloudBlogModel.shared) }
    container.persistentStoreDescriptions[0].url = url("private.sqlite")
    configure(container)
    return container
  }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path).appendingPathComponent(name) }

  /// The error that the load block receives for each store description.
  private func load(_ container: NSPersistentCloudKitContainer) -> [NSError?] {
    var errors: [NSError?] = []
    container.loadPersistentStores { errors.append($1 as NSError?) }
    return errors
  }

  private func options(_ scope: CKDatabase.Scope) -> NSPersistentCloudKitContainerOptions {
    let options = NSPersistentCloudKitContainerOptions(containerIdentifier: TemporaryCloud.container)
    options.databaseScope = scope
    return options
  }

  @Test(
    "[mirror-37] only a container's first description has options, those of the configured container"
  )
  func onlyAContainersFirstDescriptionHasOptions() throws {
    let container = try container()
    let options = try #require(container.persistentStoreDescriptions.first?.cloudKitContainerOptions)
    #expect(options.containerIdentifier == TemporaryCloud.container)
    #expect(options.databaseScope == .private)
    #expect(NSPersistentStoreDescription(url: url("a")).cloudKitContainerOptions == nil)
    #expect(NSPersistentStoreDescription().cloudKitContainerOptions == nil)
  }

  @Test("a store at /dev/null is mirrored only with options that the program set")
  func storeAtDevNullIsMirrored() async throws {
    let preview = try container { $0.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null") }
    #expect(load(preview) == [nil])
    #expect(preview.engines.isEmpty)
    let context = preview.newBackgroundContext()
    try await context.perform {
      context.add("Post", ["title": "Sample"])
      try context.save()
    }
    await preview.drain()
    #expect(!FileManager.default.fileExists(atPath: cloud.zonePath("com.apple.coredata.cloudkit.zone", of: "alice")))

    let chosen = try container {
      $0.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
      $0.persistentStoreDescriptions[0].cloudKitContainerOptions = options(.private)
    }
    #expect(load(chosen) == [nil])
    #expect(chosen.engines.count == 1)
    await chosen.drain()
  }

  @Test("[mirror-26] an observer that the load's block adds receives every event")
  func noEventIsMissed() async throws {
    let container = try container()
    let (events, continuation) = AsyncStream<Bool>.makeStream()
    var token: (any NSObjectProtocol)?
    container.loadPersistentStores { _, error in
      #expect(error == nil)
      // Long enough that the event of a setup that began too early is posted before the observer is added.
      Thread.sleep(forTimeInterval: 0.1)
      token = NotificationCenter.default.addObserver(
        forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
      ) { note in
        let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
        guard let event = note.userInfo?[key] as? NSPersistentCloudKitContainer.Event, event.type == .setup else {
          return
        }
        continuation.yield(event.endDate != nil)
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == false, "the setup begins")
    #expect(await iterator.next() == true, "the setup ends")
    if let token { NotificationCenter.default.removeObserver(token) }
    await container.drain()
  }

  @Test("a store that is opened asynchronously is mirrored")
  func storeThatIsOpenedAsynchronouslyIsMirrored() async throws {
    let container = try container { $0.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true }
    let error: UncheckedBox<(any Error)?> = await withCheckedContinuation { continuation in
      container.loadPersistentStores { continuation.resume(returning: UncheckedBox($1)) }
    }
    #expect(error.value == nil)
    #expect(container.engines.count == 1)
    let context = container.newBackgroundContext()
    let id = try await context.perform {
      let post = context.add("Post", ["title": "Sent"])
      try context.save()
      return post.objectID
    }
    // The mirroring may begin shortly after the block is called.
    while container.record(for: id) == nil {
      await container.drain()
      await Task.yield()
    }
    #expect(container.record(for: id)?["CD_title"] as? String == "Sent")
  }

  @Test(
    "[mirror-37] two stores with one file or database are refused; a failed store blocks no other"
  )
  func twoStoresWithOneFileOrDatabase() async throws {
    let sameFile = try container { container in
      let shared = NSPersistentStoreDescription(url: url("private.sqlite"))
      shared.cloudKitContainerOptions = options(.shared)
      container.persistentStoreDescriptions.append(shared)
    }
    let errors = load(sameFile)
    #expect(
      errors.count == 2 && errors[0] == nil && errors[1]?.localizedFailureReason == "Can't add the same store twice")
    #expect(sameFile.engines.count == 1)
    await sameFile.drain()

    let sameDatabase = try container { container in
      let broken = NSPersistentStoreDescription(url: url("broken.sqlite"))
      broken.cloudKitContainerOptions = options(.private)
      broken.isReadOnly = true
      let (first, second) = (NSPersistentStoreDescription(url: url("1")), NSPersistentStoreDescription(url: url("2")))
      first.cloudKitContainerOptions = options(.private)
      second.cloudKitContainerOptions = options(.private)
      container.persistentStoreDescriptions = [broken, first, second]
    }
    let reasons = load(sameDatabase).map { $0?.localizedFailureReason }
    #expect(reasons.count == 3 && reasons[0] != nil && reasons[1] == nil, "\(reasons)")
    #expect(
      reasons[2]
        == "Two stores can't be mirrored to the same database: \(TemporaryCloud.container), and the stores 1 and 2.")
    #expect(sameDatabase.engines.map { $0.store.url?.lastPathComponent } == ["1"])
    await sameDatabase.drain()
  }

  /// The records that are not shared, as plain CloudKit reads them.
  private func records() async throws -> [CKRecord] {
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
    let changes = try await cloud.plainDatabase().recordZoneChanges(inZoneWith: zone, since: nil)
    return try changes.modificationResultsByID.values.map { try $0.get().record }
  }

  @Test("[mirror-37] entities of a configuration that is not mirrored stay on the device")
  func entitiesOfAConfiguration() async throws {
    let (post, draft) = (NSEntityDescription(), NSEntityDescription())
    (post.name, draft.name) = ("Post", "Draft")
    for entity in [post, draft] { entity.properties = [BlogModel.attribute("title", .string)] }
    let model = NSManagedObjectModel()
    model.entities = [post, draft]
    model.setEntities([post], forConfigurationName: "Cloud")
    model.setEntities([draft], forConfigurationName: "Local")
    let container = try LocalCloud.acting(
      as: "alice", device: "phone", root: cloud.path, container: TemporaryCloud.container
    ) { NSPersistentCloudKitContainer(name: "Split", managedObjectModel: model) }
    let mirrored = container.persistentStoreDescriptions[0]
    (mirrored.url, mirrored.configuration) = (url("cloud.sqlite"), "Cloud")
    let local = NSPersistentStoreDescription(url: url("local.sqlite"))
    local.configuration = "Local"
    container.persistentStoreDescriptions = [mirrored, local]
    #expect(load(container) == [nil, nil])
    #expect(container.engines.map { $0.store.url?.lastPathComponent } == ["cloud.sqlite"])
    try await container.change { context in
      context.add("Post", ["title": "Sent"])
      context.add("Draft", ["title": "Kept"])
    }
    await container.drain()
    #expect(try await records().map(\.recordType) == ["CD_Post"])
    let context = container.newBackgroundContext()
    let kept = try await context.perform {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Draft"))
    }
    #expect(kept == 1)
  }

  @Test(
    "[mirror-37] a mirrored store has a history without the option; remote changes need theirs"
  )
  func options() async throws {
    let container = try container()
    #expect(load(container) == [nil])
    let notifications = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil
    ) { [weak coordinator = container.persistentStoreCoordinator] note in
      if note.object as AnyObject === coordinator { notifications.withLock { $0 += 1 } }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try await container.change { $0.add("Post", ["title": "One"]) }
    await container.drain()
    let context = container.newBackgroundContext()
    try await context.perform {
      let update = NSBatchUpdateRequest(entityName: "Post")
      update.propertiesToUpdate = ["title": "Two"]
      try context.execute(update)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 2)
    }
    await container.drain()
    #expect(try await records().map { $0["CD_title"] as? String } == ["Two"])
    #expect(notifications.withLock { $0 } == 0)
  }

  @Test("of two containers of a process with one store, only the first mirrors it [mirror-18]")
  func oneStoreTwice() async throws {
    let (first, second) = (try container(), try container())
    #expect(load(first) == [nil])
    let errors = Mutex<[Int?]>([])
    let token = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification, object: second, queue: nil
    ) { note in
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      guard let event = note.userInfo?[key] as? NSPersistentCloudKitContainer.Event else { return }
      errors.withLock { $0.append(event.error.map { ($0 as NSError).code }) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    // The second container loads the store; the first one exports the changes of the second one's program.
    #expect(load(second) == [nil])
    #expect(errors.withLock { $0 } == [nil, 134_410])
    let store = try #require(second.persistentStoreCoordinator.persistentStores.first)
    await #expect {
      try await second.fetchParticipants(matching: [], into: store)
    } throws: {
      ($0 as NSError).code == 134_410
    }
    try await second.change { $0.add("Post", ["title": "Of the second"]) }
    repeat { await first.drain() } while try await records().isEmpty
    // After the first container has ended, another container can mirror the store.
    try second.end()
    try first.end()
    let third = try container()
    #expect(load(third) == [nil])
    try await third.change { $0.add("Post", ["title": "Of the third"]) }
    await third.drain()
    #expect(try await records().count == 2)
  }

  @Test("[mirror-26] [video-5] an object can be changed and deleted only in a store that can be modified")
  func objectCanBeChangedAndDeleted() async throws {
    let local = try container { $0.persistentStoreDescriptions[0].cloudKitContainerOptions = nil }
    #expect(load(local) == [nil])
    let context = local.newBackgroundContext()
    try await context.perform {
      let post = context.add("Post", ["title": "One"])
      // An object with a temporary identity.
      #expect(local.canUpdateRecord(forManagedObjectWith: post.objectID))
      #expect(local.canDeleteRecord(forManagedObjectWith: post.objectID))
      try context.save()
      #expect(local.canUpdateRecord(forManagedObjectWith: post.objectID))
      #expect(local.canDeleteRecord(forManagedObjectWith: post.objectID))
    }
    #expect(try local.fetchShares(in: nil).isEmpty)

    let reader = try container {
      $0.persistentStoreDescriptions[0].cloudKitContainerOptions = nil
      $0.persistentStoreDescriptions[0].isReadOnly = true
    }
    #expect(load(reader) == [nil])
    let store = try #require(reader.persistentStoreCoordinator.persistentStores.first)
    #expect(!reader.canModifyManagedObjects(in: store))
    let other = reader.newBackgroundContext()
    let id = try await other.perform {
      try #require(other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Post")).first).objectID
    }
    #expect(!reader.canUpdateRecord(forManagedObjectWith: id))
    #expect(!reader.canDeleteRecord(forManagedObjectWith: id))
    #expect(try reader.fetchShares(matching: [id]).isEmpty)
  }
}
