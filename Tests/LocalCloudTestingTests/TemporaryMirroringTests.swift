import CloudKit
import CoreData
import Foundation
import LocalCloud
import LocalCloudEmulator
import Testing

@Suite("Mirrorings in temporary clouds")
struct TemporaryMirroringTests {
  @Test("mirrorings of two people that are open when the body returns end before the cloud is removed")
  func openMirrorings() async throws {
    let (containers, folder) = try await LocalCloud.temporary(people: "ada", "ben", container: "iCloud.test") { cloud in
      let containers = try ["ada", "ben"].map { try container(of: $0, in: cloud) }
      let context = containers[0].newBackgroundContext()
      try await context.perform {
        let post = NSEntityDescription.insertNewObject(forEntityName: "Post", into: context)
        post.setValue("Milk", forKey: "title")
        try context.save()
      }
      let folder = cloud.root.deletingLastPathComponent()
      // Each has a mirroring, with its thread.
      #expect(FolderUsers.users(below: cloud.root.path).count >= 2)
      #expect(!FolderUsers.users(below: try cloud.stores(of: "ben").path).isEmpty)
      return (containers, folder)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    // A thread that runs a handler of the program writes nothing more, and ends after the handler.
    for _ in 0..<6000 where !FolderUsers.users(below: folder.path).isEmpty {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(FolderUsers.users(below: folder.path).isEmpty)
    withExtendedLifetime(containers) {}
  }

  private func container(of person: String, in cloud: LocalCloud.TemporaryCloud) throws -> NSPersistentCloudKitContainer
  {
    try cloud.acting(as: person) {
      let container = NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: Self.model)
      container.persistentStoreDescriptions[0].url = try cloud.stores(of: person).appendingPathComponent("posts.sqlite")
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      if let failure { throw failure }
      return container
    }
  }

  private static let model: NSManagedObjectModel = {
    let title = NSAttributeDescription()
    title.name = "title"
    title.type = .string
    title.isOptional = true
    let post = NSEntityDescription()
    post.name = "Post"
    post.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [post]
    return model
  }()
}
