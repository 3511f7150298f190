import CoreData
import FaultInjection
import Foundation
import LocalCloud
import LocalCloudPlatform
import TestSupport

/// A device of Alice's with a store of posts. Posts belong to authors and have tags.
struct MirrorDevice {
  let container: NSPersistentCloudKitContainer

  init(_ name: String, in cloud: TemporaryCloud, isMirrored: Bool = true) throws {
    let folder = try Leftovers.folder(name)
    self = try Self(name, root: cloud.path, store: folder.path + "/private.sqlite", isMirrored: isMirrored)
  }

  /// Opens the store, and starts to mirror it if `isMirrored`.
  init(_ name: String, root: String, store: String, isMirrored: Bool = true) throws {
    container = try LocalCloud.acting(as: "alice", device: name, root: root, container: TemporaryCloud.container) {
      let container = NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: Self.model)
      let description = container.persistentStoreDescriptions[0]
      description.url = URL(fileURLWithPath: store)
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      if !isMirrored { description.cloudKitContainerOptions = nil }
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      if let failure { throw failure }
      return container
    }
  }

  func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Returns when everything is exported and imported.
  func drain() throws {
    let container = container
    try waiting { await container.drain() }
  }

  func count(_ entity: String) throws -> Int {
    let context = container.newBackgroundContext()
    return try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  func change(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try body(context)
      try context.save()
    }
  }

  /// Creates posts in batches: every tenth object is an author or a tag, each post has an author, and every fifth post
  /// has a tag.
  func fill(_ total: Int) throws {
    var made = 0
    while made < total {
      try autoreleasepool {
        try change { context in
          var (author, tag) = (context.add("Author", "Author \(made)"), context.add("Tag", "Tag \(made)"))
          for number in made..<min(made + 1_000, total) {
            switch number % 20 {
            case 0: author = number == made ? author : context.add("Author", "Author \(number)")
            case 10: tag = number == made + 10 ? tag : context.add("Tag", "Tag \(number)")
            default:
              let post = context.add("Post", "Post \(number)")
              post.setValue(author, forKey: "author")
              if number.isMultiple(of: 5) { post.setValue(Set([tag]), forKey: "tags") }
            }
          }
        }
      }
      made += 1_000
    }
  }

  private static let model: NSManagedObjectModel = {
    let (post, author, tag) = (entity("Post"), entity("Author"), entity("Tag"))
    let (written, by) = (relationship("posts", post, isToMany: true), relationship("author", author, isToMany: false))
    let (tags, tagged) = (relationship("tags", tag, isToMany: true), relationship("posts", post, isToMany: true))
    (written.inverseRelationship, by.inverseRelationship) = (by, written)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    post.properties += [by, tags]
    author.properties.append(written)
    tag.properties.append(tagged)
    let model = NSManagedObjectModel()
    model.entities = [post, author, tag]
    return model
  }()

  private static func entity(_ name: String) -> NSEntityDescription {
    let (entity, title) = (NSEntityDescription(), NSAttributeDescription())
    (title.name, title.type) = ("title", .string)
    entity.name = name
    entity.properties = [title]
    return entity
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, isToMany: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, destination)
    (relationship.maxCount, relationship.deleteRule) = (isToMany ? 0 : 1, .nullifyDeleteRule)
    return relationship
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func add(_ entity: String, _ title: String) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    object.setValue(title, forKey: "title")
    return object
  }
}
