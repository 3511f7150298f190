import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage
import Synchronization
import Testing

@Suite("Opening an object store")
struct OpeningTests {
  private typealias Sample = SampleStore

  private func folder(_ path: String) throws -> Directory {
    try Directory.open(path: String(path.dropLast("/private.sqlite".count)), in: FileSystem())
  }

  private func expect(_ expected: ObjectStoreError, _ body: () throws -> Void) {
    #expect(throws: expected) { try body() }
  }

  // [store-3]
  @Test("opening a file or folder that is not a store fails and leaves it unchanged")
  func openingAFileOrFolder() throws {
    try Sample.withPath("objects-others") { path in
      let parent = try folder(path)
      let bytes = Array("SQLite format 3\u{0}".utf8)
      try parent.writeStaged("private.sqlite", bytes)
      expect(.notAStore(path: path)) { _ = try Sample.open(path) }
      expect(.notAStore(path: path)) { try ObjectStore.destroy(path) }
      #expect(try parent.contents("private.sqlite") == bytes)
      try parent.remove("private.sqlite")
      try parent.makeDirectory("private.sqlite")
      try parent.directory("private.sqlite").writeStaged("letter.txt", [1])
      expect(.notAStore(path: path)) { _ = try Sample.open(path) }
      try parent.directory("private.sqlite").remove("letter.txt")
      // An empty folder becomes a store.
      #expect(try Sample.open(path).check() == [])
    }
  }

  @Test("opening creates a missing store and its parent folders, but not if it is opened read only")
  func openingCreatesAMissingStore() throws {
    try Sample.withPath("objects-missing") { path in
      var options = Sample.options
      options.isReadOnly = true
      expect(.missing(path: path)) { _ = try Sample.open(path, options: options) }
      let deep = path + "/of/its/own/store.sqlite"
      let store = try Sample.open(deep)
      let reader = try Sample.open(deep, options: options)
      #expect(reader.identifier == store.identifier)
      #expect(reader.isReadOnly)
      #expect(try reader.read { try $0.head() } == 0)
      expect(.readOnly(path: deep)) { _ = try reader.write { _ = $0.newNumber() } }
      expect(.readOnly(path: deep)) { try reader.setMetadata([:]) }
      try ObjectStore.destroy(deep)
      try ObjectStore.destroy(deep)
      expect(.missing(path: deep)) { _ = try reader.read { try $0.head() } }
      #expect(try Sample.open(deep).identifier != store.identifier)
    }
  }

  // [store-1]
  @Test("a store of a later format version is refused")
  func storeOfALaterFormatVersion() throws {
    try Sample.withPath("objects-format") { path in
      _ = try Sample.open(path)
      let directory = try Directory.open(path: path, in: FileSystem())
      let text = String(decoding: try directory.contents("store.json") ?? [], as: UTF8.self)
      #expect(text.contains("\"formatVersion\": 1,"))
      try directory.writeStaged(
        "store.json", Array(text.replacing("\"formatVersion\": 1,", with: "\"formatVersion\": 2,").utf8))
      expect(.unknownFormat(path: path, found: 2, known: 1)) { _ = try Sample.open(path) }
      try directory.writeStaged("store.json", [])
      expect(.notAStore(path: path)) { _ = try Sample.open(path) }
    }
  }

  // [store-2]
  @Test("a store with another model's hashes is refused; a model with other indexes rebuilds the index")
  func storeWithAnotherModelsHashesIsRefused() throws {
    try Sample.withPath("objects-models") { path in
      func declarations(_ hash: String, hasIndex: Bool) -> [StoreSchema.Declaration] {
        Sample.declarations.map { declaration in
          var declaration = declaration
          declaration.versionHash = declaration.name == "Note" ? hash : "same"
          if !hasIndex { declaration.indexes = [] }
          return declaration
        }
      }
      let first = try ObjectStore(path, schema: StoreSchema(declarations("1", hasIndex: false)))
      let id = try first.write { transaction in
        let id = transaction.newID(of: Sample.note)
        transaction.insert(Sample.row(id, ["title": .string("One")]))
        return id
      }.result
      expect(.otherModel(path: path, entities: ["Note"])) {
        _ = try ObjectStore(path, schema: StoreSchema(declarations("2", hasIndex: true)))
      }
      let second = try ObjectStore(path, schema: StoreSchema(declarations("1", hasIndex: true)))
      let predicate = PredicateTree.comparison(PredicateComparison(.key("title"), .equal, .constant(.string("One"))))
      #expect(try second.read { try $0.fetchIDs(StoreFetch(entities: [Sample.note], predicate: predicate)) } == [id])
      #expect(try second.check() == [])
    }
  }

