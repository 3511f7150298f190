import CoreData
import Foundation
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import Posts

/// Core Data stores of earlier versions, with the metadata of their mirroring.
@Suite("Stores that earlier versions wrote", .serialized)
struct StoresUpgradeTests {
  private func checkStores(_ state: FormerState, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try state.problems() == [], sourceLocation: sourceLocation)
    try expectSoundStores(in: state.path + "/stores", sourceLocation: sourceLocation)
  }

  /// - Parameter device: the name of the folder with the device's stores; nil for the account's recorded one.
  private func posts(
    _ state: FormerState, _ account: String, _ words: String..., device: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let folder = "\(state.path)/stores/\(device ?? account)"
    return try state.run(
      "Posts", words + ["--stores", folder, "--timeout", "60"], as: account, device: device,
      sourceLocation: sourceLocation)
  }

  @Test("a store without mirroring opens with its objects, saves, and is sound", arguments: FormerState.names("posts"))
  func withoutMirroring(name: String) throws {
    let state = try FormerState(name)
    try checkStores(state)
    let url = URL(fileURLWithPath: state.path + "/stores/alice/private.sqlite")
    LocationTransformer.register()
    let model = NSPersistentContainer(name: "Posts").managedObjectModel
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        type: .sqlite, at: url, options: [NSPersistentHistoryTrackingKey: true])
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        let request: NSFetchRequest<Post> = Post.fetchRequest()
        request.predicate = NSPredicate(format: "title == %@", "Beach")
        let beach = try #require(try context.fetch(request).first)
        #expect(beach.content == "Come to the beach")
        let tags = try #require(beach.tags?.allObjects as? [NSManagedObject])
        #expect(tags.map { $0.value(forKey: "name") as? String } == ["sea"])
        let attachment = try #require(beach.attachments?.allObjects.first as? NSManagedObject)
        let imageData = try #require(attachment.value(forKey: "imageData") as? ImageData)
        #expect(imageData.data == Data("sunset".utf8))
        beach.content = "changed"
        try context.save()
        context.reset()
        #expect(try context.fetch(request).first?.content == "changed")
      }
    }
    try checkStores(state)
  }

  @Test(
    "mirroring exports the unsent post, and imports and exports further changes",
    .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"), arguments: FormerState.names("posts"))
  func mirroring(name: String) throws {
    let state = try FormerState(name)
    // A save that is not sent yet and a post of another device, each with the metadata of the earlier version.
    _ = try posts(state, "alice", "edit", "Offline", "--content", "sent now", "--tag", "sea")
    #expect(try posts(state, "alice", "list") == ["Beach", "Offline", "Tablet"])
    #expect(try posts(state, "alice", "show", "Beach").contains("attachment: beach.jpg, 6 bytes"))
    #expect(try posts(state, "alice", "list", device: "tablet") == ["Beach", "Offline", "Tablet"])
    #expect(try posts(state, "alice", "show", "Offline", device: "tablet").contains("content: sent now"))
    _ = try posts(state, "alice", "delete", "Tablet", device: "tablet")
    #expect(try posts(state, "alice", "list") == ["Beach", "Offline"])
    try checkStores(state)
  }

  @Test(
    "a shared post goes both ways, until its owner stops sharing it",
    .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"), arguments: FormerState.names("shares"))
  func sharing(name: String) throws {
    let state = try FormerState(name)
    try checkStores(state)
    #expect(try posts(state, "bob", "list") == ["Beach  (shared)"])
    _ = try posts(state, "alice", "edit", "Beach", "--content", "No towels")
    #expect(try posts(state, "bob", "show", "Beach").contains("content: No towels"))
    _ = try posts(state, "bob", "edit", "Beach", "--tag", "sand")
    let shown = try posts(state, "alice", "show", "Beach")
    for line in ["content: No towels", "tags: sand", "bob: by link, accepted, may read and write"] {
      #expect(shown.contains(line), "\(shown)")
    }
    _ = try posts(state, "alice", "stop", "Beach")
    #expect(try posts(state, "bob", "list") == [])
    #expect(try posts(state, "alice", "list") == ["Beach"])
    try checkStores(state)
  }
}
