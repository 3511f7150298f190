import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Unique indexes of an object store")
struct UniqueTests {
  /// People are unique by name, and by group and place. Writers, a subentity, are unique also by pen name.
  private static let schema: StoreSchema = {
    var person = StoreSchema.Declaration(name: "Person")
    person.attributes = [
      .init(name: "group", type: .integer32), .init(name: "name", type: .string), .init(name: "place", type: .double),
    ]
    person.indexes = [
      .init(name: "name", elements: [.init(property: "name", isAscending: true)], isUnique: true),
      .init(
        name: "place",
        elements: [.init(property: "group", isAscending: true), .init(property: "place", isAscending: false)],
        isUnique: true),
    ]
    var writer = StoreSchema.Declaration(name: "Writer", parent: "Person")
    writer.attributes = [.init(name: "pen", type: .string)]
    writer.indexes = [.init(name: "pen", elements: [.init(property: "pen", isAscending: true)], isUnique: true)]
    return StoreSchema([person, writer])
  }()

  private static let (person, writer) = (0, 1)

  private static func row(_ id: RowID, _ values: [String: StoredValue]) -> StoredRow {
    StoredRow(
      id: id, version: 0, attributes: schema.entities[Int(id.entity)].attributes.map { values[$0.name] ?? .null },
      toOnes: [])
  }

  private func withStore(_ body: (ObjectStore) throws -> Void) throws {
    try SampleStore.withPath("objects-unique") { path in
      try body(try ObjectStore(path, schema: Self.schema, options: SampleStore.options))
    }
  }

  @discardableResult
  private func insert(_ store: ObjectStore, _ entity: Int, _ values: [String: StoredValue]) throws -> StoredRow {
    try store.write { transaction in
      let row = Self.row(transaction.newID(of: entity), values)
      transaction.insert(row)
      return row
    }.result
  }

  private func violation(_ body: () throws -> Void) throws -> [UniqueConflict] {
    let error = #expect(throws: UniqueViolation.self) { try body() }
    return error?.conflicts ?? []
  }

  @Test("[store-21] a commit that would give two objects the same unique values is refused completely")
  func commitThatWouldGiveTwoObjects() throws {
    try withStore { store in
      let ann = try insert(store, Self.person, ["name": .string("Ann"), "group": .integer(1), "place": .double(1)])
      let head = try store.read { try $0.head() }
      var conflicts = try violation {
        _ = try store.write { transaction in
          transaction.insert(Self.row(transaction.newID(of: Self.person), ["name": .string("Bob")]))
          transaction.insert(Self.row(transaction.newID(of: Self.writer), ["name": .string("Ann")]))
        }
      }
      #expect(conflicts.map(\.properties) == [["name"]])
      #expect(conflicts.map(\.stored?.id) == [ann.id])
      conflicts = try violation {
        _ = try store.write { transaction in
          for pen in ["x", "y"] {
            let values: [String: StoredValue] = ["pen": .string(pen), "group": .integer(2), "place": .double(-0.0)]
            transaction.insert(Self.row(transaction.newID(of: Self.writer), values))
          }
        }
      }
      #expect(conflicts.map(\.properties) == [["group", "place"]] && conflicts[0].rows.count == 2)
      let group = try #require(Self.schema.entities[Self.writer].attributes.firstIndex { $0.name == "group" })
      #expect(conflicts[0].rows.map { $0.attributes[group] } == [.integer(2), .integer(2)])
      #expect(try store.read { try $0.head() } == head && store.check() == [])
    }
  }

