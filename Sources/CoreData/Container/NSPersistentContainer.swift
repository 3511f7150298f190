import Foundation
import Synchronization

/// A model, its stores, and a context for the user interface.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentContainer: NSObject, _DefaultDirectoryOwner, @unchecked Sendable {
  private let containerName: String
  private let coordinator: NSPersistentStoreCoordinator
  private let main: NSManagedObjectContext
  private let descriptions: Mutex<[UncheckedSendable<NSPersistentStoreDescription>]>

  /// Creates a container for the model of that name: a model of the program that the plugin `CoreDataModels` compiled,
  /// or a model file beside the program.
  ///
  /// - Difference: a model that is not found stops the process here; on Apple's platforms the first use of the
  ///   container does.
  public convenience init(name: String) {
    guard let model = ManagedModels.model(named: name) else {
      raiseException(
        "Failed to load model named \(name): list its .xcdatamodeld under exclude: in the manifest, and the plugin "
          + "CoreDataModels under plugins:, or put the model beside the program.",
        name: "NSInternalInconsistencyException")
    }
    self.init(name: name, managedObjectModel: model)
  }

  /// Creates a container of a model, with one store that is named after the container.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    containerName = name
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.persistentStoreCoordinator = coordinator
    let url = Self.defaultDirectoryURL().appendingPathComponent(name + ".sqlite")
    descriptions = Mutex([UncheckedSendable(NSPersistentStoreDescription(url: url))])
  }

  /// The name of the container, its model and its store.
  open var name: String { containerName }
  /// The context of the main queue.
  open var viewContext: NSManagedObjectContext { main }
  /// The model of all stores.
  open var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }
  /// The coordinator that the container's contexts use.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }

  /// The stores that ``loadPersistentStores(completionHandler:)`` opens. Initially one store with the container's name.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { descriptions.withLock { $0.map(\.value) } }
    set {
      let wrapped = newValue.map { UncheckedSendable($0) }
      descriptions.withLock { $0 = wrapped }
    }
  }

  /// The folder for stores if the program chooses no location. It is created if it is missing.
  ///
  /// - Difference: on Linux it is a folder with the program's name in `$XDG_DATA_HOME`, or in `~/.local/share` if the
  ///   variable is not set. If `LOCALCLOUD_ACCOUNT`, `LOCALCLOUD_DEVICE` or a scope chooses a device, it is a subfolder
  ///   for this device.
  @discardableResult
  open class func defaultDirectoryURL() -> URL { DefaultDirectory.url }

  /// Opens the stores. Calls `block` once for each description, with the error if its store could not be opened. All
  /// calls are made before this returns, except for descriptions that request asynchronous loading.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      coordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// Creates a context with its own queue.
  @discardableResult
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Runs a block with a new context, on the context's queue.
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block with a new context, on the context's queue, and returns the result of the block.
  ///
  /// - Throws: the error of the block.
  public func performBackgroundTask<T, E>(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping (NSManagedObjectContext) throws(E) -> T
  ) async throws(E) -> T {
    let context = newBackgroundContext()
    return try await context.perform(isolation: isolation) { () throws(E) -> T in try block(context) }
  }
}
