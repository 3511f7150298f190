import CloudKit
import Foundation
import LocalCloud
import TestSupport
import Testing

@testable import CoreData

/// Helpers of tests for a program's container.
extension NSPersistentCloudKitContainer {
  /// Removes the stores, as at the end of the program.
  func end() throws {
    for store in persistentStoreCoordinator.persistentStores { try persistentStoreCoordinator.remove(store) }
  }

  /// Performs changes in a new context and saves them once.
  func change(_ body: @escaping (NSManagedObjectContext) throws -> Void) async throws {
    let context = newBackgroundContext()
    try await context.perform {
      try body(context)
      try context.save()
    }
  }
}

extension NSManagedObjectContext {
  /// The post with this title.
  func post(_ title: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Post")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try #require(try fetch(request).first)
  }
}

extension TemporaryCloud {
  /// A person's private database, accessed by plain CloudKit on a separate device.
  func plainDatabase(of account: String = "alice") throws -> CKDatabase {
    try LocalCloud.acting(as: account, device: "plain", root: path) {
      CKContainer(identifier: Self.container).privateCloudDatabase
    }
  }

  /// A program on Alice's phone with one store of this model in the folder.
  func posts(_ model: NSManagedObjectModel, in folder: String) throws -> NSPersistentCloudKitContainer {
    let container = try LocalCloud.acting(as: "alice", device: "phone", root: path, container: Self.container) {
      NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: model)
    }
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: folder + "/posts.sqlite")
    container.loadPersistentStores { #expect($1 == nil) }
    return container
  }
}
