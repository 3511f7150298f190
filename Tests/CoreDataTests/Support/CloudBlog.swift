import CloudKit
import FaultInjection
import Foundation
import LocalCloud
import TestSupport
import Testing

@testable import CoreData

/// A device with the blog's private and shared stores, set up as in Apple's talk on sharing.
final class CloudBlog: @unchecked Sendable {
  let folder: TemporaryFolder
  let container: NSPersistentCloudKitContainer

  init(_ account: String?, _ device: String, in cloud: TemporaryCloud, folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    container = try LocalCloud.acting(
      as: account, device: device, root: cloud.path, container: TemporaryCloud.container
    ) {
      let container = NSPersistentCloudKitContainer(name: "Blog", managedObjectModel: CloudBlogModel.shared)
      let privateDescription = container.persistentStoreDescriptions[0]
      let folder = URL(fileURLWithPath: folder.path)
      privateDescription.url = folder.appendingPathComponent("private.sqlite")
      privateDescription.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      privateDescription.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
      let sharedDescription = try #require(privateDescription.copy() as? NSPersistentStoreDescription)
      sharedDescription.url = folder.appendingPathComponent("shared.sqlite")
      let identifier = try #require(privateDescription.cloudKitContainerOptions).containerIdentifier
      let options = NSPersistentCloudKitContainerOptions(containerIdentifier: identifier)
      options.databaseScope = .shared
      sharedDescription.cloudKitContainerOptions = options
      container.persistentStoreDescriptions.append(sharedDescription)
      var failure: (any Error)?
      container.loadPersistentStores { if let error = $1 { failure = error } }
      if let failure { throw failure }
      return container
    }
  }

  func context() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    return context
  }

  var privateStore: NSPersistentStore { container.persistentStoreCoordinator.persistentStores[0] }
  var sharedStore: NSPersistentStore { container.persistentStoreCoordinator.persistentStores[1] }

  /// Exports and imports until no work is left.
  func drain() async { for (_, engine) in container.engines { await engine.drain() } }

  func titles() async throws -> [String] {
    let context = container.newBackgroundContext()
    return try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Post")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "nil" }
    }
  }
}

/// Posts with tags and attachments, in a model that can be mirrored.
enum CloudBlogModel {
  static let shared: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    let (post, tag, attachment) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (post.name, tag.name, attachment.name) = ("Post", "Tag", "Attachment")
    let location = BlogModel.attribute("location", .string)
    location.allowsCloudEncryption = true
    let tags = BlogModel.relationship("tags", to: tag, isToMany: true, .nullifyDeleteRule)
    let posts = BlogModel.relationship("posts", to: post, isToMany: true, .nullifyDeleteRule)
    BlogModel.pair(tags, posts)
    let attachments = BlogModel.relationship("attachments", to: attachment, isToMany: true, .cascadeDeleteRule)
    let owner = BlogModel.relationship("post", to: post, isToMany: false, .nullifyDeleteRule)
    BlogModel.pair(attachments, owner)
    post.properties = [
      BlogModel.attribute("title", .string), BlogModel.attribute("content", .string), location, tags, attachments,
    ]
    tag.properties = [BlogModel.attribute("name", .string), posts]
    attachment.properties = [BlogModel.attribute("image", .binaryData), owner]
    model.entities = [post, tag, attachment]
    return model
  }()
}
