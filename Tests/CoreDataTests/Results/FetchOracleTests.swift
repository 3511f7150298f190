import CoreData
import FaultInjection
import Foundation
import LocalCloudPlatform
import Testing

/// Compares random fetches over three related entities with plain arrays.
@Suite("Random fetches")
struct FetchOracleTests {
  /// The number of fetches, 1,000 by default: `LOCALCLOUD_FETCHES=10000 swift test --filter FetchOracleTests`.
  private static let rounds = HostProcess.environment("LOCALCLOUD_FETCHES").flatMap(Int.init) ?? 1000

  /// Two stores with the same library, and its plain values: the saved ones, and those with unsaved changes.
  private struct Stage {
    let libraries: [Library]
    let child: NSManagedObjectContext
    var random: SeededGenerator
    var saved = LibraryWorld()
    var present = LibraryWorld()
    /// The objects that were changed since the last save, by entity.
    var changed: [String: Set<Int>] = [:]
    var next = 0

    init(seed: UInt64) throws {
      libraries = [try Library(isIndexed: true), try Library(isIndexed: false)]
      random = SeededGenerator(seed: seed)
      child = NSManagedObjectContext(.privateQueue)
      child.parent = libraries[0].context
      for _ in 0..<12 { try edit("Author", nil) }
      for _ in 0..<9 { try edit("Tag", nil) }
      for _ in 0..<50 { try edit("Book", nil) }
      try save()
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func text() -> String? {
      let index = number(0..<LibraryConditions.texts.count + 2)
      return index < LibraryConditions.texts.count ? LibraryConditions.texts[index] : nil
    }
    mutating func some(_ range: Range<Int>) -> Int? { number(0..<4) == 0 ? nil : number(range) }

    mutating func disturb() throws {
      for _ in 0..<number(1..<5) {
        let entity = ["Author", "Book", "Book", "Book", "Tag"][number(0..<5)]
        let all = present.all(entity).sorted()
        switch number(0..<6) {
        case 0, 1: try edit(entity, nil)
        case 2 where all.count > 5: try delete(entity, all[number(0..<all.count)])
        default: try edit(entity, all[number(0..<all.count)])
        }
      }
      switch number(0..<6) {
      case 0, 1, 2: try save()
      case 3:
        for library in libraries { library.context.performAndWait { library.context.rollback() } }
        (present, changed) = (saved, [:])
        try reset()
      default: break
      }
    }

    private mutating func reset() throws {
      let child = child
      child.performAndWait { child.reset() }
    }

    private mutating func save() throws {
      for library in libraries { try library.context.performAndWait { try library.context.save() } }
      (saved, changed) = (present, [:])
      try reset()
    }

    private mutating func recordChange(_ entity: String, _ numbers: some Sequence<Int>) {
      changed[entity, default: []].formUnion(numbers)
    }

    /// Inserts an object, or sets new values of an existing one.
    private mutating func edit(_ entity: String, _ old: Int?) throws {
      if old == nil { next += 1 }
      let id = old ?? next
      recordChange(entity, [id])
      switch entity {
      case "Author":
        present.authors[id] = LibraryWorld.Author(
          name: text(), age: number(0..<8), score: some(0..<12).map { Double($0) / 2 })
      case "Book":
        let before = present.books[id]
        let authors = present.authors.keys.sorted()
        let tags = present.tags.keys.sorted().filter { _ in number(0..<4) == 0 }
        let book = LibraryWorld.Book(
          title: text(), pages: number(0..<8), price: some(0..<12).map { Double($0) / 2 },
          date: some(0..<6).map(Double.init), isLent: number(0..<2) == 0,
          author: number(0..<5) == 0 ? nil : authors[number(0..<authors.count)], tags: Set(tags))
        present.books[id] = book
        if before?.author != book.author { recordChange("Author", [before?.author, book.author].compactMap(\.self)) }
        recordChange("Tag", (before?.tags ?? []).symmetricDifference(book.tags))
      default: present.tags[id] = LibraryWorld.Tag(name: text(), weight: some(0..<8))
      }
      try write(entity, id, isNew: old == nil)
    }

    private mutating func delete(_ entity: String, _ id: Int) throws {
      switch entity {
      case "Author":
        let books = present.books(of: id)
        recordChange("Book", books)
        for book in books { present.books[book]?.author = nil }
        present.authors[id] = nil
      case "Book":
        recordChange("Author", [present.books[id]?.author].compactMap(\.self))
        recordChange("Tag", present.books[id]?.tags ?? [])
        present.books[id] = nil
      default:
        let books = present.books(tagged: id)
        recordChange("Book", books)
        for book in books { present.books[book]?.tags.remove(id) }
        present.tags[id] = nil
      }
      recordChange(entity, [id])
      try write(entity, id, isNew: false)
    }

    private func write(_ entity: String, _ id: Int, isNew: Bool) throws {
      for library in libraries {
        try library.context.performAndWait {
          try library.write(entity, id, of: present, isNew: isNew)
          if !isNew { library.context.processPendingChanges() }
        }
      }
    }

    /// The objects that a fetch should find. Unchanged objects are evaluated with their saved values.
    func expected(_ entity: String, _ condition: LibraryCondition, withPending: Bool) -> Set<Int> {
      var saved = saved
      saved.nilIsUnknown = true
      guard withPending else { return saved.all(entity).filter { condition.holds(saved, $0) } }
      let own = changed[entity] ?? []
      return present.all(entity).filter { condition.holds(own.contains($0) ? present : saved, $0) }
    }

    /// The sort key of an object: nil, a number, or a text.
    func key(_ entity: String, _ id: Int, _ name: String, withPending: Bool) -> SortKey {
      let world = withPending ? present : saved
      return switch (entity, name) {
      case ("Author", "name"): SortKey(text: world.authors[id]?.name)
      case ("Author", "age"): SortKey(number: world.authors[id].map { Double($0.age) })
      case ("Author", "score"): SortKey(number: world.authors[id]?.score)
      case ("Book", "title"): SortKey(text: world.books[id]?.title)
      case ("Book", "pages"): SortKey(number: world.books[id].map { Double($0.pages) })
      case ("Book", "price"): SortKey(number: world.books[id]?.price)
      case ("Book", "date"): SortKey(number: world.books[id]?.date)
      case ("Tag", "name"): SortKey(text: world.tags[id]?.name)
      case ("Tag", "weight"): SortKey(number: world.tags[id]?.weight.map(Double.init))
      default: SortKey(number: Double(id))
      }
    }
  }

