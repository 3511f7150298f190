import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Generations of an object store")
struct GenerationTests {
  private typealias Sample = SampleStore

  private func insert(_ count: Int, into store: ObjectStore, author: RowID? = nil) throws -> [RowID] {
    try store.write { transaction in
      (0..<count).map { number in
        let id = transaction.newID(of: Sample.note)
        transaction.insert(
          Sample.row(id, ["title": .string("note \(number)")], author.map { ["author": $0] } ?? [:]))
        return id
      }
    }.result
  }

  private func rename(_ id: RowID, to title: String, in store: ObjectStore) throws {
    _ = try store.write { transaction in
      var row = try #require(try transaction.row(id))
      row.attributes[Sample.attributeIndex("title", of: Sample.note)] = .string(title)
      try transaction.update(row, changed: ["title"])
    }
  }

  private func titles(_ rows: [StoredRow]) -> [StoredValue] {
    rows.map { $0.attributes[Sample.attributeIndex("title", of: Sample.note)] }
  }

  private func pins(_ path: String) -> [String] {
    let folder = try? Directory.open(path: path + "/.journal/pins", in: FileSystem())
    return (try? folder?.entries().map(\.name)) ?? []
  }

  @Test(
    "[store-15] a generation stays readable while other processes change, delete and insert objects"
  )
  func generationStaysReadableWhileOtherProcesses() throws {
    try Sample.withPath("generation-stays") { path in
      let store = try Sample.open(path)
      let ids = try insert(30, into: store)
      let generation = try #require(try store.generation())
      let other = try Sample.open(path)
      for round in 0..<40 { try rename(ids[round % 10], to: "round \(round)", in: other) }
      _ = try other.write { transaction in for id in ids[20...] { try transaction.delete(id) } }
      _ = try insert(5, into: other)
      var fetch = StoreFetch(entities: [Sample.note], predicate: nil)
      fetch.sort = []
      let before = try store.read(at: generation) { try $0.fetch(fetch) }
      #expect(before.map(\.id) == ids)
      #expect(titles(before) == (0..<30).map { .string("note \($0)") })
      #expect(try store.read(at: generation) { try $0.head() } == generation.transaction)
      #expect(try store.read { try $0.ids(of: Sample.note).count } == 25)
      #expect(try store.read { try titles($0.rows([ids[9]])) } == [.string("round 39")])
      #expect(try store.check().isEmpty)
    }
  }

  @Test("segments are rewritten again after the last reader of a generation has ended")
  func segmentsAreRewrittenAgainAfterTheLast() throws {
    try Sample.withPath("generation-ends") { path in
      let store = try Sample.open(path)
      let ids = try insert(30, into: store)
      func segments() throws -> Set<String> {
        Set(try Directory.open(path: path + "/objects/Note", in: FileSystem()).entries().map(\.name))
      }
      let first = try segments()
      var generation = try store.generation()
      #expect(generation != nil)
      #expect(pins(path).count == 1)
      for round in 0..<30 { try rename(ids[round], to: "first \(round)", in: store) }
      #expect(try segments().isSuperset(of: first))
      generation = nil
      #expect(pins(path).isEmpty)
      for round in 0..<30 { try rename(ids[round], to: "second \(round)", in: store) }
      #expect(try segments().isDisjoint(with: first))
      #expect(try store.read { try titles($0.rows(ids)) } == (0..<30).map { .string("second \($0)") })
    }
  }

  @Test("[store-15] pins of a killed process retain no pages, and the next commit removes them")
  func pinsOfAKilledProcessRetain() throws {
    try Sample.withPath("generation-killed") { path in
      let store = try Sample.open(path)
      let ids = try insert(3, into: store)
      let generation = try #require(try store.generation())
      let folder = try Directory.open(path: path + "/.journal/pins", in: FileSystem())
      try folder.writeStaged("1000000-1-1", [])
      try folder.writeStaged("garbage", [])
      try rename(ids[0], to: "other", in: store)
      #expect(pins(path).count == 1)
      #expect(try store.read(at: generation) { try titles($0.rows([ids[0]])) } == [.string("note 0")])
    }
  }

  @Test("a generation that a growing store cannot retain is reported as lost and never returns wrong data")
  func generationThatAGrowingStoreCannotRetain() throws {
    try Sample.withPath("generation-lost") { path in
      var options = Sample.options
      options.limits.pinnedPages = 0
      let store = try Sample.open(path, options: options)
      let ids = try insert(300, into: store)
      let generation = try #require(try store.generation())
      var losses = 0
      for round in 0..<300 {
        try rename(ids[round], to: "round \(round)", in: store)
        do {
          let rows = try store.read(at: generation) { try $0.rows([ids[round]]) }
          #expect(titles(rows) == [.string("note \(round)")])
        } catch is StoreGeneration.Lost { losses += 1 }
      }
      #expect(losses > 0)
    }
  }

  @Test("a store that is opened read only offers no generation")
  func readOnly() throws {
    try Sample.withPath("generation-read-only") { path in
      let store = try Sample.open(path)
      var options = Sample.options
      options.isReadOnly = true
      let reader = try Sample.open(path, options: options)
      #expect(try reader.generation() == nil)
      #expect(try store.generation() != nil)
    }
  }
}