  @Test("[store-21] a transaction finds the object with given unique values; nil and NaN are never unique values")
  func holder() throws {
    try withStore { store in
      let ann = try insert(
        store, Self.writer, ["name": .string("Ann"), "pen": .string(String(repeating: "x", count: 999))])
      _ = try store.write { transaction in
        func holder(_ entity: Int, _ values: [String: StoredValue]) throws -> RowID? {
          try transaction.holder(ofUniqueValuesOf: Self.row(transaction.newID(of: entity), values))?.id
        }
        #expect(try holder(Self.person, ["name": .string("Ann")]) == ann.id)
        #expect(try holder(Self.writer, ["pen": .string(String(repeating: "x", count: 999))]) == ann.id)
        #expect(try holder(Self.writer, ["pen": .string(String(repeating: "x", count: 998))]) == nil)
        #expect(try holder(Self.person, ["group": .integer(1)]) == nil)
        let bob = transaction.newID(of: Self.person)
        let values: [String: StoredValue] = ["name": .string("Bob"), "group": .integer(1), "place": .double(.nan)]
        transaction.insert(Self.row(bob, values))
        #expect(try holder(Self.person, ["name": .string("Bob")]) == bob)
        #expect(try holder(Self.person, ["group": .integer(1), "place": .double(.nan)]) == nil)
        try transaction.delete(bob)
        #expect(try holder(Self.person, ["name": .string("Bob")]) == nil)
        var changed = ann
        changed.attributes[1] = .string("Anna")
        try transaction.update(changed, changed: ["name"])
        #expect(try holder(Self.person, ["name": .string("Ann")]) == nil)
        #expect(try holder(Self.person, ["name": .string("Anna")]) == ann.id)
      }
      #expect(try store.check() == [])
    }
  }

  @Test("[store-21] uniqueness covers values that the store computes and objects with only their position changed")
  func uniquenessCoversValuesThatTheStoreComputes() throws {
    func unique(_ name: String) -> StoreSchema.FetchIndex {
      .init(name: name, elements: [.init(property: name, isAscending: true)], isUnique: true)
    }
    var box = StoreSchema.Declaration(name: "Box")
    box.attributes = [.init(name: "label", type: .string)]
    box.relationships = [.init(name: "items", destination: "Item", isToMany: true, isOrdered: true, inverse: "box")]
    var item = StoreSchema.Declaration(name: "Item")
    item.attributes = [
      .init(name: "folded", type: .string, derivation: "lowercase:(name)"), .init(name: "name", type: .string),
      .init(name: "place", type: .string, derivation: "box.label"),
    ]
    item.relationships = [.init(name: "box", destination: "Box", isToMany: false, inverse: "items")]
    item.indexes = ["folded", "name", "place"].map(unique)
    let schema = StoreSchema([box, item])
    try SampleStore.withPath("objects-unique-computed") { path in
      let store = try ObjectStore(path, schema: schema, options: SampleStore.options)
      func box(_ transaction: StoreTransaction, _ label: String) -> RowID {
        let id = transaction.newID(of: 0)
        transaction.insert(StoredRow(id: id, version: 0, attributes: [.string(label)], toOnes: []))
        return id
      }
      func item(_ transaction: StoreTransaction, _ name: String, _ box: RowID? = nil) -> RowID {
        let id = transaction.newID(of: 1)
        transaction.insert(StoredRow(id: id, version: 0, attributes: [.null, .string(name), .null], toOnes: [box]))
        return id
      }
      let (boxes, items) = try store.write { transaction in
        let boxes = [box(transaction, "left"), box(transaction, "right")]
        return (
          boxes, [item(transaction, "Ann", boxes[0]), item(transaction, "Bob", boxes[1]), item(transaction, "Cid")]
        )
      }.result
      let head = try store.read { try $0.head() }
      var conflicts = try violation { _ = try store.write { _ = item($0, "ANN") } }
      #expect(conflicts.map(\.properties) == [["folded"]])
      #expect(conflicts[0].stored?.id == items[0])
      // The new label of another object gives two items the same value.
      conflicts = try violation {
        _ = try store.write { transaction in
          let row = StoredRow(id: boxes[1], version: 0, attributes: [.string("left")], toOnes: [])
          try transaction.update(row, changed: ["label"])
        }
      }
      #expect(conflicts.map(\.properties) == [["place"]])
      #expect(conflicts[0].stored?.id == items[0])
      #expect(conflicts[0].rows.map(\.id) == [items[1]])
      // The transaction changes the position of an item and inserts another item with its name.
      conflicts = try violation {
        _ = try store.write { transaction in
          let relationship = try #require(schema.relationship(named: "items", of: 0))
          try transaction.append([items[0]], to: boxes[0], relationship)
          _ = item(transaction, "Ann")
        }
      }
      #expect(Set(conflicts.map(\.properties)) == [["name"], ["folded"]])
      #expect(try store.read { try $0.head() } == head && store.check() == [])
    }
  }

