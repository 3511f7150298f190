import CoreData

/// The notes' way to switch synchronising off: the description has no container options. The listing is in a class, and
/// its closure is called.
class SwitchedOff {
  lazy var persistentContainer: NSPersistentCloudKitContainer = {
    let container = NSPersistentCloudKitContainer(name: "MyModel")
    guard let description = container.persistentStoreDescriptions.first else {
      fatalError("Failed to retrieve a persistent store description.")
    }
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    // The change that the notes describe, and the URL of the test's store.
    description.cloudKitContainerOptions = nil
    description.url = url
    container.loadPersistentStores { _, error in
      if let error = error as NSError? {
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    }
    container.viewContext.automaticallyMergesChangesFromParent = true
    return container
  }()

  let url: URL

  init(url: URL) { self.url = url }
}
