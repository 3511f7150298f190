import CloudKit
import Foundation
import LocalCloud
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

extension TemporaryCloud {
  /// A person's private database, as plain CloudKit has it on a device of its own.
  func plainDatabase(of account: String = "alice") throws -> CKDatabase {
    try LocalCloud.acting(as: account, device: "plain", root: path) {
      CKContainer(identifier: Self.container).privateCloudDatabase
    }
  }

  /// A program of alice's phone with one store of that model in the folder.
  func posts(_ model: NSManagedObjectModel, in folder: String) throws -> NSPersistentCloudKitContainer {
    let container = try LocalCloud.acting(as: "alice", device: "phone", root: path, container: Self.container) {
      NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: model)
    }
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: folder + "/posts.sqlite")
    container.loadPersistentStores { #expect($1 == nil) }
    return container
  }
}
