import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage
import Testing

/// A store without its index, with one line that cannot be parsed as a row.
@Suite("An invalid line and a lost index")
struct BadLineTests {
  private typealias Sample = SampleStore

  private struct IDs {
    var red, blue, post, ann, bob: RowID
  }

  /// Two tags in one segment, a post with both, and two people.
  private func withStore(_ body: (ObjectStore, StoreEditing, IDs) throws -> Void) throws {
    try Sample.withPath("objects-bad-line") { path in
      let store = try Sample.open(path)
      let ids = try store.write { transaction in
        let ids = [Sample.tag, Sample.tag, Sample.post, Sample.person, Sample.person]
          .map { transaction.newID(of: $0) }
        for (id, name) in [(ids[0], "red"), (ids[1], "blue"), (ids[3], "Ann"), (ids[4], "Bob")] {
          transaction.insert(Sample.row(id, ["name": .string(name)]))
        }
        let body = try transaction.external([1, 2, 3])
        transaction.insert(Sample.row(ids[2], ["body": .external(body)], ["author": ids[3]]))
        for tag in ids[0...1] { try transaction.link(ids[2], Sample.relationship("tags", of: Sample.post), to: tag) }
        transaction.put(MirrorRow(id: ids[0].number, key: "red", values: [:]), in: .records)
        transaction.put(MirrorRow(id: ids[1].number, key: "blue", values: [:]), in: .records)
        transaction.put(MirrorRow(id: transaction.newNumber(), key: "token", values: [:]), in: .state)
        return IDs(red: ids[0], blue: ids[1], post: ids[2], ann: ids[3], bob: ids[4])
      }.result
      try body(store, try StoreEditing(path), ids)
    }
  }

