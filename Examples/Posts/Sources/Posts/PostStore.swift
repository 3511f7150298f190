import CloudKit
import CoreData
import CoreLocation

/// The operations on posts: they change the stores of this device, and mirroring copies the changes to iCloud.
///
/// The code is that of an app and does not depend on the cloud being a folder.
struct PostStore {
  let stack: CoreDataStack
  let monitor: SyncMonitor
  let privateStore: NSPersistentStore
  let sharedStore: NSPersistentStore

  var container: NSPersistentCloudKitContainer { stack.persistentContainer }
  var context: NSManagedObjectContext { container.viewContext }

  /// Opens the stores in the folder, or without one in the system's default folder.
  init(storesURL: URL?, seconds: Double) throws {
    monitor = SyncMonitor(seconds: seconds)
    stack = CoreDataStack(storesURL: storesURL)
    _ = stack.persistentContainer
    if let error = stack.loadErrors.first { throw error }
    guard let privateStore = stack.privatePersistentStore, let sharedStore = stack.sharedPersistentStore else {
      throw PostsError.noStore
    }
    (self.privateStore, self.sharedStore) = (privateStore, sharedStore)
  }

  // MARK: Posts

  func add(_ draft: PostDraft) async throws {
    let mark = monitor.mark
    try await context.perform {
      let post = Post(context: context)
      context.assign(post, to: privateStore)
      try apply(draft, to: post)
      try context.save()
    }
    try await monitor.waitForExport(of: privateStore, since: mark)
  }

  func edit(_ title: String, _ draft: PostDraft) async throws {
    let mark = monitor.mark
    let store = try await context.perform {
      let post = try post(titled: title)
      guard stack.canEdit(object: post) else { throw PostsError.mayNotEdit(title, owner: owner(of: post)) }
      try apply(draft, to: post)
      guard context.hasChanges else { return nil as NSPersistentStore? }
      try context.save()
      return post.objectID.persistentStore
    }
    if let store { try await monitor.waitForExport(of: store, since: mark) }
  }

  func delete(_ title: String) async throws {
    let mark = monitor.mark
    let store = try await context.perform {
      let post = try post(titled: title)
      guard stack.canDelete(object: post) else { throw PostsError.mayNotDelete(title, owner: owner(of: post)) }
      let store = post.objectID.persistentStore
      context.delete(post)
      try context.save()
      return store
    }
    if let store { try await monitor.waitForExport(of: store, since: mark) }
  }

  /// The post of that title, the user's own before those of others. To be called on the context's queue.
  func post(titled title: String) throws -> Post {
    let request: NSFetchRequest<Post> = Post.fetchRequest()
    request.predicate = NSPredicate(format: "title == %@", title)
    let posts = try context.fetch(request)
    guard let post = posts.first(where: { $0.objectID.persistentStore == privateStore }) ?? posts.first else {
      throw PostsError.noPost(title)
    }
    return post
  }

  private func owner(of post: Post) -> String {
    stack.participants(for: post).first { $0.role == .owner }?.name ?? "its owner"
  }

  // MARK: Details of a post

  private func apply(_ draft: PostDraft, to post: Post) throws {
    if let title = draft.title { post.title = title }
    if let content = draft.content { post.content = content }
    if let location = draft.location {
      post.location = CLLocation(latitude: location.latitude, longitude: location.longitude)
    }
    for name in draft.tags {
      let tag = try tag(named: name, for: post)
      if post.tags?.contains(tag) != true { post.addToTags(tag) }
    }
    for image in draft.images {
      let attachment = make(Attachment.self, beside: post)
      let imageData = make(ImageData.self, beside: post)
      imageData.data = image.data
      (attachment.name, attachment.imageData, attachment.post) = (image.name, imageData, post)
    }
  }

  /// Makes an object in the post's store, because related objects must be in the same store.
  func make<Object: NSManagedObject>(_ type: Object.Type, beside post: Post) -> Object {
    let object = Object(context: context)
    context.assign(object, to: post.objectID.persistentStore ?? privateStore)
    return object
  }

  /// If several posts have the same tag object, sharing one of them shares all of them, and objects that are shared
  /// together are in one zone. So a post gets the tag of that name from its own zone, or a new one.
  private func tag(named name: String, for post: Post) throws -> Tag {
    let request: NSFetchRequest<Tag> = Tag.fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", name)
    request.affectedStores = [post.objectID.persistentStore ?? privateStore]
    let zone = zoneID(of: post)
    if let tag = try context.fetch(request).first(where: { zoneID(of: $0) == zone }) { return tag }
    let tag = make(Tag.self, beside: post)
    tag.name = name
    return tag
  }

  /// The zone of the share that the object is in; nil if it is in none.
  func zoneID(of object: NSManagedObject) -> CKRecordZone.ID? {
    guard !object.objectID.isTemporaryID else { return nil }
    return try? container.fetchShares(matching: [object.objectID])[object.objectID]?.recordID.zoneID
  }
}

/// The properties of a post that a command gives.
struct PostDraft {
  var title: String?
  var content: String?
  var location: (latitude: Double, longitude: Double)?
  var tags: [String] = []
  var images: [(name: String, data: Data)] = []
}
