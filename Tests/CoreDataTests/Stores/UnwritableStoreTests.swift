import Foundation
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("Stores without write permission")
struct UnwritableStoreTests {
  /// A file system with files that can only be opened for reading. `code`: the error of any other call.
  private static func fileSystem(_ code: Int32) -> FileSystem {
    let opened = Mutex<Set<String>>([])
    return FileSystem(observing: .allCalls) { call in
      switch call {
      case .openFile(let path) where path.hasSuffix("/log") || path.hasSuffix("/index"):
        // The store opens the file for writing first, and then for reading.
        opened.withLock { $0.insert(path).inserted } ? .fail(code) : .proceed
      case .syncFile, .syncDirectory, .syncFileSystem: .proceed
      default: call.changesTree ? .fail(code) : .proceed
      }
    }
  }

  @Test(
    "[stores-22] an unwritable store is read; a save is error 513 with the file, and the change stays",
    arguments: [SystemError.readOnly, SystemError.accessDenied])
  func unwritableStoreIsRead(_ code: Int32) throws {
    let blog = try Blog()
    let writer = blog.context()
    try writer.performAndWait {
      Post(context: writer).title = "One"
      try writer.save()
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BlogModel.shared)
    coordinator.fileSystem = Self.fileSystem(code)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: blog.url)
    #expect(!store.isReadOnly)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let post = try #require(try context.fetch(Post.all()).first)
      #expect(post.title == "One")
      post.title = "Two"
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == 513)
      #expect((error.userInfo[NSFilePathErrorKey] as? String)?.hasPrefix(blog.url.path) == true)
      #expect(error.userInfo[NSURLErrorKey] as? URL == blog.url)
      #expect(error.localizedDescription == "You don’t have permission to save the store “blog.sqlite”.")
      #expect(post.hasChanges)
      #expect(post.title == "Two")
    }
  }
}
