import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization
import Testing

@Suite("File permissions of a store")
struct PermissionTests {
  private typealias Sample = SampleStore

  /// The entries of a folder with permissions for other users, or with unusual permissions for the owner.
  private static func open(_ folder: Directory, _ path: String = "") throws -> [String] {
    var found: [String] = []
    for entry in try folder.entries() {
      let wanted: UInt32 = entry.kind == .directory ? 0o700 : 0o600
      let mode = try folder.permissions(of: entry.name)
      if let mode, mode != wanted { found.append("\(path)\(entry.name) \(String(mode, radix: 8))") }
      if entry.kind == .directory, let child = try folder.directoryIfPresent(entry.name) {
        found += try open(child, "\(path)\(entry.name)/")
      }
    }
    return found
  }

  private func parent(of path: String) throws -> Directory {
    try Directory.open(path: String(path.dropLast("/private.sqlite".count)), in: FileSystem())
  }

  private func open(around path: String) throws -> [String] {
    try Self.open(parent(of: path))
  }

  private func fill(_ store: ObjectStore) throws {
    _ = try store.write { transaction in
      let id = transaction.newID(of: Sample.post)
      let body = try transaction.external([1, 2, 3])
      transaction.insert(Sample.row(id, ["title": .string("One"), "body": .external(body)]))
      transaction.put(MirrorRow(id: id.number, key: "zone/One", values: ["tag": "a"]), in: .records)
    }
  }

  private func update(_ store: ObjectStore, _ text: String) throws {
    _ = try store.write { transaction in
      for id in try transaction.ids(of: Sample.post) {
        var row = try #require(try transaction.row(id))
        row.attributes[Sample.attributeIndex("title", of: Sample.post)] = .string(text)
        try transaction.update(row, changed: ["title"])
      }
    }
  }

  // [store-25]
  @Test("files and folders of every operation are private to the user from their creation on")
  func filesAndFoldersOfEveryOperation() throws {
    try Sample.withPath("permissions") { path in
      let parent = try self.parent(of: path)
      let seen = Mutex((calls: 0, open: Set<String>()))
      let fileSystem = FileSystem { _ in
        let open = (try? Self.open(parent)) ?? ["unreadable"]
        seen.withLock {
          $0.calls += 1
          $0.open.formUnion(open)
        }
        return .proceed
      }
      let store = try Sample.open(path, in: fileSystem)
      try fill(store)
      for number in 0..<6 { try update(store, String(repeating: "long \(number) ", count: 30)) }
      try store.setMetadata(["a": 1])
      try store.setIdentifier("5B2F6B0C-1F0E-4E55-9E5E-6D1C5C0F8A11")
      let generation = try store.generation()
      try update(store, "kept")
      #expect(generation != nil)
      let lease = MirroringLease(store)
      try lease.acquireIfFree()?.release()
      try store.purgeHistory(through: store.read { try $0.head() } - 1)
      _ = try store.scrub()
      try store.copy(to: path + ".copy", in: fileSystem)
      try store.copy(to: path + ".copy", in: fileSystem)
      try ObjectStore.migrate(
        path, StoreMapping(from: Sample.schema, to: Sample.schema), options: Sample.options, in: fileSystem)
      let migrated = try Sample.open(path, in: fileSystem)
      try update(migrated, "Other")
      try Directory.open(path: path, in: FileSystem()).directory(".index").remove("index")
      #expect(try migrated.read { try $0.ids(of: Sample.post).count } == 1)
      #expect(try migrated.check() == [])
      #expect(try open(around: path) == [])
      #expect(seen.withLock { $0.open } == [])
      #expect(seen.withLock { $0.calls } > 300)
    }
  }

  /// Sets the permissions that an earlier version of this library left under a usual umask.
  private func loosen(_ folder: Directory) throws {
    for entry in try folder.entries() {
      let path = folder.path(of: entry.name)
      #expect(try runProgram("/bin/chmod", [entry.kind == .directory ? "755" : "644", path]) == 0)
      if entry.kind == .directory { try loosen(folder.directory(entry.name)) }
    }
  }

  private func withLooseStore(_ body: (String) throws -> Void) throws {
    try Sample.withPath("permissions-loose") { path in
      try fill(Sample.open(path))
      try loosen(parent(of: path))
      #expect(try open(around: path).count > 10)
      try body(path)
    }
  }

  // [store-25]
  @Test("opening a store to write removes the permissions of other users; opening it read only does not")
  func openingAStoreToWriteRemoves() throws {
    try withLooseStore { path in
      let before = try open(around: path)
      var options = Sample.options
      options.isReadOnly = true
      _ = try Sample.open(path, options: options)
      #expect(try open(around: path) == before)
      let store = try Sample.open(path)
      #expect(try open(around: path) == [])
      #expect(try store.check() == [])
    }
  }

  // [store-25]
  @Test("after a killed opening that restricts permissions no other user can enter, and the next opening continues")
  func afterAKilledOpeningThatRestrictsPermissions() throws {
    try withLooseStore { path in
      let parent = try self.parent(of: path)
      let calls = try CrashHarness().trace { _ = try Sample.open(path, in: $0) }
      for point in CrashHarness().points(calls) {
        try loosen(parent)
        #expect(throws: (any Error).self) {
          _ = try Sample.open(path, in: CrashHarness().fileSystem(stoppingAt: point))
        }
        if point.call > 0 { #expect(try parent.permissions(of: "private.sqlite") == 0o700, "\(point)") }
        _ = try Sample.open(path)
        #expect(try open(around: path) == [], "\(point)")
      }
      #expect(calls.count > 10)
    }
  }

  // [store-25]
  @Test("opening a store does not add permissions that the owner lacks")
  func openingAStoreDoesNotAddPermissions() throws {
    try withLooseStore { path in
      #expect(try runProgram("/bin/chmod", ["444", path + "/history.jsonl"]) == 0)
      _ = try Sample.open(path)
      #expect(try open(around: path) == ["private.sqlite/history.jsonl 400"])
    }
  }

  // [store-25]
  @Test("opening a private store costs one permission check, independent of the number of files")
  func openingAPrivateStoreCostsOnePermission() throws {
    try Sample.withPath("permissions-cost") { path in
      func calls() throws -> Int {
        let count = Mutex(0)
        let fileSystem = FileSystem(observing: .allCalls) { _ in
          count.withLock { $0 += 1 }
          return .proceed
        }
        _ = try Sample.open(path, in: fileSystem)
        return count.withLock { $0 }
      }
      let store = try Sample.open(path)
      let few = try calls()
      for _ in 0..<20 { try fill(store) }
      let files = try Directory.open(path: path, in: FileSystem()).directory("objects").directory("Post").entries()
      #expect(files.count > 2)
      #expect(try calls() == few)
    }
  }

  // [store-25]
  @Test(
    "a store with permissions that cannot be changed is opened nevertheless",
    arguments: [SystemError.readOnly, SystemError.accessDenied, SystemError.inputOutput])
  func storeWithPermissionsThatCannotBeChanged(code: Int32) throws {
    try withLooseStore { path in
      let fileSystem = FileSystem { call in
        if case .setPermissions = call { .fail(code) } else { .proceed }
      }
      let store = try Sample.open(path, in: fileSystem)
      #expect(try store.read { try $0.ids(of: Sample.post).count } == 1)
      #expect(try !open(around: path).isEmpty)
    }
  }
}