  private struct SortKey: Comparable {
    var number: Double?
    var text: String?

    static func < (one: Self, other: Self) -> Bool {
      switch (one.number, other.number, one.text, other.text) {
      case (let one?, let other?, _, _): one < other
      case (_, _, let one?, let other?): one < other
      default: one.number == nil && one.text == nil && (other.number != nil || other.text != nil)
      }
    }
  }

  private static let names = [
    "Author": ["name", "age", "score", "number"], "Book": ["title", "pages", "price", "date", "number"],
    "Tag": ["name", "weight", "number"],
  ]

  // [object-fetch-1], [object-fetch-2], [object-fetch-3], [predicate-1]
  @Test("random fetches agree with plain values: with and without indexes, pending changes, in a child")
  func randomFetchesAgreeWithPlainValues() throws {
    let seed = TestSeed.value
    var stage = try Stage(seed: seed)
    for round in 0..<Self.rounds {
      if round % 7 == 6 { try stage.disturb() }
      var conditions = LibraryConditions(random: SeededGenerator(seed: stage.random.next()), world: stage.present)
      let entity = conditions.pick(["Author", "Book", "Book", "Tag"])
      let condition = conditions.condition(entity)
      let withPending = conditions.number(0..<5) > 0
      let sorts = (0..<conditions.number(0..<3)).map { _ in
        (name: conditions.pick(Self.names[entity] ?? []), isAscending: conditions.number(0..<2) == 0)
      }
      let (offset, limit) = (conditions.pick([0, 0, 2, 7]), conditions.pick([0, 0, 1, 5]))
      let batch = conditions.pick([0, 0, 3])
      let text =
        "seed \(seed), round \(round), \(entity) pending: \(withPending): \(condition.format) \(condition.arguments)"

      let matches = stage.expected(entity, condition, withPending: withPending)
      func keys(_ id: Int) -> [SortKey] { sorts.map { stage.key(entity, id, $0.name, withPending: withPending) } }
      func precedes(_ one: [SortKey], _ other: [SortKey]) -> Bool {
        for (index, sort) in sorts.enumerated() where one[index] != other[index] {
          return (one[index] < other[index]) == sort.isAscending
        }
        return false
      }
      let order = matches.map(keys).sorted(by: precedes)
      let page = Array(order.dropFirst(offset).prefix(limit == 0 ? .max : limit))

      var contexts = stage.libraries.map { ($0, $0.context) }
      // A child always sees its parent's pending changes.
      if withPending { contexts.append((stage.libraries[0], stage.child)) }
      for (library, context) in contexts {
        let found = try context.performAndWait { () -> (numbers: [Int], ids: Int, count: Int) in
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = try condition.predicate(in: library, context)
          request.includesPendingChanges = withPending
          let all = try context.count(for: request)
          request.sortDescriptors = sorts.map { NSSortDescriptor(key: $0.name, ascending: $0.isAscending) }
          (request.fetchOffset, request.fetchLimit, request.fetchBatchSize) = (offset, limit, batch)
          // Objects return their own values, but the expected values are those of the store.
          let objects = try context.fetch(request)
          let numbers = objects.map { object in
            ((withPending ? object.value(forKey: "number") : object.committedValues(forKeys: ["number"])["number"])
              as? NSNumber)?.intValue ?? -1
          }
          let ids = NSFetchRequest<NSManagedObjectID>(entityName: entity)
          (ids.predicate, ids.sortDescriptors, ids.resultType) = (
            request.predicate, request.sortDescriptors, .managedObjectIDResultType
          )
          ids.includesPendingChanges = withPending
          let count = try context.fetch(ids).count
          (ids.fetchOffset, ids.fetchLimit) = (offset, limit)
          let page = try context.fetch(ids)
          try #require(page == objects.map(\.objectID), "\(text)")
          return (numbers, count, all)
        }
        try #require(found.count == matches.count && found.ids == matches.count, "\(text)")
        try #require(Set(found.numbers).count == found.numbers.count, "\(text)")
        try #require(found.numbers.map(keys) == page, "\(text), found \(found.numbers) of \(matches.sorted())")
        try #require(Set(found.numbers).isSubset(of: matches), "\(text), found \(found.numbers) of \(matches.sorted())")
      }
    }
  }
}
