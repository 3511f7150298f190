import CloudKit
import CoreData
import Synchronization

/// The two stores of a device: one mirrors the private database, with one's own photos, also those one shares, and one
/// the shared database, with what others share.
final class PersistenceController: NSObject {
  /// Who writes in this app; what others write, iCloud among them, is found in the history by it.
  static let author = "Photos"

  private let folder: URL?
  let tokens: HistoryTokens
  private(set) var privatePersistentStore: NSPersistentStore?
  private(set) var sharedPersistentStore: NSPersistentStore?
  /// Why stores could not be opened.
  private(set) var loadErrors: [Error] = []
  /// What history was processed since the launch; on the task context's queue.
  var historyReports: [HistoryReport] = []

  /// Known to the handlers of notifications, which come on any thread, also while the stores are loaded.
  struct Shared {
    /// When the last export and the last import that succeeded began, by store.
    var lastExport: [String: Date] = [:]
    var lastImport: [String: Date] = [:]
    /// In it history is processed, and duplicates are merged. There is none before the stores are loaded.
    var taskContext: NSManagedObjectContext?
  }
  let shared = Mutex(Shared())

  /// Opens the stores in the folder, or where the system puts them.
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

  /// The container in which the stores are mirrored.
  var cloudKitContainer: CKContainer {
    let options = persistentContainer.persistentStoreDescriptions.first?.cloudKitContainerOptions
    return options.map { CKContainer(identifier: $0.containerIdentifier) } ?? CKContainer.default()
  }

  /// The zone that an object's record is in. An object that is not sent yet goes where what it belongs to is.
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

  /// The zone of what is not shared.
  static let defaultZoneID = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
}
