import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Damage of an object store")
struct DamageTests {
  private typealias Sample = SampleStore

  /// A store with two tags in one segment, and a post with a file of bytes.
  private func withStore(_ body: (ObjectStore, Directory, [RowID]) throws -> Void) throws {
    try Sample.withPath("objects-damage") { path in
      let store = try Sample.open(path)
      let ids = try store.write { transaction in
        let ids = [Sample.tag, Sample.tag, Sample.post].map { transaction.newID(of: $0) }
        transaction.insert(Sample.row(ids[0], ["name": .string("red")]))
        transaction.insert(Sample.row(ids[1], ["name": .string("blue")]))
        transaction.insert(Sample.row(ids[2], ["body": .external(try transaction.external([1, 2, 3]))]))
        return ids
      }.result
      try body(store, try Directory.open(path: path, in: FileSystem()), ids)
    }
  }

  private func segment(_ folder: Directory) throws -> (Directory, String) {
    let directory = try folder.directory("objects").directory("Tag")
    return (directory, try #require(try directory.entries().first?.name))
  }

  // [store-9]
  @Test("the check finds an invalid line, and the other lines can be read")
  func checkFindsAnInvalidLine() throws {
    try withStore { store, folder, ids in
      let (directory, name) = try segment(folder)
      try directory.file(name, .readWrite).write(Array("x".utf8), at: 0)
      let problems = try store.check()
      #expect(problems.map(\.path) == [directory.path(of: name)])
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.row(ids[0]) } }
      #expect(try store.read { try $0.row(ids[1])?.version } == 1)
      // The same with an index that is rebuilt from the damaged file.
      try folder.directory(".index").remove("index")
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.row(ids[0]) } }
      #expect(try store.read { try $0.row(ids[1])?.version } == 1)
      _ = try store.write {
        _ = $0.newNumber()
        _ = try $0.row(ids[1])
      }
      #expect(try store.check() == problems)
    }
  }

  @Test("the check and reads report a truncated line and a missing segment")
  func checkAndReadsReportATruncatedLine() throws {
    try withStore { store, folder, ids in
      let (directory, name) = try segment(folder)
      let file = try directory.file(name, .readWrite)
      try file.truncate(to: try file.size() - 5)
      #expect(!(try store.check()).isEmpty)
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.row(ids[1]) } }
      try directory.remove(name)
      #expect(!(try store.check()).isEmpty)
      #expect(throws: ObjectStoreError.self) { try Sample.open(store.path).read { try $0.row(ids[1]) } }
    }
  }

  // [store-10]
  @Test("the check finds a damaged index, and the next reader rebuilds it")
  func checkFindsADamagedIndex() throws {
    try withStore { store, folder, ids in
      let index = try folder.directory(".index").file("index", .readWrite)
      try index.write([UInt8](repeating: 0xFF, count: 64), at: 2 * 8192)
      #expect(try Sample.open(store.path).check().map(\.path) == [index.path])
      // The next reader rebuilds the index.
      #expect(try Sample.open(store.path).read { try $0.rows(ids).count } == 3)
      #expect(try Sample.open(store.path).check() == [])
    }
  }

  // [store-5]
  @Test("the check finds foreign files, unused binaries, and binaries with wrong or missing contents")
  func checkFindsForeignFilesUnusedBinaries() throws {
    try withStore { store, folder, _ in
      try folder.writeStaged("letter.txt", [])
      try folder.directory("objects").makeDirectory("Nothing")
      try segment(folder).0.writeStaged("a.jsonl", [])
      let binaries = try folder.directory("binaries")
      let name = try #require(try binaries.entries().first?.name)
      try binaries.writeStaged("other", [1])
      #expect(try store.check().count == 4)
      try binaries.file(name, .readWrite).write([9], at: 0)
      #expect(try store.check().count == 5)
      try binaries.remove(name)
      #expect(try store.check().count == 5)
      #expect(throws: ObjectStoreError.self) {
        try store.contents(of: ExternalBinary(digest: name, size: 3))
      }
    }
  }

  @Test("a reference to an object that does not exist is a note in the report, not a problem")
  func referenceToAnObject() throws {
    try withStore { store, _, _ in
      _ = try store.write { transaction in
        let ids = [Sample.person, Sample.note].map { transaction.newID(of: $0) }
        for id in ids { transaction.insert(Sample.row(id, [:], id == ids[1] ? ["author": ids[0]] : [:])) }
      }
      _ = try store.write { transaction in
        for id in try transaction.ids(of: Sample.person) { try transaction.delete(id) }
      }
      let report = try store.report()
      #expect(report.problems == [])
      #expect(report.notes.map(\.text) == ["Note/7 refers to Person/6, which is not there"])
    }
  }

  @Test("a store with a truncated history refuses reads and writes, and the check finds it")
  func storeWithATruncatedHistoryRefusesReads() throws {
    try withStore { store, folder, _ in
      try folder.file("history.jsonl", .readWrite).truncate(to: 10)
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.head() } }
      #expect(throws: ObjectStoreError.self) { try store.write { _ = $0.newNumber() } }
      #expect(!(try store.check()).isEmpty)
    }
  }

  @Test("a damaged segment does not prevent that other segments are rewritten")
  func damagedSegmentDoesNotPrevent() throws {
    try Sample.withPath("objects-candidates") { path in
      let store = try Sample.open(path)
      let ids = try store.write { transaction in
        (0..<60).map { number in
          let id = transaction.newID(of: Sample.tag)
          transaction.insert(Sample.row(id, ["name": .string("tag \(number)")]))
          return id
        }
      }.result
      let directory = try Directory.open(path: path, in: FileSystem()).directory("objects").directory("Tag")
      let segments = try directory.entries().map(\.name).filter { try (directory.size(of: $0) ?? 0) >= 900 }
      #expect(segments.count > 2)
      // The lines of the first two segments without the first line, which is damaged.
      let left = try segments.prefix(2).reduce(0) { try $0 + (directory.contents($1) ?? []).count { $0 == 10 } }
      try directory.file(segments[0], .readWrite).write(Array("x".utf8), at: 0)
      _ = try store.write { transaction in for id in ids[1..<left] { try transaction.delete(id) } }
      #expect(try segments.prefix(2).allSatisfy { try directory.exists($0) })
      for _ in 0..<3 {
        _ = try store.write { $0.insert(Sample.row($0.newID(of: Sample.person), ["name": .string("Ann")])) }
      }
      #expect(try segments.prefix(2).map { try directory.exists($0) } == [true, false])
      #expect(try store.check().map(\.path) == [directory.path(of: segments[0])])
      #expect(try store.read { try $0.rows(Array(ids[left...])).count } == ids.count - left)
    }
  }
}