  @Test("[store-21] the check reports objects with the same unique values in an entity and its subentities")
  func checkReportsObjectsWithTheSameUnique() throws {
    try withStore { store in
      for (entity, name) in [(Self.person, "Ann"), (Self.person, "Bob"), (Self.writer, "Cid"), (Self.writer, "Dan")] {
        try insert(store, entity, ["name": .string(name)])
      }
      #expect(try store.check() == [])
      let folder = try Directory.open(path: store.path, in: FileSystem())
      var paths: [String] = []
      for name in ["Person", "Writer"] {
        let directory = try folder.directory("objects").directory(name)
        for entry in try directory.entries() {
          let text = String(decoding: try #require(try directory.contents(entry.name)), as: UTF8.self)
          let bytes = Array(text.replacing("Bob", with: "Ann").replacing("Dan", with: "Ann").utf8)
          try directory.file(entry.name, .readWrite).write(bytes, at: 0)
          paths.append(directory.path(of: entry.name))
        }
      }
      try folder.directory(".index").remove("index")
      let changed = try ObjectStore(store.path, schema: Self.schema, options: SampleStore.options)
      let ids = try changed.read { view in try [Self.person, Self.writer].flatMap { try view.ids(of: $0) } }
      let problems = try changed.check()
      #expect(problems.map(\.path) == paths)
      #expect(
        problems.map(\.text)
          == [("Person", ids[1]), ("Writer", ids[3])].map {
            "\($0)/\($1.number) has the same name as Person/\(ids[0].number), which is unique"
          })
    }
  }

  @Test(
    "[store-21] random transactions of two instances are refused exactly where a dictionary model refuses them",
    arguments: [1, 2])
  func randomTransactionsOfTwoInstancesAreRefused(own: UInt64) throws {
    var random = SeededGenerator(seed: TestSeed.value(own))
    try SampleStore.withPath("objects-unique-random") { path in
      let stores = try (0..<2).map { _ in try ObjectStore(path, schema: Self.schema, options: SampleStore.options) }
      var rows: [RowID: [String: StoredValue]] = [:]
      let names = ["a", "b", "e\u{301}", "é", "c", String(repeating: "long", count: 80), "d"]
      var refused = 0
      for step in 0..<300 {
        let store = stores[Int.random(in: 0..<2, using: &random)]
        var next = rows
        do {
          _ = try store.write { transaction in
            next = rows
            for _ in 0..<Int.random(in: 1...3, using: &random) {
              let values: [String: StoredValue] = [
                "name": Bool.random(using: &random) ? .string(names.randomElement(using: &random) ?? "") : .null,
                "group": .integer(Int64.random(in: 0...2, using: &random)),
                "place": .double(Double(Int.random(in: 0...3, using: &random))),
                "pen": .string(names.randomElement(using: &random) ?? ""),
              ]
              switch Int.random(in: 0..<4, using: &random) {
              case 0:
                guard let id = next.keys.sorted().randomElement(using: &random) else { continue }
                try transaction.delete(id)
                next[id] = nil
              case 1, 2:
                let entity = Int.random(in: 0...1, using: &random)
                let id = transaction.newID(of: entity)
                transaction.insert(Self.row(id, values))
                next[id] = values
              default:
                guard let id = next.keys.sorted().randomElement(using: &random) else { continue }
                try transaction.update(Self.row(id, values), changed: ["name"])
                next[id] = values
              }
            }
          }
          #expect(Self.isUnique(next), "step \(step)")
          rows = next
        } catch let violation as UniqueViolation {
          refused += 1
          #expect(!Self.isUnique(next), "step \(step)")
          #expect(!violation.conflicts.isEmpty, "step \(step)")
        }
      }
      #expect(refused > 20)
      #expect(rows.count > 2)
      #expect(try stores[0].check() == [])
    }
  }

  private static func isUnique(_ rows: [RowID: [String: StoredValue]]) -> Bool {
    func isUnique(_ keys: [String], _ of: (RowID) -> Bool) -> Bool {
      var seen: Set<[[UInt8]]> = []
      for (id, values) in rows where of(id) {
        let tuple = keys.map { values[$0] ?? .null }
        if tuple.contains(.null) { continue }
        // Texts are compared by their bytes.
        guard seen.insert(tuple.map { Array("\($0)".utf8) }).inserted else { return false }
      }
      return true
    }
    return isUnique(["name"]) { _ in true } && isUnique(["group", "place"]) { _ in true }
      && isUnique(["pen"]) { Int($0.entity) == writer }
  }
}
