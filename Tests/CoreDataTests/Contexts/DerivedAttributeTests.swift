import FaultInjection
import Foundation
import Testing

@testable import CoreData

@Suite("Derived attributes of objects")
struct DerivedAttributeTests {
  private let lists: Playlists
  private let context: NSManagedObjectContext

  init() throws {
    lists = try Playlists(model: Self.model)
    context = lists.context()
  }

  private static let model = PlaylistModel.make { entities in
    entities["Playlist"]?.properties += [
      derived("songCount", .integer64, "songs.@count"), derived("seconds", .integer64, "songs.@sum.seconds"),
      derived("plainName", .string, "canonical:(name)"), derived("savedAt", .date, "now()"),
    ]
    entities["Song"]?.properties += [
      derived("playlistName", .string, "playlist.name"), derived("loud", .string, "uppercase:(title)"),
      derived("labelCount", .integer16, "labels.@count"),
    ]
  }

  /// A required derived attribute is valid without a value: the save computes it. [coredata-valid-1]
  private static func derived(
    _ name: String, _ type: NSAttributeDescription.AttributeType, _ text: String
  ) -> NSAttributeDescription { BlogModel.derived(name, type, text, isOptional: false) }

  @Test("[object-derived-1] [object-derived-2] [object-derived-4] a save computes derived values")
  func saveComputesDerivedValues() throws {
    try context.performAndWait {
      let list = context.playlist("abc")
      list.name = "Été"
      for song in list.songs?.array as? [Song] ?? [] { song.seconds = 100 }
      list.setValue(77, forKey: "songCount")
      let start = Date()
      try context.save()
      #expect(list.value(forKey: "songCount") as? Int == 3)
      #expect(list.value(forKey: "seconds") as? Int == 300)
      #expect(list.value(forKey: "plainName") as? String == "ete")
      #expect(!list.hasChanges)
      let saved = try #require(list.value(forKey: "savedAt") as? Date)
      #expect(saved.timeIntervalSince(start) > -1)
      #expect(saved.timeIntervalSinceNow < 1)
      let song = try Song.titled("a", in: context)
      #expect(song.value(forKey: "loud") as? String == "A")
      #expect(song.value(forKey: "playlistName") as? String == "Été")
      // A refresh of this object shows the change of another object.
      list.name = "Hiver"
      song.addToLabels(Label(context: context))
      try context.save()
      #expect(song.value(forKey: "labelCount") as? Int == 1)
      #expect(song.value(forKey: "playlistName") as? String == "Hiver")
      let other = try Song.titled("b", in: context)
      #expect(other.value(forKey: "playlistName") as? String == "Été")
      #expect(!other.isUpdated)
      context.refresh(other, mergeChanges: true)
      #expect(other.value(forKey: "playlistName") as? String == "Hiver")
      context.delete(other)
      try context.save()
      #expect(list.value(forKey: "songCount") as? Int == 2)
      #expect(list.value(forKey: "seconds") as? Int == 200)
    }
  }

  @Test("[coredata-valid-1] a required derived attribute may be nil: the object is valid and is saved")
  func requiredWithoutValue() throws {
    try context.performAndWait {
      let song = Song(context: context)
      try song.validateForInsert()
      try context.save()
      #expect(song.value(forKey: "playlistName") == nil)
      #expect(!song.hasChanges)
      song.seconds = 3
      try song.validateForUpdate()
      try context.save()
      #expect(song.value(forKey: "playlistName") == nil)
    }
  }

  @Test("[object-derived-3] a computed change of a derived value causes no conflict")
  func computedChangeOfADerivedValueCauses() throws {
    try context.performAndWait {
      let list = context.playlist("ab")
      try context.save()
      let other = lists.context()
      let song = try Song.titled("a", in: other)
      song.seconds = 5
      list.name = "new"
      try context.save()
      try other.save()
      #expect(song.value(forKey: "playlistName") as? String == "new")
    }
  }

  @Test("[object-derived-2] fetch requests can filter and sort by derived attributes")
  func fetchRequestsCanFilterAndSort() throws {
    try context.performAndWait {
      for titles in ["abc", "d", "ef"] { _ = context.playlist(titles) }
      try context.save()
      let request = Playlist.all()
      request.predicate = NSPredicate(format: "songCount > 1")
      request.sortDescriptors = [NSSortDescriptor(key: "songCount", ascending: true)]
      #expect(try context.fetch(request).map(\.titles) == ["ef", "abc"])
      request.predicate = NSPredicate(format: "plainName == 'd'")
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test("[object-derived-5] a store with an unknown derivation expression is not opened")
  func storeWithAnUnknownDerivationExpression() throws {
    let model = PlaylistModel.make { entities in
      entities["Playlist"]?.properties.append(Self.derived("odd", .integer64, "songs.@avg.seconds"))
    }
    let folder = try TemporaryFolder()
    let error = #expect(throws: NSError.self) { try Playlists(folder, model: model) }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(
      error?.localizedFailureReason?.contains("Playlist.odd") == true
        || "\(String(describing: error))".contains("Playlist.odd"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/playlists.sqlite"))
  }

  @Test("[object-derived-1] a save of a child's objects computes derived values")
  func saveOfAChildsObjectsComputesDerived() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    try child.performAndWait {
      _ = child.playlist("abcd")
      try child.save()
    }
    try context.performAndWait {
      try context.save()
      let list = try context.fetch(Playlist.all()).first
      #expect(list?.value(forKey: "songCount") as? Int == 4)
    }
  }
}