  @Test("a store that was copied without its hidden files can be opened")
  func storeThatWasCopiedWithoutItsHidden() throws {
    try Sample.withPath("objects-copy") { path in
      let id = try Sample.open(path).write { transaction in
        let id = transaction.newID(of: Sample.tag)
        transaction.insert(Sample.row(id, ["name": .string("red")]))
        return id
      }.result
      let directory = try Directory.open(path: path, in: FileSystem())
      for name in [".index", ".journal"] { try directory.removeTree(name) }
      try directory.remove("lock")
      let copy = try Sample.open(path)
      #expect(try copy.read { try $0.row(id)?.attributes.last } == .string("red"))
      #expect(try copy.check() == [])
    }
  }

  @Test("metadata is stored, by itself or together with a change of objects")
  func metadataIsStoredByItselfOrTogether() throws {
    try Sample.withPath("objects-metadata") { path in
      let store = try Sample.open(path)
      #expect(try store.metadata() == [:])
      try store.setMetadata(["a": ["b": 1]])
      let other = try Sample.open(path)
      #expect(try other.metadata() == ["a": ["b": 1]])
      #expect(other.identifier == store.identifier)
      #expect(try other.check() == [])
      // Metadata is saved with objects in one transaction. A transaction without metadata leaves it unchanged.
      _ = try store.write { transaction in
        transaction.metadata = ["a": 2]
        transaction.insert(Sample.row(transaction.newID(of: Sample.tag), ["name": .string("red")]))
      }
      _ = try store.write { _ = $0.newNumber() }
      #expect(
        try other.metadata() == ["a": 2] && store.read { try $0.history(after: 0).map(\.changes.count) } == [1])
      let summary = try ObjectStore.summary(path)
      #expect(summary.identifier == store.identifier)
      #expect(summary.metadata == ["a": 2])
      #expect(summary.schema == Sample.schema)
      #expect(try Sample.open(path).check() == [])
    }
  }

  // [store-19]
  @Test("a copy replaces the store at its path, and instances of the replaced store fail with missing")
  func copyReplacesTheStoreAtItsPath() throws {
    try Sample.withPath("objects-replaced") { path in
      let source = try Sample.open(path + "/../source.sqlite")
      let id = try source.write { transaction in
        let id = transaction.newID(of: Sample.post)
        transaction.insert(
          Sample.row(id, ["title": .string("One"), "body": .external(try transaction.external([1, 2, 3]))]))
        transaction.metadata = ["of": "source"]
        return id
      }.result
      let before = try Sample.open(path)
      try source.copy(to: path)
      expect(.missing(path: path)) { _ = try before.read { try $0.head() } }
      expect(.missing(path: path)) { _ = try before.write { _ = $0.newNumber() } }
      let copy = try Sample.open(path)
      #expect(copy.identifier == source.identifier)
      #expect(before.identifier != source.identifier)
      #expect(try StoreScenario(copy) == StoreScenario(source) && copy.metadata() == ["of": "source"])
      _ = try copy.write { try $0.delete(id) }
      #expect(
        try source.read { try $0.ids(of: Sample.post) } == [id] && copy.read { try $0.ids(of: Sample.post) } == [])
      #expect(try copy.check() == [] && source.check() == [])
      #expect(try folder(path).entries().map(\.name).sorted() == ["private.sqlite", "source.sqlite"])
      // A file that is not a store stays.
      try folder(path).writeStaged("other", [1])
      let other = String(path.dropLast("private.sqlite".count)) + "other"
      expect(.notAStore(path: other)) { try source.copy(to: other) }
    }
  }

  @Test("only a forced removal deletes a damaged store, and no removal deletes a folder that is not a store")
  func onlyAForcedRemovalDeletesADamaged() throws {
    try Sample.withPath("objects-forced") { path in
      _ = try Sample.open(path)
      let directory = try Directory.open(path: path, in: FileSystem())
      try directory.writeStaged("store.json", [1])
      expect(.notAStore(path: path)) { try ObjectStore.destroy(path) }
      try ObjectStore.destroy(path, isForced: true)
      #expect(try folder(path).entries().map(\.name) == [])
      try folder(path).makeDirectory("private.sqlite")
      expect(.notAStore(path: path)) { try ObjectStore.destroy(path, isForced: true) }
    }
  }

  @Test("paths that lead to a store's folder through its subfolders open that store")
  func pathsThatLeadToAStoresFolder() throws {
    try Sample.withPath("objects-dots") { path in
      let identifier = try Sample.open(path).identifier
      for other in ["/", "/.", "//.//", "/objects/..", "/objects/./../."] {
        #expect(try Sample.open(path + other).identifier == identifier, "\(other)")
        #expect(try ObjectStore.summary(path + other).identifier == identifier, "\(other)")
        #expect(try ObjectStore.stored(path + other).check() == [], "\(other)")
      }
      expect(.notAStore(path: path + "/..")) { _ = try ObjectStore.summary(path + "/..") }
      expect(.notAStore(path: path + "/..")) { _ = try Sample.open(path + "/..") }
      expect(.notAStore(path: "/")) { _ = try ObjectStore.summary("/") }
      expect(.missing(path: path + "/none/..")) { _ = try ObjectStore.summary(path + "/none/..") }
      try ObjectStore.destroy(path + "/objects/..")
      expect(.missing(path: path)) { _ = try ObjectStore.summary(path) }
    }
  }

  // [store-4]
  @Test("several instances that open, write and read concurrently use one store")
  func severalInstancesThatOpenWriteAndRead() throws {
    try Sample.withPath("objects-together") { path in
      let failures = Mutex<[String]>([])
      let workers = (0..<4).map { number in
        let worker = SerialWorker()
        worker.add {
          do {
            let store = try Sample.open(path)
            for round in 0..<25 {
              _ = try store.write { transaction in
                transaction.author = "\(number)"
                let id = transaction.newID(of: Sample.tag)
                transaction.insert(Sample.row(id, ["level": .integer(Int64(round))]))
              }
              _ = try store.read { try $0.fetchIDs(StoreFetch(entities: [Sample.tag])) }
            }
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
        return worker
      }
      for worker in workers { try worker.finish() }
      #expect(failures.withLock { $0 } == [])
      let store = try Sample.open(path)
      let history = try store.read { try $0.history(after: 0) }
      #expect(try store.read { try $0.ids(of: Sample.tag).count } == 100 && history.count == 100)
      for number in 0..<4 { #expect(history.count { $0.author == "\(number)" } == 25) }
      #expect(try store.check() == [])
    }
  }

  @Test("a store that is not durable syncs nothing and otherwise behaves the same")
  func storeThatIsNotDurableSyncsNothing() throws {
    try Sample.withPath("objects-undurable") { path in
      var options = Sample.options
      options.isDurable = false
      var changes = RandomChanges(seed: TestSeed.value("undurable"))
      let store = try Sample.open(path, options: options)
      for _ in 0..<30 { try changes.step(store) }
      #expect(try store.check() == [])
      let tags = changes.model.rows.keys.filter { Int($0.entity) == Sample.tag }
      #expect(try store.read { try $0.ids(of: Sample.tag) } == tags.sorted())
    }
  }

  /// A file system that runs `body` before the first call for which `matches` is true.
  private func fileSystem(
    before matches: @escaping @Sendable (FileSystemCall) -> Bool, _ body: @escaping @Sendable () throws -> Void
  ) -> FileSystem {
    let isDone = Mutex(false)
    return FileSystem(observing: .allCalls) { call in
      let isFirst =
        matches(call)
        && isDone.withLock { done in
          defer { done = true }
          return !done
        }
      if isFirst { #expect(throws: Never.self) { try body() } }
      return .proceed
    }
  }

  @Test("of two concurrent removals the later one finds no store, and leaves a store that was created since then")
  func ofTwoConcurrentRemovalsTheLater() throws {
    try Sample.withPath("objects-removals") { path in
      let conditions: [@Sendable (FileSystemCall) -> Bool] = [
        { $0 == .openDirectory(path) },
        { $0 == .openFile(path + "/store.json") },
        { $0 == .openDirectory(path + "/.journal") },
        { $0 == .openFile(path + "/.journal/root") },
        { if case .rename(from: path, to: _) = $0 { true } else { false } },
      ]
      for (number, matches) in conditions.enumerated() {
        _ = try Sample.open(path)
        try ObjectStore.destroy(path, in: fileSystem(before: matches) { try remove(path) })
        #expect(try folder(path).entries().map(\.name) == [], "at call \(number)")
      }
      for (number, matches) in conditions.dropLast().dropFirst().enumerated() {
        _ = try Sample.open(path)
        let made = Mutex("")
        try ObjectStore.destroy(
          path,
          in: fileSystem(before: matches) {
            try ObjectStore.destroy(path)
            let identifier = try Sample.open(path).identifier
            made.withLock { $0 = identifier }
          })
        #expect(try Sample.open(path).identifier == made.withLock { $0 }, "at call \(number)")
        try ObjectStore.destroy(path)
      }
    }
  }

  /// Removes a store as another process does that already has the locks.
  private func remove(_ path: String) throws {
    let parent = try folder(path)
    try parent.rename("private.sqlite", to: parent, as: ".removed")
    try parent.removeTree(".removed")
  }

  @Test("a folder that cannot be read is an error, not a missing store")
  func folderThatCannotBeRead() throws {
    try Sample.withPath("objects-unreadable") { path in
      let store = try Sample.open(path)
      let parent = try folder(path).path
      let fileSystem = FileSystem(observing: .allCalls) { call in
        if case .openDirectory(parent) = call { .fail(SystemError.accessDenied) } else { .proceed }
      }
      #expect(throws: ObjectStoreError.self) { try ObjectStore.destroy(path, in: fileSystem) }
      #expect(try store.read { try $0.head() } == 0)
    }
  }
}
