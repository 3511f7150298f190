import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("The mirroring's tables within a transaction")
struct TransactionTablesTests {
  /// Some keys share a prefix, and some differ only in their Unicode normal form.
  private static let keys = [
    "a|", "a|b", "a|bc", "a|b c", "ab", "a", "b|a", "a|\u{E9}", "a|e\u{301}", "a|\u{301}x", "a|\u{4E2D}", "from 1 ",
    "from 12 ",
  ]

  @Test("rows are found by key and by prefix, stored ones and those edited in the transaction")
  func lookUps() throws {
    let stage = try MirrorStage()
    let device = try stage.device("alice", "phone", isStarted: false)
    let engine = MirroringEngine(
      store: device.store, containerIdentifier: MirrorStage.container, scope: .private,
      acting: try stage.identity("alice", "phone"))
    let mirrored = engine.mirrored
    defer { engine.stop() }
    var random = SeededGenerator(seed: TestSeed.value(7))
    var known: [Int64: String] = [:]
    for _ in 0..<3 {
      try mirrored.edit { edits in
        for step in 0..<200 {
          let key = try #require(Self.keys.randomElement(using: &random))
          if step % 3 == 2, let id = known.keys.sorted().randomElement(using: &random) {
            edits.remove(id, from: .waiting)
            known[id] = nil
          } else {
            let isNew = step % 3 == 0
            let old = isNew ? nil : known.keys.sorted().randomElement(using: &random)
            let id = old ?? edits.newNumber()
            edits.put(MirrorRow(id: id, key: key, values: [:]), in: .waiting)
            known[id] = key
          }
          try check(known, edits)
        }
      }
    }
  }

  private func check(_ known: [Int64: String], _ edits: StoreTransaction) throws {
    for key in Self.keys {
      let found = try edits.rows(key: key, in: .waiting)
      let expected = known.filter { $0.value.utf8.elementsEqual(key.utf8) }.keys.sorted()
      #expect(found.map(\.id).sorted() == expected)
      let beginning = try edits.rows(prefix: key, in: .waiting)
      #expect(beginning.map(\.id).sorted() == known.filter { $0.value.utf8.starts(with: key.utf8) }.keys.sorted())
    }
    #expect(try edits.rows(prefix: "", in: .waiting).map(\.id).sorted() == known.keys.sorted())
  }

  @Test("a pair names its relationship with the entity that declares it")
  func pairNamesItsRelationshipWithTheEntity() throws {
    let schema = TestModel.schema
    func index(_ name: String) -> Int? {
      let location = RecordLocation(.private, "l")
      let ids = (1...2).map { RowID(entity: 0, number: $0) }
      return LinkEntry(relationship: name, forward: ids[0], backward: ids[1], location: location, rows: [3, 4, 5])
        .relationshipIndex(in: schema)
    }
    for relationship in schema.relationships.indices {
      #expect(index(LinkEntry.name(of: relationship, in: schema)) == relationship)
    }
    let unknown = ["Post.none", "None.tags", "ImagePost.tags", "Post", "Post.", ".tags", ""]
    #expect(unknown.allSatisfy { index($0) == nil })
  }

  @Test("the chunks of a list have all its elements in order")
  func chunksOfAList() {
    #expect([1, 2, 3, 4, 5].chunks(of: 2).map(Array.init) == [[1, 2], [3, 4], [5]])
    #expect([1, 2].chunks(of: 2).map(Array.init) == [[1, 2]])
    #expect([Int]().chunks(of: 2).isEmpty)
  }
}
