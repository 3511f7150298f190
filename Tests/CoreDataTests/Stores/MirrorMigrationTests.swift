import FaultInjection
import Foundation
import LocalCloudCoreDataMirroring
import LocalCloudObjectStore
import LocalCloudStorage
import Testing

@testable import CoreData

@Suite("Migration of the mirroring's rows")
struct MirrorMigrationTests {
  private func schema(_ post: String, _ tag: String, _ tags: String, isRenamed: Bool, others: Bool) -> StoreSchema {
    func entity(_ name: String, _ old: String, _ relationships: [StoreSchema.RelationshipDeclaration])
      -> StoreSchema.Declaration
    {
      var entity = StoreSchema.Declaration(name: name)
      entity.renamingIdentifier = isRenamed ? old : nil
      entity.versionHash = isRenamed ? "2" : "1"
      entity.relationships = relationships
      return entity
    }
    var entities = [
      entity(
        post, "Post",
        [
          .init(
            name: tags, destination: tag, isToMany: true, inverse: "posts", renamingIdentifier: isRenamed ? "tags" : nil
          ),
          .init(
            name: isRenamed ? "writer" : "author", destination: "Person", isToMany: false,
            renamingIdentifier: isRenamed ? "author" : nil),
        ]),
      entity(tag, "Tag", [.init(name: "posts", destination: post, isToMany: true, inverse: tags)]),
      entity("Person", "Person", []),
    ]
    if others { entities.append(entity("Gone", "Gone", [])) }
    return StoreSchema(entities)
  }

  // [stores-19]
  @Test("links, records and waiting references get the new names; rows of removed entities are deleted")
  func linksRecordsAndWaitingReferencesGet() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/one.sqlite"
    let before = schema("Post", "Tag", "tags", isRenamed: false, others: true)
    // The tag's relationship is now the first in the order of names and identifies the pairs.
    let after = schema("Zpost", "Atag", "labels", isRenamed: true, others: false)
    let zone = ZoneLocation(zone: "zone", owner: "owner")
    func location(_ name: String) -> RecordLocation { RecordLocation(zone, name) }
    let store = try ObjectStore(path, schema: before)
    let ids = try store.write { transaction in
      let ids = try ["Post", "Tag", "Person", "Gone"].map { name in
        transaction.newID(of: try #require(before.entity(named: name)))
      }
      for id in ids {
        let entity = before.entities[Int(id.entity)]
        transaction.insert(
          StoredRow(id: id, version: 0, attributes: [], toOnes: entity.toOnes.map { _ in nil }))
        transaction.put(RecordEntry(id: id, location: location("record \(id.number)")).row, in: .records)
      }
      // The record of a deleted object.
      let deleted = RowID(entity: 0, number: transaction.newNumber())
      transaction.put(RecordEntry(id: deleted, location: location("deleted")).row, in: .records)
      let rows = (0..<3).map { _ in transaction.newNumber() }
      let pair = LinkEntry(
        relationship: "Post.tags", forward: ids[0], backward: ids[1], location: location("pair"),
        rows: rows)
      for row in pair.mirrorRows { transaction.put(row, in: .links) }
      let ends = (
        LinkRecord.End(entity: "Post", relationship: "tags", record: "a"),
        LinkRecord.End(entity: "Tag", relationship: "posts", record: "b")
      )
      let link = try #require(
        LinkRecord(["home": location("waiting").value, "first": ends.0.value, "second": ends.1.value] as JSONValue))
      for reference in [
        WaitingEntry.Reference.toOne(ids[0], relationship: "author"), .link(link),
        .toOne(ids[3], relationship: "any"),
      ] {
        transaction.put(
          WaitingEntry(number: transaction.newNumber(), target: location("target"), reference: reference).row,
          in: .waiting)
      }
      for id in [ids[0], ids[3]] {
        transaction.put(
          MirrorRow(
            id: transaction.newNumber(), key: StateKey.pending(id), objects: [id],
            values: ["object": .integer(id.number)]),
          in: .state)
      }
      return ids + [deleted]
    }.result
    let mapping = try StoreMapping(from: before, to: after)
    let rows = MirrorMigration(mapping)
    try ObjectStore.migrate(path, mapping) { try rows.row($1, in: $0, $2) }
    let migrated = try ObjectStore(path, schema: after)
    #expect(try migrated.check() == [])
    let newIDs = try zip(ids, ["Zpost", "Atag", "Person"]).map { id, name in
      RowID(entity: try #require(after.entity(named: name)), number: id.number)
    }
    try migrated.read { view in
      // Records of changed record types are deleted.
      #expect(try view.rows(prefix: "", in: .records).map(\.id).sorted() == [ids[2].number, ids[4].number])
      let pairs = try view.links(of: newIDs[1], isForward: true)
      #expect(pairs.count == 1 && pairs[0].relationship == "Atag.posts" && pairs[0].backward == newIDs[0])
      #expect(try view.links(of: newIDs[0], isForward: false).map(\.rows) == pairs.map(\.rows))
      #expect(try view.rows(prefix: "", in: .links).count == 3)
      #expect(
        try view.rows(prefix: "record ", in: .links).compactMap { try view.link($0)?.location } == [location("pair")])
      let waiting = try view.rows(prefix: "", in: .waiting).compactMap { WaitingEntry($0)?.reference }
      guard waiting.count == 2, case .toOne(newIDs[0], "writer") = waiting[0], case .link(let link) = waiting[1]
      else {
        Issue.record("\(waiting)")
        return
      }
      #expect(link.first == .init(entity: "Atag", relationship: "posts", record: "b"))
      #expect(link.second == .init(entity: "Zpost", relationship: "labels", record: "a"))
      #expect(try view.rows(prefix: StateKey.pending, in: .state).map(\.key) == [StateKey.pending(newIDs[0])])
    }
  }
}
