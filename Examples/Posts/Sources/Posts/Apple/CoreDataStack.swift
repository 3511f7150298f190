import CloudKit
import CoreData

/// The two stores of a device: one mirrors the private database, with the user's own objects, and one the shared
/// database, with the objects that other users share.
class CoreDataStack {
  private let folder: URL?
  private(set) var privatePersistentStore: NSPersistentStore?
  private(set) var sharedPersistentStore: NSPersistentStore?
  /// The errors of stores that could not be opened.
  private(set) var loadErrors: [Error] = []

  /// Without a folder the stores are in the system's default folder.
  init(storesURL: URL? = nil) {
    folder = storesURL
    LocationTransformer.register()
  }

  lazy var persistentContainer: NSPersistentCloudKitContainer = {
    let container = NSPersistentCloudKitContainer(name: "Posts")
    let privateStoreDescription = container.persistentStoreDescriptions.first!
    let storesURL = folder ?? privateStoreDescription.url!.deletingLastPathComponent()
    privateStoreDescription.url = storesURL.appendingPathComponent("private.sqlite")
    privateStoreDescription.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    privateStoreDescription.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)

    let sharedStoreURL = storesURL.appendingPathComponent("shared.sqlite")
    let sharedStoreDescription = privateStoreDescription.copy() as! NSPersistentStoreDescription
    sharedStoreDescription.url = sharedStoreURL
    let containerIdentifier = privateStoreDescription.cloudKitContainerOptions!.containerIdentifier
    let sharedStoreOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: containerIdentifier)
    sharedStoreOptions.databaseScope = .shared
    sharedStoreDescription.cloudKitContainerOptions = sharedStoreOptions
    container.persistentStoreDescriptions.append(sharedStoreDescription)

    container.loadPersistentStores { [self] description, error in
      if let error {
        loadErrors.append(error)
        return
      }
      let store = container.persistentStoreCoordinator.persistentStore(for: description.url!)
      switch description.cloudKitContainerOptions?.databaseScope {
      case .shared?: sharedPersistentStore = store
      default: privatePersistentStore = store
      }
    }
    container.viewContext.transactionAuthor = "posts"
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    container.viewContext.automaticallyMergesChangesFromParent = true
    return container
  }()

  /// The container that the stores are mirrored to.
  var cloudKitContainer: CKContainer {
    let options = persistentContainer.persistentStoreDescriptions.first?.cloudKitContainerOptions
    return options.map { CKContainer(identifier: $0.containerIdentifier) } ?? CKContainer.default()
  }
}
