import LocalCloudPlatform
import Testing

@testable import LocalCloudObjectStore

@Suite("The cache of rows")
struct RowCacheTests {
  private typealias Sample = SampleStore

  /// Two tags in one segment.
  private func withStore(_ body: (ObjectStore, [RowID]) throws -> Void) throws {
    try Sample.withPath("row-cache") { path in
      let store = try Sample.open(path)
      let ids = try store.write { transaction in
        ["red", "blue"].map { name in
          let id = transaction.newID(of: Sample.tag)
          transaction.insert(Sample.row(id, ["name": .string(name)]))
          return id
        }
      }.result
      try body(store, ids)
    }
  }

  private func rename(_ id: RowID, _ name: String, in store: ObjectStore) throws {
    _ = try store.write { transaction in
      var row = try #require(try transaction.row(id))
      row.attributes[Sample.attributeIndex("name", of: Sample.tag)] = .string(name)
      try transaction.update(row, changed: ["name"])
    }
  }

  private func name(_ row: StoredRow?) -> StoredValue? {
    row?.attributes[Sample.attributeIndex("name", of: Sample.tag)]
  }

  /// Makes every line of the tags unreadable, in the files that are open too.
  private func damage(_ path: String) throws {
    let directory = try Directory.open(path: path, in: FileSystem()).directory("objects").directory("Tag")
    for entry in try directory.entries() {
      let size = try directory.size(of: entry.name) ?? 0
      try directory.file(entry.name, .readWrite).write([UInt8](repeating: UInt8(ascii: "x"), count: size), at: 0)
    }
  }

  /// The ways to read all tags.
  enum Reading: CaseIterable {
    case each, together, scan

    func rows(_ ids: [RowID], _ view: StoreView) throws -> [StoredRow] {
      switch self {
      case .each: return try ids.compactMap { try view.row($0) }
      case .together: return try view.rows(ids)
      case .scan: return try view.fetch(StoreFetch(entities: [SampleStore.tag]))
      }
    }
  }

  @Test("rows are read from their file once", arguments: Reading.allCases, Reading.allCases)
  func rowsAreReadOnce(first: Reading, second: Reading) throws {
    try withStore { store, ids in
      let rows = try store.read { try first.rows(ids, $0) }
      #expect(rows.map(name) == [.string("red"), .string("blue")])
      try damage(store.path)
      #expect(try store.read { try second.rows(ids, $0) } == rows)
      // Without the cache each way needs the lines.
      let other = try Sample.open(store.path)
      #expect(throws: ObjectStoreError.self) { try other.read { try second.rows(ids, $0) } }
    }
  }

  @Test("rows of a batch are not stored in the cache, and are taken from it")
  func batchedRows() throws {
    try withStore { store, ids in
      let rows = try store.read { try $0.rows(ids, isCached: false) }
      #expect(rows.map(name) == [.string("red"), .string("blue")])
      _ = try store.read { try $0.row(ids[0]) }
      try damage(store.path)
      #expect(try store.read { try $0.rows([ids[0]], isCached: false) } == [rows[0]])
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.row(ids[1]) } }
    }
  }

  @Test("an update reads no line of a known object, and its new row is not read again")
  func updatedRow() throws {
    try withStore { store, ids in
      _ = try store.read { try $0.row(ids[0]) }
      try damage(store.path)
      try rename(ids[0], "pink", in: store)
      try damage(store.path)
      #expect(try store.read { try name($0.row(ids[0])) } == .string("pink"))
      #expect(try store.read { try $0.version(of: ids[1]) } == 1)
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.row(ids[1]) } }
    }
  }

  @Test("a commit of another process, and one that failed, leave no wrong row", arguments: Reading.allCases)
  func othersCommit(reading: Reading) throws {
    try withStore { store, ids in
      let other = try Sample.open(store.path)
      func names(_ store: ObjectStore) throws -> [StoredValue?] {
        try store.read { try reading.rows(ids, $0) }.map(name)
      }
      for number in 0..<30 {
        let (writer, reader) = number % 3 == 0 ? (store, other) : (other, store)
        try rename(ids[number % 2], "tag \(number)", in: writer)
        let expected: [StoredValue?] = [number - number % 2, number - 1 + number % 2].map { number in
          number < 0 ? .string("blue") : .string("tag \(number)")
        }
        #expect(try names(reader) == expected, "\(number)")
        #expect(try names(writer) == expected, "\(number)")
        #expect(throws: MissingRow.self) {
          try store.write { transaction in
            var row = try #require(try transaction.row(ids[0]))
            row.attributes[Sample.attributeIndex("name", of: Sample.tag)] = .string("failed")
            try transaction.update(row, changed: ["name"])
            try transaction.delete(RowID(entity: Sample.tag, number: 1_000))
          }
        }
        #expect(try names(store) == expected, "\(number)")
      }
      _ = try other.write { try $0.delete(ids[0]) }
      #expect(try names(store).count == 1)
      #expect(try store.read { try $0.version(of: ids[0]) } == nil)
    }
  }

  // [store-30]
  @Test("after a repair of lines that were edited by hand, an open store reads them")
  func repairedLines() throws {
    try withStore { store, ids in
      #expect(try store.read { try name($0.row(ids[0])) } == .string("red"))
      let directory = try Directory.open(path: store.path, in: FileSystem()).directory("objects").directory("Tag")
      let segment = try #require(try directory.entries().first?.name)
      let text = String(decoding: try #require(try directory.contents(segment)), as: UTF8.self)
      try directory.file(segment, .readWrite).write(Array(text.replacing("red", with: "crimson").utf8), at: 0)
      let report = try ObjectStore.repair(store.path, options: Sample.options)
      #expect(report.done.map(\.text) == ["made anew from the other files"])
      #expect(try store.read { try $0.rows(ids).map(name) } == [.string("crimson"), .string("blue")])
      try rename(ids[0], "pink", in: store)
      #expect(try store.check() == [])
    }
  }

  @Test("a generation and the present state have their own rows")
  func generation() throws {
    try withStore { store, ids in
      let generation = try #require(try store.generation())
      for number in 0..<3 {
        try rename(ids[0], "tag \(number)", in: store)
        #expect(try store.read(at: generation) { try name($0.row(ids[0])) } == .string("red"))
        #expect(try store.read { try name($0.row(ids[0])) } == .string("tag \(number)"))
      }
    }
  }

  // MARK: Size

  private func entry(_ number: Int64, _ name: String) -> RowCache.Entry {
    let location = RowEntry(segment: 1, offset: Int(number), length: 1, version: 1, lines: 1)
    let row = Sample.row(RowID(entity: Sample.tag, number: number), ["name": .string(name)])
    return RowCache.Entry(location: location, row: row, sequence: 1)
  }

  @Test("rows beyond the size of the cache replace those that were not used since")
  func size() {
    let cache = RowCache(bytes: 100_000)
    for number in 1...1_000 {
      let id = RowID(entity: Sample.tag, number: Int64(number))
      cache.put(entry(Int64(number), String(repeating: "x", count: 1_000)), id)
      // The first one is used again and again.
      #expect(cache.entry(RowID(entity: Sample.tag, number: 1), at: 1) != nil)
    }
    let count = (1...1_000).count { cache.entry(RowID(entity: Sample.tag, number: Int64($0)), at: 1) != nil }
    #expect(count > 30)
    #expect(count < 100)
    #expect(cache.entry(RowID(entity: Sample.tag, number: 1_000), at: 1) != nil)
    #expect(cache.entry(RowID(entity: Sample.tag, number: 1_000), at: 2) == nil)
  }
}
