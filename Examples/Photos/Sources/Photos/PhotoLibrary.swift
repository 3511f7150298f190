import CloudKit
import CoreData

/// The operations on photos: they change the stores of this device, and mirroring copies the changes to iCloud.
///
/// The code is that of an app and does not depend on the cloud being a folder.
struct PhotoLibrary {
  let persistence: PersistenceController
  let monitor: SyncMonitor
  let privateStore: NSPersistentStore
  let sharedStore: NSPersistentStore

  var container: NSPersistentCloudKitContainer { persistence.persistentContainer }
  var context: NSManagedObjectContext { container.viewContext }

  /// Opens the stores in the folder, or where the system puts them.
  init(storesURL: URL?, seconds: Double) throws {
    monitor = SyncMonitor(seconds: seconds)
    persistence = PersistenceController(storesURL: storesURL)
    if let error = persistence.loadErrors.first { throw error }
    guard let privateStore = persistence.privatePersistentStore, let sharedStore = persistence.sharedPersistentStore
    else { throw PhotosError.noStore }
    (self.privateStore, self.sharedStore) = (privateStore, sharedStore)
  }

  /// Fetches changes from iCloud, sends the unsent changes of this device, and processes both.
  func catchUp() async throws {
    for store in [privateStore, sharedStore] {
      try await monitor.wait(for: .import, of: store, since: .launch)
      try await monitor.wait(for: .export, of: store, since: .launch)
    }
    await persistence.processHistory()
    try await monitor.waitForExport(of: privateStore, since: .launch)
  }

  /// Changes objects, saves, and waits until the change is in iCloud.
  @discardableResult
  func change<Result>(_ body: @escaping () throws -> Result) async throws -> Result {
    let mark = monitor.mark
    let (result, stores) = try await context.perform {
      do {
        let result = try body()
        let objects = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
        if context.hasChanges { try context.save() }
        return (result, Set(objects.compactMap { $0.objectID.persistentStore }))
      } catch {
        context.rollback()
        throw error
      }
    }
    for store in stores { try await monitor.waitForExport(of: store, since: mark) }
    return result
  }

  // MARK: Photos

  func add(_ data: Data, title: String, tags: [String]) async throws {
    try await change {
      let photo = Photo(context: context)
      context.assign(photo, to: privateStore)
      (photo.title, photo.added, photo.uniqueName) = (title, Date(), UUID().uuidString)
      setData(data, Picture(data)?.thumbnail, of: photo)
      for name in tags { try addTag(name, to: photo) }
    }
  }

  func delete(_ title: String) async throws {
    try await change {
      let photo = try photo(titled: title)
      guard container.canDeleteRecord(forManagedObjectWith: photo.objectID) else {
        throw PhotosError.mayNotDelete(title)
      }
      context.delete(photo)
    }
  }

  func rate(_ title: String, _ value: Int16) async throws {
    try await change {
      let photo = try editablePhoto(titled: title)
      let rating = make(Rating.self, beside: photo)
      (rating.value, rating.photo) = (value, photo)
    }
  }

  func tag(_ title: String, _ name: String) async throws {
    try await change { try addTag(name, to: try editablePhoto(titled: title)) }
  }

  func untag(_ title: String, _ name: String) async throws {
    try await change {
      let photo = try editablePhoto(titled: title)
      let tags = (photo.tags?.allObjects ?? []).compactMap { $0 as? Tag }.filter { $0.name == name }
      guard !tags.isEmpty else { throw PhotosError.noTag(name, title: title) }
      for tag in tags { photo.removeFromTags(tag) }
    }
  }

  func data(of title: String) async throws -> Data {
    try await context.perform { try photo(titled: title).photoData?.data ?? Data() }
  }

  /// The photo of that title, the user's own before those of others. To be called on the context's queue.
  func photo(titled title: String) throws -> Photo {
    let photos = try photos(NSPredicate(format: "title == %@", title))
    guard let photo = photos.first(where: { $0.objectID.persistentStore == privateStore }) ?? photos.first else {
      throw PhotosError.noPhoto(title)
    }
    return photo
  }

  private func editablePhoto(titled title: String) throws -> Photo {
    let photo = try photo(titled: title)
    guard container.canUpdateRecord(forManagedObjectWith: photo.objectID) else { throw PhotosError.mayNotEdit(title) }
    return photo
  }

  /// Photos by title; those of all stores, or of one.
  func photos(_ predicate: NSPredicate? = nil, in store: NSPersistentStore? = nil) throws -> [Photo] {
    let request: NSFetchRequest<Photo> = Photo.fetchRequest()
    request.predicate = predicate
    request.affectedStores = store.map { [$0] }
    request.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: true), NSSortDescriptor(key: "added", ascending: true),
    ]
    return try context.fetch(request)
  }

  /// All tags, by name. Of tags with the same name, the first is the one that the others were merged into.
  func tags(named name: String? = nil, in store: NSPersistentStore? = nil) throws -> [Tag] {
    let request: NSFetchRequest<Tag> = Tag.fetchRequest()
    request.predicate = name.map { NSPredicate(format: "name == %@", $0) }
    request.affectedStores = store.map { [$0] }
    request.sortDescriptors = [
      NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "uuid", ascending: true),
    ]
    return try context.fetch(request)
  }

  // MARK: Details of a photo

  /// Makes an object in the photo's store, because related objects must be in the same store.
  func make<Object: NSManagedObject>(_ type: Object.Type, beside photo: Photo) -> Object {
    let object = Object(context: context)
    context.assign(object, to: photo.objectID.persistentStore ?? privateStore)
    return object
  }

  func setData(_ data: Data?, _ thumbnail: Data?, of photo: Photo) {
    let photoData = make(PhotoData.self, beside: photo)
    (photoData.data, photoData.photo) = (data, photo)
    guard let thumbnail else { return }
    let object = make(Thumbnail.self, beside: photo)
    (object.data, object.photo) = (thumbnail, photo)
  }

  /// If several photos have the same tag object, sharing one of them shares all of them. So a photo gets the tag of
  /// that name from its own zone, or a new one.
  func addTag(_ name: String, to photo: Photo) throws {
    let store = photo.objectID.persistentStore ?? privateStore
    let zoneID = persistence.zoneID(of: photo)
    let known = try tags(named: name, in: store).first { persistence.zoneID(of: $0) == zoneID }
    photo.addToTags(known ?? makeTag(name, beside: photo))
  }

  func makeTag(_ name: String, beside photo: Photo) -> Tag {
    let tag = make(Tag.self, beside: photo)
    (tag.name, tag.uuid) = (name, UUID())
    return tag
  }
}
