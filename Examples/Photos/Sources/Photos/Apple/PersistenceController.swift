import CloudKit
import CoreData
import Synchronization

/// The two stores of a device: one mirrors the private database, with the user's own photos, including those the user
/// shares. The other mirrors the shared database, with the photos that other users share.
final class PersistenceController: NSObject {
  /// The author of this app's transactions. In the history it distinguishes them from those of others, for example
  /// iCloud's.
  static let author = "Photos"

  private let folder: URL?
  let tokens: HistoryTokens
  private(set) var privatePersistentStore: NSPersistentStore?
  private(set) var sharedPersistentStore: NSPersistentStore?
  /// The errors of stores that could not be opened.
  private(set) var loadErrors: [Error] = []
  /// The history processed since the launch; on the task context's queue.
  var historyReports: [HistoryReport] = []

  /// State for the handlers of notifications. They run on any thread, also while the stores are loaded.
  struct Shared {
    /// The start of the last successful export and of the last successful import, by store.
    var lastExport: [String: Date] = [:]
    var lastImport: [String: Date] = [:]
    /// The context for processing history and merging duplicates. Nil before the stores are loaded.
    var taskContext: NSManagedObjectContext?
  }
  let shared = Mutex(Shared())

  /// Opens the stores in the folder, or without one in the system's default folder.
  init(storesURL: URL? = nil) {
    folder = storesURL
    let tokensURL = storesURL ?? NSPersistentContainer.defaultDirectoryURL()
    tokens = HistoryTokens(url: tokensURL.appendingPathComponent("tokens.plist"))
    super.init()
    let container = persistentContainer
    let context = container.newBackgroundContext()
    context.transactionAuthor = Self.author
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    shared.withLock { $0.taskContext = context }
    NotificationCenter.default.addObserver(
      self, selector: #selector(storeRemoteChange(_:)), name: .NSPersistentStoreRemoteChange,
      object: container.persistentStoreCoordinator)
  }

  lazy var persistentContainer: NSPersistentCloudKitContainer = {
    let container = NSPersistentCloudKitContainer(name: "Photos")
    let privateStoreDescription = container.persistentStoreDescriptions.first!
    let storesURL = folder ?? privateStoreDescription.url!.deletingLastPathComponent()
    privateStoreDescription.url = storesURL.appendingPathComponent("private.sqlite")
    privateStoreDescription.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    privateStoreDescription.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)

    let sharedStoreDescription = privateStoreDescription.copy() as! NSPersistentStoreDescription
    sharedStoreDescription.url = storesURL.appendingPathComponent("shared.sqlite")
    let containerIdentifier = privateStoreDescription.cloudKitContainerOptions!.containerIdentifier
    let sharedStoreOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: containerIdentifier)
    sharedStoreOptions.databaseScope = .shared
    sharedStoreDescription.cloudKitContainerOptions = sharedStoreOptions
    container.persistentStoreDescriptions.append(sharedStoreDescription)

    NotificationCenter.default.addObserver(
      self, selector: #selector(containerEventChanged(_:)),
      name: NSPersistentCloudKitContainer.eventChangedNotification, object: container)
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
    container.viewContext.transactionAuthor = Self.author
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    container.viewContext.automaticallyMergesChangesFromParent = true
    return container
  }()

  /// The container that the stores are mirrored to.
  var cloudKitContainer: CKContainer {
    let options = persistentContainer.persistentStoreDescriptions.first?.cloudKitContainerOptions
    return options.map { CKContainer(identifier: $0.containerIdentifier) } ?? CKContainer.default()
  }

  /// The zone of an object's record. An object that is not sent yet goes to the zone of the objects that it belongs to.
  func zoneID(of photo: Photo) -> CKRecordZone.ID {
    persistentContainer.recordID(for: photo.objectID)?.zoneID ?? Self.defaultZoneID
  }

  func zoneID(of tag: Tag) -> CKRecordZone.ID {
    if let zoneID = persistentContainer.recordID(for: tag.objectID)?.zoneID { return zoneID }
    for case let photo as Photo in tag.photos ?? NSSet() {
      if let zoneID = persistentContainer.recordID(for: photo.objectID)?.zoneID { return zoneID }
    }
    return Self.defaultZoneID
  }

  /// The zone of objects that are not shared.
  static let defaultZoneID = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
}
