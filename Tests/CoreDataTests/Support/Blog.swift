import CoreData
import FaultInjection
import Foundation

/// A container of ``BlogModel`` with one store in its own folder, which is removed with this object.
final class Blog: @unchecked Sendable {
  let folder: TemporaryFolder
  let container: NSPersistentContainer
  let url: URL

  init(_ folder: TemporaryFolder? = nil, options: [String: NSNumber] = [:]) throws {
    self.folder = try folder ?? TemporaryFolder()
    url = URL(fileURLWithPath: self.folder.path).appendingPathComponent("blog.sqlite")
    container = NSPersistentContainer(name: "Blog", managedObjectModel: BlogModel.shared)
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    for (key, value) in options { description.setOption(value, forKey: key) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  /// A new context with its own queue.
  func context() -> NSManagedObjectContext { container.newBackgroundContext() }

  var store: NSPersistentStore { container.persistentStoreCoordinator.persistentStores[0] }
}
