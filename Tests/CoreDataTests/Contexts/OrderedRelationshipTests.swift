import CoreData
import FaultInjection
import Foundation
import Testing

@Suite("Ordered relationships")
struct OrderedRelationshipTests {
  private let lists: Playlists
  private let context: NSManagedObjectContext

  init() throws {
    lists = try Playlists()
    context = lists.context()
  }

  /// The titles of the list as a new context reads them.
  private func stored() throws -> String {
    let other = lists.context()
    return try other.performAndWait { try #require(try other.fetch(Playlist.all()).first).titles }
  }

  private func saved(_ titles: String) throws -> Playlist {
    let list = context.playlist(titles)
    try context.save()
    return list
  }

  @Test("[coredata-history-6] reordering is a change of the relationship in the history; the moved objects have none")
  func reorderingIsAChangeOfTheRelationship() throws {
    try context.performAndWait {
      let list = try saved("abc")
      let token = lists.container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
      let songs = try #require(list.songs?.array as? [Song])
      list.songs = NSOrderedSet(array: [songs[2], songs[0], songs[1]])
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      let changes = transactions.flatMap { $0.changes ?? [] }
      #expect(changes.map(\.changedObjectID) == [list.objectID])
      #expect(changes.map(\.changeType) == [.update])
      #expect(changes.first?.updatedProperties?.map(\.name) == ["songs"])
    }
  }

  @Test("[object-ordered-1] the context, the store and another coordinator retain the order")
  func contextTheStoreAndAnotherCoordinatorRetain() throws {
    try context.performAndWait {
      let list = context.playlist("cab")
      #expect(list.titles == "cab")
      #expect(list.value(forKey: "songs") is NSOrderedSet)
      try context.save()
      #expect(list.titles == "cab")
      #expect(try stored() == "cab")
      let songs = try #require(list.songs?.array as? [Song])
      list.songs = NSOrderedSet(array: Array(songs.sorted { ($0.title ?? "") < ($1.title ?? "") }))
      #expect(list.titles == "abc")
      #expect(list.changedValues().keys.elementsEqual(["songs"]))
      #expect((list.committedValues(forKeys: ["songs"])["songs"] as? NSOrderedSet)?.array as? [Song] == songs)
      try context.save()
      #expect(try stored() == "abc")
      context.refresh(list, mergeChanges: false)
      #expect(list.hasFault(forRelationshipNamed: "songs"))
      #expect(list.titles == "abc")
      #expect(list.objectIDs(forRelationshipNamed: "songs") == [songs[1], songs[2], songs[0]].map(\.objectID))
    }
    let again = try Playlists(lists.folder)
    let other = again.context()
    #expect(try other.performAndWait { try other.fetch(Playlist.all()).first?.titles } == "abc")
  }

  @Test("[object-ordered-2] an object added by either side becomes the last, also if the others are not read")
  func objectAddedByEitherSideBecomes() throws {
    try context.performAndWait {
      let list = try saved("ab")
      context.refresh(list, mergeChanges: false)
      context.song("c").playlist = list
      list.addToSongs(context.song("d"))
      #expect(list.hasFault(forRelationshipNamed: "songs"))
      try context.save()
      #expect(list.hasFault(forRelationshipNamed: "songs"))
      #expect(try stored() == "abcd")
      #expect(list.titles == "abcd")
      list.addToSongs(try Song.titled("a", in: context))
      #expect(list.titles == "abcd")
      // The order of the additions counts, not that of the insertions.
      let (e, f) = (context.song("e"), context.song("f"))
      list.addToSongs(NSOrderedSet(array: [f, e]))
      try context.save()
      #expect(list.titles == "abcdfe")
      #expect(try stored() == "abcdfe")
      // An object that is removed and added again becomes the last.
      let a = try Song.titled("a", in: context)
      a.playlist = nil
      #expect(list.titles == "bcdfe")
      a.playlist = list
      #expect(list.titles == "bcdfea")
      #expect(list.hasPersistentChangedValues)
      try context.save()
      #expect(try stored() == "bcdfea")
      context.refresh(list, mergeChanges: false)
      let b = try Song.titled("b", in: context)
      list.removeFromSongs(b)
      list.addToSongs(b)
      try context.save()
      #expect(try stored() == "cdfeab")
      let other = Playlist(context: context)
      b.playlist = other
      try context.save()
      #expect(list.titles == "cdfea")
      #expect(other.titles == "b")
    }
  }

  @Test("[object-ordered-2] the accessors by index change the relationship")
  func accessorsByIndexChangeTheRelationship() throws {
    try context.performAndWait {
      let list = try saved("abc")
      list.insertIntoSongs(context.song("x"), at: 0)
      list.insertIntoSongs([context.song("y"), context.song("z")], at: NSIndexSet(indexesIn: NSRange(1..<3)))
      #expect(list.titles == "xyzabc")
      let end = NSMutableIndexSet(index: 1)
      end.add(6)
      list.insertIntoSongs([context.song("p"), context.song("q")], at: end)
      #expect(list.titles == "xpyzabqc")
      try context.save()
      #expect(try stored() == "xpyzabqc")
      list.removeFromSongs(at: 1)
      let both = NSMutableIndexSet(index: 0)
      both.add(2)
      list.removeFromSongs(at: both)
      #expect(list.titles == "yabqc")
      list.replaceSongs(at: 2, with: context.song("B"))
      list.replaceSongs(at: NSIndexSet(indexesIn: NSRange(3..<5)), with: [context.song("Q"), context.song("C")])
      #expect(list.titles == "yaBQC")
      let y = try #require(list.songs?[0] as? Song)
      list.replaceSongs(at: 3, with: y)
      list.insertIntoSongs(y, at: 4)
      #expect(list.titles == "yaBQC")
      try context.save()
      #expect(try stored() == "yaBQC")
      #expect(try Song.titled("b", in: context).playlist == nil)
      list.removeFromSongs(y)
      list.removeFromSongs(NSOrderedSet(array: [try Song.titled("C", in: context)]))
      #expect(list.titles == "aBQ")
      #expect(y.playlist == nil)
    }
  }

  @Test("[object-ordered-1] a value of another type and [object-ordered-3] an index out of bounds stop the process")
  func valueOfAnotherTypeAndAnIndex() async {
    await #expect(processExitsWith: .failure) {
      let lists = try Playlists()
      let context = lists.context()
      context.playlist("a").setValue(NSSet(), forKey: "songs")
    }
    await #expect(processExitsWith: .failure) {
      let lists = try Playlists()
      let context = lists.context()
      let list = context.playlist("a")
      list.insertIntoSongs(context.song("b"), at: 2)
    }
    await #expect(processExitsWith: .failure) {
      let lists = try Playlists()
      let context = lists.context()
      context.playlist("a").removeFromSongs(at: 1)
    }
  }

  @Test("[object-ordered-4] reordering changes the list only")
  func reorderingChangesTheListOnly() throws {
    try context.performAndWait {
      let list = try saved("abc")
      let songs = try #require(list.songs)
      list.songs = NSOrderedSet(array: songs.array)
      #expect(list.hasChanges)
      #expect(!list.hasPersistentChangedValues)
      context.rollback()
      list.songs = songs.reversed
      #expect(list.hasPersistentChangedValues)
      #expect(context.updatedObjects == [list])
      let other = lists.context()
      let song = try #require(try other.fetch(Song.all()).first)
      song.seconds = 5
      try context.save()
      // The new position of the song in the list does not change the song's version.
      try other.save()
      #expect(try stored() == "cba")
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      let changes = transactions.dropFirst().map { $0.changes ?? [] }
      #expect(changes.map { $0.map(\.changedObjectID) } == [[list.objectID], [song.objectID]])
      #expect(changes[0][0].updatedProperties?.map(\.name) == ["songs"])
      list.songs = songs
      context.rollback()
      #expect(list.titles == "cba")
      #expect(!context.hasChanges)
    }
  }

  @Test("[object-ordered-5] a merge policy combines two orders and retains members that another context added")
  func mergePolicyCombinesTwoOrdersAndRetains() throws {
    try context.performAndWait {
      let list = try saved("abcd")
      let other = lists.context()
      other.automaticallyMergesChangesFromParent = false
      let copy = try #require(try other.fetch(Playlist.all()).first)
      #expect(copy.titles == "abcd")
      copy.insertIntoSongs(other.song("x"), at: 2)
      try other.save()
      #expect(copy.titles == "abxcd")
      list.songs = list.songs?.reversed
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(try stored() == "dcbxa")
      context.refresh(list, mergeChanges: true)
      #expect(list.titles == "dcbxa")
      // A list that is merged before the save also keeps the local order.
      other.refreshAllObjects()
      copy.songs = NSOrderedSet(
        array: ((copy.songs?.array as? [Song]) ?? []).sorted { ($0.title ?? "") < ($1.title ?? "") })
      copy.addToSongs(other.song("z"))
      #expect(copy.titles == "abcdxz")
      list.insertIntoSongs(context.song("y"), at: 0)
      list.addToSongs(context.song("w"))
      context.delete(try Song.titled("c", in: context))
      try context.save()
      #expect(try stored() == "ydbxaw")
      other.refresh(copy, mergeChanges: true)
      #expect(copy.titles == "yabdxzw" || copy.titles == "yawbdxz", "\(copy.titles)")
      let merged = copy.titles
      try other.save()
      #expect(try stored() == merged)
    }
  }

  @Test("[object-delete-1] deleting members or the list updates the store")
  func deletingMembersOrTheListUpdates() throws {
    try context.performAndWait {
      let list = try saved("abc")
      context.delete(try Song.titled("b", in: context))
      context.processPendingChanges()
      #expect(list.titles == "ac")
      try context.save()
      #expect(try stored() == "ac")
      context.delete(list)
      try context.save()
      #expect(try context.count(for: Song.all()) == 0)
    }
  }

  @Test("[coredata-valid-3] a required to-many relationship may be empty, ordered or not, also of a subentity")
  func requiredAndEmpty() throws {
    let model = PlaylistModel.make { entities in
      for entity in entities.values {
        for relationship in entity.relationshipsByName.values where relationship.isToMany {
          relationship.isOptional = false
        }
      }
    }
    let lists = try Playlists(model: model)
    let context = lists.context()
    try context.performAndWait {
      let list = context.playlist("a")
      try context.save()
      list.addToSongs(context.song("b"))
      try context.save()
      while list.songs?.count != 0 { list.removeFromSongs(at: 0) }
      try context.save()
    }
  }

  @Test("[coredata-valid-3] an ordered relationship's counts are validated")
  func orderedRelationshipsCountsAreValidated() throws {
    let model = PlaylistModel.make { entities in
      let songs = entities["Playlist"]?.relationshipsByName["songs"]
      songs?.minCount = 2
      songs?.maxCount = 3
      songs?.isOptional = false
    }
    let lists = try Playlists(model: model)
    let context = lists.context()
    context.performAndWait {
      let list = context.playlist("a")
      let few = #expect(throws: NSError.self) { try context.save() }
      #expect(few?.code == NSValidationRelationshipLacksMinimumCountError)
      for title in ["b", "c", "d"] { list.addToSongs(context.song(title)) }
      let many = #expect(throws: NSError.self) { try context.save() }
      #expect(many?.code == NSValidationRelationshipExceedsMaximumCountError)
      list.removeFromSongs(at: 0)
      #expect(throws: Never.self) { try context.save() }
    }
  }

  @Test("[object-ordered-6] a many-to-many relationship is ordered on both sides")
  func manyToMany() throws {
    try context.performAndWait {
      let (a, b, c) = (context.song("a"), context.song("b"), context.song("c"))
      let (red, blue) = (Label(context: context), Label(context: context))
      (red.name, blue.name) = ("red", "blue")
      red.songs = NSOrderedSet(array: [c, a, b])
      a.labels = NSOrderedSet(array: [blue, red])
      #expect(blue.titles == "a")
      #expect(red.titles == "cab")
      try context.save()
      let other = lists.context()
      let copy = try Song.titled("a", in: other)
      #expect((copy.labels?.array as? [Label])?.map(\.name) == ["blue", "red"])
      let label = try #require(copy.labels?[1] as? Label)
      #expect(label.titles == "cab")
      label.songs = label.songs?.reversed
      try Song.titled("c", in: other).addToLabels(try #require(copy.labels?[0] as? Label))
      try other.save()
      context.refreshAllObjects()
      #expect(red.titles == "bac")
      #expect(blue.titles == "ac")
      #expect((a.labels?.array as? [Label]) == [blue, red])
      context.delete(a)
      try context.save()
      #expect(red.titles == "bc")
      #expect(blue.titles == "c")
    }
  }

  @Test("[object-child-4] a child's order reaches its parent and the store")
  func childsOrderReachesItsParent() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    let id = try context.performAndWait { try saved("abc").objectID }
    let copy = try child.performAndWait {
      let copy = try #require(child.object(with: id) as? Playlist)
      #expect(copy.titles == "abc")
      // The second song is added first.
      let (x, y) = (child.song("x"), child.song("y"))
      copy.addToSongs(NSOrderedSet(array: [y, x]))
      copy.songs = copy.songs?.reversed
      return copy
    }
    let song = context.performAndWait {
      let song = context.song("p")
      (context.object(with: id) as? Playlist)?.insertIntoSongs(song, at: 1)
      return song
    }
    try child.performAndWait {
      try child.save()
      #expect(copy.titles == "xycba")
    }
    try context.performAndWait {
      #expect((context.object(with: id) as? Playlist)?.titles == "xycbap")
      #expect(song.playlist != nil)
      try context.save()
      #expect(try stored() == "xycbap")
    }
    try child.performAndWait {
      child.refresh(copy, mergeChanges: true)
      #expect(copy.titles == "xycbap")
      let new = child.playlist("mn")
      new.insertIntoSongs(child.song("o"), at: 0)
      try child.save()
      child.reset()
    }
    try context.performAndWait {
      let request = Playlist.all()
      request.predicate = NSPredicate(format: "name == 'mn'")
      let new = try context.fetch(request).first
      #expect(new?.titles == "omn")
    }
  }

  @Test("another context takes a new order when it merges")
  func anotherContextTakesANewOrder() throws {
    let other = lists.context()
    other.automaticallyMergesChangesFromParent = true
    try context.performAndWait { _ = try saved("abc") }
    let copy = try other.performAndWait { try #require(try other.fetch(Playlist.all()).first) }
    other.performAndWait { #expect(copy.titles == "abc") }
    try context.performAndWait {
      let list = try #require(try context.fetch(Playlist.all()).first)
      list.songs = list.songs?.reversed
      try context.save()
    }
    other.performAndWait { #expect(copy.titles == "cba") }
  }
}
