import Foundation
import Synchronization

/// A model, its stores, and a context for the user interface.
// Sendable: every stored property is a constant or guarded by a lock.
open class NSPersistentContainer: NSObject, _DefaultDirectoryOwner, @unchecked Sendable {
  private let containerName: String
  private let coordinator: NSPersistentStoreCoordinator
  private let main: NSManagedObjectContext
  private let descriptions: Mutex<[UncheckedSendable<NSPersistentStoreDescription>]>

  /// Makes a container for the model of that name: one of the program's, which the plugin `CoreDataModels` compiled, or
  /// a model file beside the program.
  ///
  /// - Difference: a model that is not found stops the process here, as the first use of the container does on Apple's
  ///   platforms.
  public convenience init(name: String) {
    guard let model = ManagedModels.model(named: name) else {
      raiseException(
        "Failed to load model named \(name): list its .xcdatamodeld under exclude: in the manifest, and the plugin "
          + "CoreDataModels under plugins:, or put the model beside the program.",
        name: "NSInternalInconsistencyException")
    }
    self.init(name: name, managedObjectModel: model)
  }

  /// Makes a container of a model, with one store that is named after the container.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    containerName = name
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.persistentStoreCoordinator = coordinator
    let url = Self.defaultDirectoryURL().appendingPathComponent(name + ".sqlite")
    descriptions = Mutex([UncheckedSendable(NSPersistentStoreDescription(url: url))])
    super.init()
  }

  /// The name, which the model and the store have, too.
  open var name: String { containerName }
  /// The context of the main queue.
  open var viewContext: NSManagedObjectContext { main }
  /// The model of all stores.
  open var managedObjectModel: NSManagedObjectModel { coordinator.managedObjectModel }
  /// What the contexts have their stores from.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }

  /// What ``loadPersistentStores(completionHandler:)`` opens; at first one store of the container's name.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription] {
    get { descriptions.withLock { $0.map(\.value) } }
    set {
      let wrapped = newValue.map { UncheckedSendable($0) }
      descriptions.withLock { $0 = wrapped }
    }
  }

  /// The folder for stores whose place the program does not choose. It is made if it is missing.
  ///
  /// - Difference: on Linux it is a folder of the program's name in `$XDG_DATA_HOME`, or else in `~/.local/share`, and in
  ///   it one for the device that the program acts as, if `LOCALCLOUD_ACCOUNT`, `LOCALCLOUD_DEVICE` or a scope chooses
  ///   one.
  @discardableResult
  open class func defaultDirectoryURL() -> URL { DefaultDirectory.url }

  /// Opens the stores. `block` is called once for each, with the error if it could not be opened; before this returns,
  /// unless its description says otherwise.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      coordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// A context with a queue of its own.
  @discardableResult
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Runs a block with a new context, on its queue.
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block with a new context, on its queue, and returns what it returns.
  public func performBackgroundTask<T, E>(
    isolation: isolated (any Actor)? = #isolation, _ block: @escaping (NSManagedObjectContext) throws(E) -> T
  ) async throws(E) -> T {
    let context = newBackgroundContext()
    return try await context.perform(isolation: isolation) { () throws(E) -> T in try block(context) }
  }
}
