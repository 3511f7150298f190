import FaultInjection
import Foundation
import LocalCloudObjectStore
import Testing

@testable import CoreData

/// Batch requests update derived attributes on both sides of relationships.
@Suite("Batch requests and derived attributes")
struct BatchDerivedTests {
  private let lists: Playlists
  private let context: NSManagedObjectContext

  init() throws {
    lists = try Playlists(model: Self.model)
    context = lists.context()
  }

  private static let model = PlaylistModel.make { entities in
    let weight = BlogModel.attribute("weight", .double, default: 0)
    let code = BlogModel.attribute("code", .string)
    entities["Song"]?.properties += [
      weight, code, BlogModel.derived("playlistName", .string, "playlist.name"),
      BlogModel.derived("loud", .string, "uppercase:(title)"),
      BlogModel.derived("labelCount", .integer16, "labels.@count"), BlogModel.derived("savedAt", .date, "now()"),
    ]
    entities["Song"]?.uniquenessConstraints = [["code"]]
    entities["Playlist"]?.properties += [
      BlogModel.derived("songCount", .integer64, "songs.@count"),
      BlogModel.derived("seconds", .integer64, "songs.@sum.seconds"),
      BlogModel.derived("weight", .double, "songs.@sum.weight"),
      BlogModel.derived("plainName", .string, "canonical:(name)"),
    ]
    entities["Label"]?.properties += [
      BlogModel.derived("songCount", .integer32, "songs.@count"),
      BlogModel.derived("seconds", .integer64, "songs.@sum.seconds"),
    ]
  }

  /// The derived attributes with a wrong value, each with its value and the expected one.
  private func wrong() throws -> [String] {
    let context = lists.context()
    return try context.performAndWait {
      var wrong: [String] = []
      func compare(_ object: NSManagedObject, _ key: String, _ expected: NSObject?) {
        let value = object.value(forKey: key) as? NSObject
        if value != expected {
          wrong.append("\(object.objectID.uriRepresentation()) \(key): \(value as Any), not \(expected as Any)")
        }
      }
      for list in try context.fetch(Playlist.all()) {
        let songs = (list.songs?.array as? [Song] ?? []).sorted { $0.number < $1.number }
        compare(list, "songCount", songs.count as NSNumber)
        compare(list, "seconds", songs.reduce(0) { $0 + Int64($1.seconds) } as NSNumber)
        compare(list, "weight", songs.reduce(0.0) { $0 + ($1.value(forKey: "weight") as? Double ?? 0) } as NSNumber)
        compare(list, "plainName", list.name.map { PlainText.of($0) as NSString })
      }
      for song in try context.fetch(Song.all()) {
        compare(song, "playlistName", song.playlist?.name.map { $0 as NSString })
        compare(song, "loud", song.title.map { $0.uppercased() as NSString })
        compare(song, "labelCount", (song.labels?.count ?? 0) as NSNumber)
      }
      for label in try context.fetch(Label.all()) {
        let songs = label.songs?.array as? [Song] ?? []
        compare(label, "songCount", songs.count as NSNumber)
        compare(label, "seconds", songs.reduce(0) { $0 + Int64($1.seconds) } as NSNumber)
      }
      return wrong
    }
  }

  private enum PlainText {
    static func of(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
  }

  /// Saves the lists "abc" and "de" with songs that have labels.
  private func fill() throws {
    try context.performAndWait {
      let labels = (0..<3).map { number in
        let label = Label(context: context)
        label.name = "label \(number)"
        return label
      }
      for titles in ["abc", "de"] {
        for (index, song) in (context.playlist(titles).songs?.array as? [Song] ?? []).enumerated() {
          song.seconds = Int32(10 + index)
          song.setValue(0.1 * Double(index + 1), forKey: "weight")
          song.setValue("code \(song.title ?? "")", forKey: "code")
          for label in labels.dropFirst(index) { song.addToLabels(label) }
        }
      }
      try context.save()
    }
    #expect(try wrong() == [])
  }

  private func update(
    _ entity: String, _ values: [AnyHashable: Any], _ condition: String, _ arguments: Any...
  ) throws {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.propertiesToUpdate = values
    request.predicate = NSPredicate(format: condition, argumentArray: arguments)
    try context.execute(request)
  }

  private func delete(_ entity: String, _ condition: String) throws {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    request.predicate = NSPredicate(format: condition)
    try context.execute(NSBatchDeleteRequest(fetchRequest: request))
  }

  private func insert(_ entity: String, _ objects: [[String: Any]]) throws {
    try context.execute(NSBatchInsertRequest(entityName: entity, objects: objects))
  }

  private func number(_ key: String, of titles: String) throws -> NSNumber? {
    let request = Playlist.all()
    request.predicate = NSPredicate(format: "name == %@", titles)
    context.reset()
    return try context.fetch(request).first?.value(forKey: key) as? NSNumber
  }

