import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage
import Testing

@Suite("Saving in an object store")
struct SavingTests {
  private typealias Sample = SampleStore

  // [store-14]
  @Test("values of all types are read back bit by bit, also by another instance")
  func valuesOfAllTypesAreReadBack() throws {
    try Sample.withPath("objects-values") { path in
      let store = try Sample.open(path)
      let texts: [[String: StoredValue]] = [
        [
          "title": .string("Zoë \"quoted\"\n\u{0}\u{1F600}"), "rating": .integer(-3), "weight": .double(0.1),
          "due": .date(-0.0), "isDone": .boolean(true), "price": .decimal("12345678901234567890.125"),
          "token": .uuid("0A0B0C0D-0000-4000-8000-000000000001"), "link": .uri("https://example.org/a?b=c"),
          "extra": .binary([0, 1, 254, 255]), "ratio": .double(.infinity), "body": .binary([]),
        ],
        [
          "title": .string(""), "rating": .integer(.min), "weight": .double(.leastNonzeroMagnitude),
          "due": .date(1e300),
          "isDone": .boolean(false), "price": .decimal("0.00001"), "ratio": .double(-.infinity),
        ],
        ["price": .decimal("NaN"), "due": .date(700_000_000.123456789), "weight": .double(3)],
        ["price": .decimal("-7"), "weight": .double(.greatestFiniteMagnitude)], [:],
      ]
      let ids = try store.write { transaction in
        texts.map { values in
          let id = transaction.newID(of: Sample.post)
          transaction.insert(Sample.row(id, values))
          return id
        }
      }.result
      for other in [store, try Sample.open(path)] {
        let rows = try other.read { try $0.rows(ids) }
        #expect(rows.map(\.version) == [1, 1, 1, 1, 1])
        for (row, values) in zip(rows, texts) {
          let saved = Sample.row(row.id, values).attributes
          // Compares the texts, too, because 0 and -0 are equal.
          #expect(row.attributes == saved)
          #expect("\(row.attributes)" == "\(saved)")
        }
      }
    }
  }

  @Test("a commit lists its changes, an update raises the version, and a deletion removes the object's links")
  func commitListsItsChangesAnUpdateRaises() throws {
    try Sample.withPath("objects-changes") { path in
      let store = try Sample.open(path)
      let tags = Sample.relationship("tags", of: Sample.post)
      let posts = Sample.relationship("posts", of: Sample.tag)
      let (ids, commit) = try store.write { transaction in
        let ids = [Sample.person, Sample.post, Sample.note, Sample.tag].map { transaction.newID(of: $0) }
        transaction.insert(Sample.row(ids[0], ["name": .string("Ann")]))
        transaction.insert(Sample.row(ids[1], ["title": .string("One")], ["author": ids[0]]))
        transaction.insert(Sample.row(ids[2], ["title": .string("Two")], ["author": ids[0]]))
        transaction.insert(Sample.row(ids[3], ["name": .string("red")]))
        try transaction.link(ids[1], tags, to: ids[3])
        return ids
      }
      #expect(commit?.inserted == ids)
      #expect(commit?.updated == [])
      #expect(commit?.deleted == [])
      let items = Sample.relationship("items", of: Sample.person)
      try store.read { (view) throws in
        #expect(try view.related(ids[0], items) == [ids[1], ids[2]])
        #expect(try view.related(ids[1], tags) == [ids[3]])
        #expect(try view.related(ids[3], posts) == [ids[1]])
        #expect(try view.id(numbered: ids[2].number) == ids[2])
        #expect(try view.head() == commit?.transaction)
        #expect(try view.ids(of: Sample.item) == [])
        #expect(try view.ids(of: Sample.note) == [ids[2]])
      }
      let second = try store.write { transaction in
        var row = try #require(try transaction.row(ids[1]))
        row.attributes[Sample.attributeIndex("title", of: Sample.post)] = .string("Other")
        try transaction.update(row, changed: ["title"])
        #expect(try transaction.version(of: ids[1]) == 2)
        try transaction.delete(ids[3])
        #expect(throws: MissingRow.self) { try transaction.delete(ids[3]) }
      }
      #expect(second.commit?.updated == [ids[1]])
      #expect(second.commit?.deleted == [ids[3]])
      try Sample.open(path).read { (view) throws in
        #expect(try view.version(of: ids[1]) == 2)
        #expect(try view.row(ids[3]) == nil)
        #expect(try view.version(of: ids[3]) == nil)
        #expect(try view.related(ids[1], tags) == [])
        let changes = try view.history(after: 0).map(\.changes)
        #expect(changes == [ids.map { .insert($0) }, [.update(ids[1], ["title"]), .delete(ids[3], [:])]])
      }
    }
  }
}