  private func expectDamage(
    _ path: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: ObjectStoreError.self, sourceLocation: sourceLocation) { try body() }
    guard case .damaged(path, let reason)? = error else {
      Issue.record("\(error as Any) does not name \(path)", sourceLocation: sourceLocation)
      return
    }
    #expect(reason.contains("the line at byte"), sourceLocation: sourceLocation)
  }

  private static let everyTag = StoreFetch(entities: [SampleStore.tag])

  // [store-29]
  @Test(
    "reading an entity with an invalid line fails only where that line is needed; other objects and entities are read",
    arguments: [true, false])
  func readingAnEntityWithAnInvalidLine(namesItsRow: Bool) throws {
    try withStore { store, files, ids in
      let path = try files.path("objects/Tag")
      try files.replace(0, of: "objects/Tag") { namesItsRow ? String($0.dropLast(2)) + "?}" : "x" + $0 }
      try files.loseIndex()
      #expect(try store.read { try $0.row(ids.blue)?.attributes.last } == .string("blue"))
      #expect(try store.read { try $0.rows([ids.blue, ids.ann]).map(\.id) } == [ids.blue, ids.ann])
      #expect(try store.read { try $0.fetchIDs(StoreFetch(entities: [Sample.person])) } == [ids.ann, ids.bob])
      #expect(try store.read { try $0.count(StoreFetch(entities: [Sample.post])) } == 1)
      #expect(
        try store.read { try $0.related(ids.ann, Sample.relationship("items", of: Sample.person)) } == [ids.post])
      #expect(
        try store.read { try $0.related(ids.post, Sample.relationship("tags", of: Sample.post)) }
          == [ids.red, ids.blue])
      expectDamage(path) { _ = try store.read { try $0.row(ids.red) } }
      expectDamage(path) { _ = try store.read { try $0.fetch(Self.everyTag) } }
      expectDamage(path) { _ = try store.read { try $0.fetchIDs(Self.everyTag) } }
      expectDamage(path) { _ = try store.read { try $0.count(Self.everyTag) } }
      expectDamage(path) { _ = try store.read { try $0.ids(of: Sample.tag) } }
      expectDamage(path) { _ = try store.read { try $0.row(RowID(entity: Sample.tag, number: 999)) } }
      // An object that is not found may be the damaged one, so the store does not report it as deleted.
      expectDamage(path) { _ = try store.read { try $0.id(numbered: 999) } }
      #expect(try store.check().map(\.path) == [path])
    }
  }

  // [store-29]
  @Test("a store with an invalid line accepts writes and does not change that line's segment or the binaries")
  func storeWithAnInvalidLineAcceptsWrites() throws {
    try withStore { store, files, ids in
      let (directory, name) = try files.segment("objects/Tag")
      try files.replace(0, of: "objects/Tag") { "x" + $0 }
      try files.loseIndex()
      let before = try directory.contents(name)
      for number in 0..<20 {
        _ = try store.write { transaction in
          var blue = try #require(try transaction.row(ids.blue))
          blue.attributes[Sample.attributeIndex("level", of: Sample.tag)] = .integer(Int64(number))
          try transaction.update(blue, changed: ["level"])
          transaction.insert(Sample.row(transaction.newID(of: Sample.tag), ["name": .string("tag \(number)")]))
        }
      }
      _ = try store.write { transaction in
        var post = try #require(try transaction.row(ids.post))
        post.attributes[Sample.attributeIndex("body", of: Sample.post)] = .null
        try transaction.update(post, changed: ["body"])
      }
      #expect(try directory.contents(name) == before)
      #expect(try files.folder.directory("binaries").entries().count == 1)
      #expect(
        try store.read { try $0.row(ids.blue) }?.attributes[Sample.attributeIndex("level", of: Sample.tag)]
          == .integer(19))
      expectDamage(directory.path(of: name)) { _ = try store.scrub() }
      expectDamage(directory.path(of: name)) {
        try ObjectStore.migrate(store.path, StoreMapping(from: Sample.schema, to: Sample.schema))
      }
    }
  }

  // [store-29]
  @Test("a store that writes does not overwrite an incomplete line at the end of a segment")
  func storeThatWritesDoesNotOverwrite() throws {
    try withStore { store, files, ids in
      let (directory, name) = try files.segment("objects/Tag")
      let file = try directory.file(name, .readWrite)
      try file.truncate(to: try file.size() - 5)
      try files.loseIndex()
      let before = try directory.contents(name)
      _ = try store.write {
        $0.insert(Sample.row($0.newID(of: Sample.tag), ["name": .string("green")]))
      }
      #expect(try directory.contents(name) == before)
      expectDamage(directory.path(of: name)) { _ = try store.read { try $0.row(ids.blue) } }
      #expect(try store.read { try $0.row(ids.red)?.version } == 1)
    }
  }

  // [store-29]
  @Test("an invalid line of links makes every relationship of that table fail; all other data is read")
  func invalidLineOfLinksMakesEveryRelationship() throws {
    try withStore { store, files, ids in
      let path = try files.path("links/Post.tags")
      try files.replace(0, of: "links/Post.tags") { $0.replacing("Tag/", with: "Nothing/") }
      try files.loseIndex()
      expectDamage(path) {
        _ = try store.read { try $0.related(ids.post, Sample.relationship("tags", of: Sample.post)) }
      }
      expectDamage(path) {
        _ = try store.read { try $0.related(ids.blue, Sample.relationship("posts", of: Sample.tag)) }
      }
      #expect(try store.read { try $0.fetchIDs(Self.everyTag) } == [ids.red, ids.blue])
      #expect(
        try store.read { try $0.related(ids.ann, Sample.relationship("items", of: Sample.person)) } == [ids.post])
    }
  }

  // [store-29]
  @Test("an invalid line of a mirroring table makes fetches from that table fail; all other data is read")
  func invalidLineOfAMirroringTableMakes() throws {
    try withStore { store, files, ids in
      let path = try files.path("mirroring/records")
      try files.replace(0, of: "mirroring/records") { _ in "null" }
      try files.loseIndex()
      expectDamage(path) { _ = try store.read { try $0.row(key: "red", in: .records) } }
      expectDamage(path) { _ = try store.read { try $0.row(ids.red.number, in: .records) } }
      expectDamage(path) { _ = try store.read { try $0.rows(prefix: "", in: .records) } }
      #expect(try store.read { try $0.row(ids.blue.number, in: .records)?.key } == "blue")
      #expect(try store.read { try $0.row(key: "token", in: .state) } != nil)
      #expect(try store.read { try $0.fetchIDs(Self.everyTag) } == [ids.red, ids.blue])
    }
  }

  // [store-29]
  @Test("a key that is too long for an index makes only its own line invalid")
  func longKey() throws {
    try withStore { store, files, ids in
      try files.replace(0, of: "mirroring/records") {
        $0.replacing("\"red\"", with: "\"\(String(repeating: "r", count: 5000))\"")
      }
      try files.loseIndex()
      #expect(try store.read { try $0.fetchIDs(Self.everyTag) } == [ids.red, ids.blue])
      #expect(try store.check().map(\.path) == [files.path("mirroring/records")])
    }
  }

  // [store-29]
  @Test("damage before the history's last line breaks only reads of the history; without its last line all reads fail")
  func damageBeforeTheHistorysLastLineBreaks() throws {
    try withStore { store, files, ids in
      for name in ["two", "three"] {
        _ = try store.write { $0.insert(Sample.row($0.newID(of: Sample.tag), ["name": .string(name)])) }
      }
      let path = files.folder.path(of: "history.jsonl")
      try files.replaceHistory(1) { "x" + $0 }
      #expect(try store.read { try $0.fetch(Self.everyTag).count } == 4)
      _ = try store.write { _ = $0.newNumber() }
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.history(after: 0) } }
      #expect(try store.check().map(\.path) == [path])
      try files.replaceHistory(3) { "x" + $0 }
      #expect(throws: ObjectStoreError.self) { try store.read { try $0.row(ids.red) } }
      #expect(Set(try store.check().map(\.path)) == [path])
    }
  }
}