  @Test("[request-any-4] after updates, derived values of the objects and of their related objects are right")
  func afterUpdatesDerivedValuesOfTheObjects() throws {
    try fill()
    try context.performAndWait {
      try update("Song", ["seconds": _NSExpression(format: "seconds + 1"), "title": "X"], "title IN {'a', 'b', 'e'}")
      #expect(try wrong() == [] && number("seconds", of: "abc") == 35)
      try update("Song", ["weight": NSNull(), "seconds": NSNull()], "title == 'X'")
      #expect(try wrong() == [] && number("seconds", of: "abc") == 12)
      let lists = try context.fetch(Playlist.all())
      let de = try #require(lists.first { $0.name == "de" })
      try update("Song", ["playlist": de.objectID, "seconds": 7], "playlist.name == 'abc'")
      #expect(try wrong() == [] && number("songCount", of: "abc") == 0 && number("songCount", of: "de") == 5)
      try update("Song", ["playlist": NSNull()], "title == 'X'")
      #expect(try wrong() == [] && number("songCount", of: "de") == 2)
      try update("Playlist", ["name": "Été"], "name == 'de'")
      #expect(try wrong() == [])
    }
  }

  @Test("[request-any-4] the save time changes for changed objects only, not for those with recomputed values")
  func saveTimeChangesForChangedObjects() throws {
    try fill()
    try context.performAndWait {
      func times() throws -> [String: Date] {
        context.reset()
        var times: [String: Date] = [:]
        for song in try context.fetch(Song.all()) { times[song.title ?? ""] = song.value(forKey: "savedAt") as? Date }
        return times
      }
      let before = try times()
      #expect(before.count == 5)
      // Clocks may have a low resolution.
      Thread.sleep(forTimeInterval: 0.01)
      try update("Playlist", ["name": "new"], "name == 'abc'")
      #expect(try times() == before)
      try update("Song", ["seconds": 99], "title == 'a'")
      let after = try times()
      let (old, new) = (try #require(before["a"]), try #require(after["a"]))
      #expect(new > old)
      #expect(after.filter { $0.key != "a" } == before.filter { $0.key != "a" })
    }
  }

  @Test("[request-any-4] after deletions, also cascaded ones, derived values are right")
  func afterDeletionsAlsoCascadedOnesDerivedValues() throws {
    try fill()
    try context.performAndWait {
      try delete("Song", "title IN {'a', 'd'}")
      #expect(try wrong() == [] && number("songCount", of: "abc") == 2)
      try delete("Label", "name == 'label 2'")
      #expect(try wrong() == [])
      try delete("Playlist", "name == 'abc'")
      #expect(try wrong() == [])
      #expect(try context.count(for: Song.all()) == 1)
    }
  }

  @Test("[request-any-4] after insertions derived values are right; given ones are ignored")
  func afterInsertionsDerivedValuesAreRight() throws {
    try fill()
    try context.performAndWait {
      try insert("Song", [["title": "new", "labelCount": 9, "loud": "no"], ["title": "other"]])
      try insert("Playlist", [["name": "Été", "songCount": 4, "seconds": 3]])
      #expect(try wrong() == [] && number("songCount", of: "Été") == 0)
      #expect(try Song.titled("new", in: context).value(forKey: "savedAt") is Date)
    }
  }

  @Test("[request-any-4] [request-insert-4] an insertion that updates an object by a unique value recomputes values")
  func insertionThatUpdatesAnObject() throws {
    try fill()
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try insert("Song", [["code": "code a", "title": "changed", "seconds": 50, "loud": "no"]])
      #expect(try wrong() == [] && number("seconds", of: "abc") == 73)
      var isFirst = true
      let request = NSBatchInsertRequest(entityName: "Song") { (object: NSManagedObject) in
        defer { isFirst = false }
        object.setValue("code b", forKey: "code")
        object.setValue("by block", forKey: "title")
        return !isFirst
      }
      try context.execute(request)
      #expect(try wrong() == [] && number("seconds", of: "abc") == 62)
      // The history omits properties that the request did not change.
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(history) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      let names = transactions.suffix(2).map { $0.changes?.first?.updatedProperties?.map(\.name).sorted() }
      #expect(names == [["seconds", "title"], ["seconds", "title", "weight"]])
    }
  }

  @Test("[request-any-4] random batches leave correct derived values", arguments: 1...5 as ClosedRange<UInt64>)
  func randomBatchesLeaveCorrectDerivedValues(own: UInt64) throws {
    var random = SeededGenerator(seed: TestSeed.value(own))
    try fill()
    try context.performAndWait {
      for step in 0..<15 {
        let titles = "abcdefg".filter { _ in Bool.random(using: &random) }.map(String.init)
        let list = try context.fetch(Playlist.all()).randomElement(using: &random)
        let operation = Int.random(in: 0..<7, using: &random)
        switch operation {
        case 0: try insert("Song", titles.map { ["title": $0, "seconds": Int.random(in: 0..<9, using: &random)] })
        case 1: try insert("Playlist", [["name": "list \(step)"]])
        case 2: try update("Song", ["playlist": list?.objectID ?? NSNull()], "title IN %@", titles)
        case 3: try update("Song", ["playlist": NSNull(), "weight": 0.3], "title IN %@", titles)
        case 4:
          try update(
            "Song", ["seconds": _NSExpression(format: "seconds * 2"), "weight": _NSExpression(format: "weight / 3")],
            "title IN %@", titles)
        case 5: try delete("Song", "title == '\(titles.first ?? "")'")
        default: try delete("Playlist", "name == '\(list?.name ?? "")'")
        }
        let wrong = try wrong()
        #expect(wrong == [], "step \(step), operation \(operation)")
      }
      #expect(try lists.container.persistentStoreCoordinator.persistentStores[0].objects.check() == [])
    }
  }
}

extension Song {
  /// The number in the identity, the default order of objects in a store.
  fileprivate var number: Int { Int(objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
}
