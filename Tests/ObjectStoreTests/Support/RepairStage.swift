import FaultInjection
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage
import Testing

/// Creates a store to damage, and repairs it.
enum RepairStage {
  private typealias Sample = SampleStore

  struct IDs {
    var red, blue, post, ann: RowID
  }

  /// Two tags, the blue one with two versions; a post with both tags and a binary; its author; a mirrored record.
  static func fill(_ store: ObjectStore) throws -> IDs {
    let ids = try store.write { transaction in
      let ids = [Sample.tag, Sample.tag, Sample.post, Sample.person].map { transaction.newID(of: $0) }
      for (id, name) in [(ids[0], "red"), (ids[1], "blue"), (ids[3], "Ann")] {
        transaction.insert(Sample.row(id, ["name": .string(name)]))
      }
      let body = try transaction.external([1, 2, 3])
      transaction.insert(Sample.row(ids[2], ["body": .external(body)], ["author": ids[3]]))
      for tag in ids[0...1] { try transaction.link(ids[2], Sample.relationship("tags", of: Sample.post), to: tag) }
      transaction.put(MirrorRow(id: ids[3].number, key: "zone|Ann", values: ["n": 1]), in: .records)
      return IDs(red: ids[0], blue: ids[1], post: ids[2], ann: ids[3])
    }.result
    _ = try store.write { transaction in
      var blue = try #require(try transaction.row(ids.blue))
      blue.attributes[Sample.attributeIndex("name", of: Sample.tag)] = .string("navy")
      try transaction.update(blue, changed: ["name"])
    }
    return ids
  }

  /// The rows of a mirroring that has exported everything: a record for each object and link, and their zone.
  static func mirror(_ store: ObjectStore, _ ids: IDs) throws {
    let head = try store.read { try $0.head() }
    _ = try store.write { transaction in
      for (id, name) in [(ids.red, "R"), (ids.blue, "B"), (ids.post, "P"), (ids.ann, "A")] {
        var entry = RecordEntry(id: id, location: RecordLocation(.private, name))
        (entry.tag, entry.sent) = ("t1", head)
        transaction.put(entry.row, in: .records)
      }
      for (tag, name) in [(ids.red, "PR"), (ids.blue, "PB")] {
        let rows = (0..<3).map { _ in transaction.newNumber() }
        var entry = LinkEntry(
          relationship: "Post.tags", forward: ids.post, backward: tag,
          location: RecordLocation(.private, name), rows: rows)
        entry.isSent = true
        for row in entry.mirrorRows { transaction.put(row, in: .links) }
      }
      var zone = ZoneEntry(number: transaction.newNumber(), location: .private)
      (zone.token, zone.isMade) = ("token", true)
      transaction.put(zone.row, in: .zones)
      transaction.put(
        MirrorRow(id: transaction.newNumber(), key: StateKey.export, values: ["token": .integer(head)]), in: .state)
    }
  }

  static func withStore(_ body: (ObjectStore, StoreEditing, IDs) throws -> Void) throws {
    try Sample.withPath("objects-repair") { path in
      let store = try Sample.open(path)
      let ids = try fill(store)
      try body(store, try StoreEditing(path), ids)
    }
  }

  static let time: Int64 = 1_785_542_400_000

  /// Repairs a store and returns the texts of the report. Expects a valid store, nothing for a second repair, and new
  /// commits.
  static func repair(_ store: ObjectStore, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
    let report = try ObjectStore.repair(store.path, options: Sample.options, at: time)
    #expect(report.left == [], sourceLocation: sourceLocation)
    let files = try StoreEditing(store.path)
    let aside = try files.aside()
    let again = try ObjectStore.repair(store.path, options: Sample.options, at: time)
    #expect(again == RepairReport(done: [], left: []), sourceLocation: sourceLocation)
    #expect(try files.aside() == aside, sourceLocation: sourceLocation)
    // An instance that was open during the repair continues, as a new one does.
    for store in [store, try Sample.open(store.path)] {
      let head = try store.read { try $0.head() }
      let id = try store.write { transaction in
        let id = transaction.newID(of: Sample.tag)
        transaction.insert(Sample.row(id, ["name": .string("next")]))
        return id
      }.result
      #expect(id.number > head, sourceLocation: sourceLocation)
      #expect(try store.check() == [], sourceLocation: sourceLocation)
    }
    return report.done.map(\.text)
  }

  static func name(_ store: ObjectStore, _ id: RowID) throws -> StoredValue? {
    try store.read { try $0.row(id) }?.attributes[Sample.attributeIndex("name", of: Sample.tag)]
  }
}
