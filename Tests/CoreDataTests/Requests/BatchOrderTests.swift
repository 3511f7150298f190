import CoreData
import Foundation
import Testing

@Suite("Batch requests and ordered relationships")
struct BatchOrderTests {
  @Test("[request-update-2] [request-delete-2] added objects become the last, removed ones leave no gap")
  func addedObjectsBecomeTheLastRemovedOnes() throws {
    let lists = try Playlists()
    let context = lists.context()
    try context.performAndWait {
      let (first, second) = (Playlist(context: context), Playlist(context: context))
      (first.name, second.name) = ("first", "second")
      let label = Label(context: context)
      for title in ["a", "b", "c", "d"] {
        let song = Song(context: context)
        song.title = title
        first.addToSongs(song)
        song.setValue(NSOrderedSet(object: label), forKey: "labels")
      }
      let other = Song(context: context)
      other.title = "x"
      second.addToSongs(other)
      try context.save()
      let (one, two) = (first.objectID, second.objectID)
      context.reset()
      func titles(_ id: NSManagedObjectID) throws -> String? {
        context.reset()
        return (try context.existingObject(with: id) as? Playlist)?.titles
      }
      let update = NSBatchUpdateRequest(entityName: "Song")
      update.predicate = NSPredicate(format: "title IN {'b', 'c'}")
      update.propertiesToUpdate = ["playlist": two]
      try context.execute(update)
      #expect(try titles(one) == "ad" && titles(two) == "xbc")
      // An object that is already in the list stays at its index.
      update.predicate = NSPredicate(format: "title IN {'x', 'a'}")
      try context.execute(update)
      #expect(try titles(one) == "d" && titles(two) == "xbca")
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
      fetch.predicate = NSPredicate(format: "title == 'b'")
      try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
      #expect(try titles(two) == "xca")
      let found = try context.fetch(NSFetchRequest<Label>(entityName: "Label")).first?.value(forKey: "songs")
      let labelled = try #require(found as? NSOrderedSet)
      #expect((labelled.array as? [Song])?.map(\.title) == ["a", "c", "d"])
      try context.execute(NSBatchDeleteRequest(objectIDs: [two]))
      let rest = try context.fetch(NSFetchRequest<Song>(entityName: "Song"))
      #expect(rest.map(\.title) == ["d"])
    }
  }
}
