import TestSupport
import Testing

@testable import CoreData

/// What tests do with a program's container.
extension NSPersistentCloudKitContainer {
  /// Ends the program.
  func end() throws {
    for store in persistentStoreCoordinator.persistentStores { try persistentStoreCoordinator.remove(store) }
  }

  /// One save.
  func change(_ body: @escaping (NSManagedObjectContext) throws -> Void) async throws {
    let context = newBackgroundContext()
    try await context.perform {
      try body(context)
      try context.save()
    }
  }
}

extension NSManagedObjectContext {
  /// The post with that title.
  func post(_ title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Post")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(try fetch(request).first)
  }
}
