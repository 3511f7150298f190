import FaultInjection
import LocalCloudObjectStore
import Testing

@Suite("Derived sums at the limits of integers")
struct DerivedLimitTests {
  /// Boxes and tags contain things; both derive the sum of the amounts of their things.
  private static let schema: StoreSchema = {
    var box = StoreSchema.Declaration(name: "Box")
    box.attributes = [.init(name: "sum", type: .integer64, derivation: "things.@sum.amount")]
    box.relationships = [.init(name: "things", destination: "Thing", isToMany: true, inverse: "box")]
    var tag = StoreSchema.Declaration(name: "Tag")
    tag.attributes = box.attributes
    tag.relationships = [.init(name: "things", destination: "Thing", isToMany: true, inverse: "tags")]
    var thing = StoreSchema.Declaration(name: "Thing")
    thing.attributes = [.init(name: "amount", type: .integer64)]
    thing.relationships = [
      .init(name: "box", destination: "Box", isToMany: false, inverse: "things"),
      .init(name: "tags", destination: "Tag", isToMany: true, inverse: "things"),
    ]
    return StoreSchema([box, tag, thing])
  }()

  private static let (box, tag, thing) = (0, 1, 2)

  @Test("[object-derived-3] an overflowing difference makes the store recompute the sum; an overflowing sum is nil")
  func overflowingDifferenceMakesTheStoreRecompute() throws {
    try SampleStore.withPath("derived-limits") { path in
      let store = try ObjectStore(path, schema: Self.schema)
      func row(_ id: RowID, _ amount: Int64?, in box: RowID? = nil) -> StoredRow {
        StoredRow(
          id: id, version: 1, attributes: [amount.map { .integer($0) } ?? .null],
          toOnes: Int(id.entity) == Self.thing ? [box] : [])
      }
      func sums(_ ids: [RowID]) throws -> [StoredValue] {
        try store.read { view in try ids.map { try view.row($0)?.attributes[0] ?? .boolean(false) } }
      }
      let tags = try #require(Self.schema.relationship(named: "tags", of: Self.thing))
      let (owners, thing) = try store.write { transaction in
        let owners = [Self.box, Self.box, Self.tag].map { transaction.newID(of: $0) }
        for id in owners { transaction.insert(row(id, nil)) }
        let thing = transaction.newID(of: Self.thing)
        transaction.insert(row(thing, .min, in: owners[0]))
        try transaction.link(thing, tags, to: owners[2])
        return (owners, thing)
      }.result
      #expect(try sums(owners) == [.integer(.min), .integer(0), .integer(.min)])
      // From one limit to the other.
      _ = try store.write { try $0.update(row(thing, .max, in: owners[0]), changed: ["amount"]) }
      #expect(try sums(owners) == [.integer(.max), .integer(0), .integer(.max)])
      // Beyond the limit, and back.
      let other = try store.write { transaction in
        let other = transaction.newID(of: Self.thing)
        transaction.insert(row(other, 1, in: owners[0]))
        return other
      }.result
      #expect(try sums(owners) == [.null, .integer(0), .integer(.max)])
      _ = try store.write { try $0.update(row(other, .min, in: owners[1]), changed: ["amount", "box"]) }
      #expect(try sums(owners) == [.integer(.max), .integer(.min), .integer(.max)])
      // A thing that leaves a box or a tag is subtracted with its former amount.
      _ = try store.write { transaction in
        try transaction.update(row(other, .min, in: owners[0]), changed: ["box"])
        try transaction.unlink(thing, tags, from: owners[2])
      }
      #expect(try sums(owners) == [.integer(-1), .integer(0), .integer(0)])
      _ = try store.write { try $0.delete(other) }
      #expect(try sums(owners) == [.integer(.max), .integer(0), .integer(0)])
    }
  }
}
