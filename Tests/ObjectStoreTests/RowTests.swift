import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization
import Testing

@Suite("Rows of an object store")
struct RowTests {
  private typealias Sample = SampleStore

  @Test("an object that cannot be inserted is refused, and its transaction saves nothing")
  func objectThatCannotBeInsertedIsRefused() throws {
    try Sample.withPath("objects-invalid") { path in
      let store = try Sample.open(path)
      let id = try store.write { transaction in
        let id = transaction.newID(of: Sample.tag)
        transaction.insert(Sample.row(id))
        return id
      }.result
      let head = try store.read { try $0.head() }
      for wrong in [id, RowID(entity: Sample.tag, number: 1_000), RowID(entity: Sample.note, number: id.number)] {
        #expect(throws: InvalidRow.self) { try store.write { $0.insert(Sample.row(wrong)) } }
      }
      #expect(throws: InvalidRow.self) {
        try store.write { transaction in
          let id = transaction.newID(of: Sample.tag)
          for _ in 0..<2 { transaction.insert(Sample.row(id)) }
        }
      }
      #expect(throws: InvalidRow.self) {
        try store.write { $0.put(MirrorRow(id: 1_000, values: [:]), in: .state) }
      }
      #expect(throws: MissingRow.self) {
        try store.write { try $0.update(Sample.row(RowID(entity: Sample.tag, number: 1_000)), changed: []) }
      }
      #expect(try store.read { try $0.head() } == head)
      #expect(try store.check() == [])
    }
  }

  @Test("a transaction reads its own changes; an object inserted and deleted within it leaves nothing")
  func transactionReadsItsOwnChanges() throws {
    try Sample.withPath("objects-within") { path in
      let store = try Sample.open(path)
      let first = try store.write { transaction in
        let id = transaction.newID(of: Sample.tag)
        transaction.insert(Sample.row(id, ["name": .string("red")]))
        return id
      }.result
      let commit = try store.write { transaction in
        let ids = (0..<2).map { _ in transaction.newID(of: Sample.tag) }
        for id in ids { transaction.insert(Sample.row(id, ["name": .string("new")])) }
        try transaction.delete(ids[1])
        let rows = try transaction.rows([ids[0], first, ids[1]])
        #expect(rows.map(\.id) == [ids[0], first])
        #expect(try transaction.ids(of: Sample.tag) == [first, ids[0]])
        #expect(try transaction.exists(ids[0]))
        #expect(try !transaction.exists(ids[1]))
        let unused = try transaction.external([1, 2, 3])
        #expect(unused.size == 3)
        for name in ["blue", "green"] {
          try transaction.update(Sample.row(first, ["name": .string(name)]), changed: ["name"])
        }
      }.commit
      #expect(commit?.inserted.count == 1 && commit?.updated == [first] && commit?.deleted == [])
      #expect(try store.read { try $0.version(of: first) } == 2)
      #expect(try store.check() == [])
      let journal = try Directory.open(path: path + "/.journal/incoming", in: FileSystem())
      #expect(try journal.entries().isEmpty)
    }
  }

  @Test("rows of the mirroring are found by key and by key prefix")
  func rowsOfTheMirroringAreFound() throws {
    try Sample.withPath("objects-keys") { path in
      let store = try Sample.open(path)
      let keys: [String?] = ["zone/b", "zone/a", nil, "zone", "zonf", "zone/a\u{0}", "zone/a\u{1}", nil]
      let numbers = try store.write { transaction in
        keys.map { key in
          let number = transaction.newNumber()
          transaction.put(
            MirrorRow(id: number, key: key, values: ["key": key.map { .string($0) } ?? .null]), in: .records)
          return number
        }
      }.result
      func found(_ prefix: String, most: Int = .max) throws -> [Int] {
        var rows: [Int64] = []
        try store.read { view in
          try view.forEachMirrorRow(keyPrefix: prefix, in: .records) { row in
            rows.append(row.id)
            return rows.count < most
          }
        }
        return rows.compactMap { numbers.firstIndex(of: $0) }
      }
      #expect(try found("") == [2, 7, 3, 1, 5, 6, 0, 4])
      #expect(try found("zone/") == [1, 5, 6, 0])
      #expect(try found("zone/a") == [1, 5, 6])
      #expect(try found("zone", most: 2) == [3, 1])
      #expect(try found("x") == [])
      let row = try store.read { try $0.row(key: "zone", in: .records) }
      #expect(row?.id == numbers[3])
      #expect(try store.read { try $0.row(key: "zon", in: .records) } == nil)
      #expect(try store.read { try $0.row(key: "zone", in: .links) } == nil)
    }
  }

  @Test("a store can be read without the app's model")
  func storeCanBeReadWithoutTheApps() throws {
    try Sample.withPath("objects-stored") { path in
      let id = try Sample.open(path).write { transaction in
        let id = transaction.newID(of: Sample.post)
        transaction.insert(Sample.row(id, ["title": .string("One")]))
        return id
      }.result
      let store = try ObjectStore.stored(path)
      #expect(store.schema == Sample.schema)
      #expect(store.isReadOnly)
      #expect(store.text(id) == "Post/1")
      #expect(store.id("Post/1") == id)
      #expect(store.id("Nobody/1") == nil)
      let document = try store.read { view in try view.row(id).map { try view.document($0) } }
      #expect(document == ["object": "Post/1", "values": ["title": "One"], "version": 1])
      #expect(throws: ObjectStoreError.missing(path: path + "x")) { try ObjectStore.stored(path + "x") }
    }
  }

  @Test("fetching the first objects in an index's order reads those objects only")
  func fetchingTheFirstObjectsInAnIndexs() throws {
    try Sample.withPath("objects-page") { path in
      var options = Sample.options
      options.segmentLimits = SegmentLimits()
      let ids = try Sample.open(path, options: options).write { transaction in
        (0..<200).map { number in
          let id = transaction.newID(of: Sample.note)
          transaction.insert(Sample.row(id, ["title": .string("Note \(1_000 + number)")]))
          return id
        }
      }.result
      let size = Mutex(0)
      let fileSystem = FileSystem(observing: .allCalls) { call in
        if case .read(let file, _, let count) = call, file.contains("/objects/") { size.withLock { $0 += count } }
        return .proceed
      }
      let store = try Sample.open(path, options: options, in: fileSystem)
      var fetch = StoreFetch(entities: [Sample.note])
      fetch.sort = [StoreSort(path: ["title"], isAscending: true)]
      (fetch.offset, fetch.limit) = (2, 3)
      #expect(try store.read { try $0.fetchIDs(fetch) } == Array(ids[2..<5]))
      #expect(size.withLock { $0 } < 5 * 100)
      // More objects than one read returns, and more than there are.
      (fetch.offset, fetch.limit) = (90, 105)
      #expect(try store.read { try $0.fetchIDs(fetch) } == Array(ids[90..<195]))
      (fetch.offset, fetch.limit) = (190, 50)
      #expect(try store.read { try $0.fetchIDs(fetch) } == Array(ids[190...]))
    }
  }
}
