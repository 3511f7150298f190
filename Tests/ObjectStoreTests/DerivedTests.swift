import FaultInjection
import Testing

@testable import LocalCloudObjectStore

@Suite("Derived attributes")
struct DerivedTests {
  @Test("[object-derived-2] the store accepts the documented forms of derivation expressions and no others")
  func storeAcceptsTheDocumentedFormsOfDerivation() {
    func form(_ text: String) -> DerivedExpression? { DerivedExpression(text) }
    #expect(form("now()") == .now)
    #expect(form(" now( ) ") == .now)
    #expect(form("name") == .value(["name"], nil))
    #expect(form("author.name") == .value(["author", "name"], nil))
    #expect(form("canonical:(author.name)") == .value(["author", "name"], .canonical))
    #expect(form("uppercase: ( name )") == .value(["name"], .uppercase))
    #expect(form("lowercase:(name)") == .value(["name"], .lowercase))
    #expect(form("items.@count") == .count(relationship: "items"))
    #expect(form("items.@sum.price") == .sum(relationship: "items", attribute: "price"))
    #expect(form("items.price.@sum") == .sum(relationship: "items", attribute: "price"))
    let others = [
      "", ".", "a.", "@count", "items.@avg.price", "items.@sum", "@sum.items.price", "items.@count.x", "a.b.@count",
      "a b + 1", "a+b", "trim:(name)", "canonical:()", "canonical:(name", "now(1)", "a.@sum.@count", "now()()",
      "items.price.tax.@sum", "5 + 5", "canonical:(items.@count)",
    ]
    for text in others { #expect(form(text) == nil, "\(text)") }
  }

  // MARK: Refusals

  private func failure(_ attribute: StoreSchema.Attribute) -> ObjectStoreError? {
    var declarations = Sample.declarations
    declarations[0].attributes.append(attribute)
    do {
      try SampleStore.withPath("derived-refused") { _ = try ObjectStore($0, schema: StoreSchema(declarations)) }
    } catch {
      return error as? ObjectStoreError
    }
    return nil
  }

  @Test(
    "[object-derived-5] a derivation that the store cannot compute is refused with the entity's and attribute's names",
    arguments: [
      ("items.@avg.amount", .integer64), ("", .string), ("owner.name", .string), ("items.@count", .string),
      ("missing", .string), ("name", .integer64), ("uppercase:(name)", .integer64), ("items.name", .string),
      ("items.@sum.label", .integer64), ("total", .integer64), ("now()", .string), ("items.@sum.missing", .double),
      ("name.@count", .integer64),
    ] as [(String, StoreSchema.AttributeType)])
  func derivationThatTheStoreCannotCompute(text: String, type: StoreSchema.AttributeType) {
    guard
      case .derivation(_, let entity, let attribute, let reason)? = failure(
        .init(name: "z", type: type, derivation: text))
    else {
      Issue.record("\(text) is not refused")
      return
    }
    #expect(entity == "Owner")
    #expect(attribute == "z")
    #expect(!reason.isEmpty)
  }

  // MARK: Values

  /// Owners have items; items have tags and friends.
  private enum Sample {
    static var declarations: [StoreSchema.Declaration] {
      var owner = StoreSchema.Declaration(name: "Owner")
      owner.attributes = [
        .init(name: "name", type: .string), .init(name: "count", type: .integer64, derivation: "items.@count"),
        .init(name: "total", type: .integer32, derivation: "items.@sum.amount"),
        .init(name: "weight", type: .double, derivation: "items.weight.@sum"),
        .init(name: "plain", type: .string, derivation: "canonical:(name)"),
      ]
      owner.relationships = [
        .init(name: "items", destination: "Item", isToMany: true, isOrdered: true, inverse: "owner"),
        .init(name: "boss", destination: "Owner", isToMany: false, inverse: nil),
      ]
      var item = StoreSchema.Declaration(name: "Item")
      item.attributes = [
        .init(name: "amount", type: .integer16), .init(name: "weight", type: .double),
        .init(name: "label", type: .string),
        .init(name: "ownerName", type: .string, derivation: "owner.name"),
        .init(name: "bossName", type: .string, derivation: "uppercase:(owner.boss.name)"),
        .init(name: "tagCount", type: .decimal, derivation: "tags.@count"),
        .init(name: "friendAmount", type: .double, derivation: "friends.@sum.amount"),
      ]
      item.relationships = [
        .init(name: "owner", destination: "Owner", isToMany: false, inverse: "items"),
        .init(name: "tags", destination: "Tag", isToMany: true, inverse: "items"),
        .init(name: "friends", destination: "Item", isToMany: true, inverse: "friends"),
      ]
      let special = StoreSchema.Declaration(name: "Special", parent: "Item")
      var tag = StoreSchema.Declaration(name: "Tag")
      tag.attributes = [.init(name: "amount", type: .integer64, derivation: "items.@sum.amount")]
      tag.relationships = [.init(name: "items", destination: "Item", isToMany: true, inverse: "tags")]
      return [owner, item, special, tag]
    }

    static let schema = StoreSchema(declarations)
    static let (item, owner, special, tag) = (0, 1, 2, 3)
  }

  /// Compares each object's derived attributes with values computed from all objects.
  private func compare(_ store: ObjectStore, _ text: String) throws {
    let schema = Sample.schema
    try store.read { view in
      var rows: [RowID: StoredRow] = [:]
      for entity in schema.entities.indices {
        try view.forEachRow(of: entity) {
          rows[$0.id] = $0
          return true
        }
      }
      func value(_ row: StoredRow?, _ name: String) -> StoredValue {
        guard let row, let index = schema.entities[Int(row.id.entity)].attributes.firstIndex(where: { $0.name == name })
        else { return .null }
        return row.attributes[index]
      }
      func target(_ row: StoredRow?, _ name: String) -> StoredRow? {
        guard let row, let relationship = schema.relationship(named: name, of: Int(row.id.entity)),
          let index = schema.entities[Int(row.id.entity)].toOnes.firstIndex(of: relationship)
        else { return nil }
        return row.toOnes[index].flatMap { rows[$0] }
      }
      func members(_ row: StoredRow, _ name: String) throws -> [StoredRow] {
        guard let relationship = schema.relationship(named: name, of: Int(row.id.entity)) else { return [] }
        return try view.related(row.id, relationship).sorted().compactMap { rows[$0] }
      }
      func sum(_ rows: [StoredRow], _ name: String) -> Int64 {
        rows.reduce(0) { sum, row in if case .integer(let number) = value(row, name) { sum + number } else { sum } }
      }
      for row in rows.values {
        switch Int(row.id.entity) {
        case Sample.owner:
          let items = try members(row, "items")
          #expect(value(row, "count") == .integer(Int64(items.count)), "\(text)")
          #expect(value(row, "total") == .integer(sum(items, "amount")), "\(text)")
          let weight = items.reduce(0.0) { sum, row in
            if case .double(let number) = value(row, "weight") { sum + number } else { sum }
          }
          #expect(value(row, "weight") == .double(weight), "\(text)")
          let name = value(row, "name")
          #expect(value(row, "plain") == (name == .null ? .null : .string("zoe")), "\(text)")
        case Sample.tag:
          #expect(value(row, "amount") == .integer(sum(try members(row, "items"), "amount")), "\(text)")
        default:
          let owner = target(row, "owner")
          #expect(value(row, "ownerName") == value(owner, "name"), "\(text)")
          let boss = value(target(owner, "boss"), "name")
          let expected: StoredValue = if case .string(let name) = boss { .string(name.uppercased()) } else { .null }
          #expect(value(row, "bossName") == expected, "\(text)")
          #expect(value(row, "tagCount") == .decimal("\(try members(row, "tags").count)"), "\(text)")
          #expect(value(row, "friendAmount") == .double(Double(sum(try members(row, "friends"), "amount"))), "\(text)")
        }
      }
    }
  }

  @Test(
    "[object-derived-1] [object-derived-3] [object-derived-6] derived values are right after random transactions",
    arguments: [1, 2] as [UInt64])
  func derivedValuesAreRightAfterRandomTransactions(own: UInt64) throws {
    try SampleStore.withPath("derived-random") { path in
      var random = SeededGenerator(seed: TestSeed.value(own))
      let store = try ObjectStore(path, schema: Sample.schema)
      var ids: [RowID] = []
      for step in 0..<120 {
        let (before, generator) = (ids, random)
        _ = try store.write { transaction in
          (ids, random) = (before, generator)
          for _ in 0..<Int.random(in: 1...6, using: &random) { try change(transaction, &ids, &random) }
        }
        try compare(store, "step \(step)")
      }
      let versions = try store.read { try $0.rows(ids).map(\.version) }
      _ = try store.write { try $0.recomputeDerived() }
      try compare(store, "at the end")
      #expect(try store.read { try $0.rows(ids).map(\.version) } == versions)
      #expect(try store.check() == [])
    }
  }

  private func change(
    _ transaction: StoreTransaction, _ ids: inout [RowID], _ random: inout SeededGenerator
  ) throws {
    func any(_ entities: Int...) -> RowID? {
      ids.filter { entities.contains(Int($0.entity)) }.randomElement(using: &random)
    }
    func row(_ id: RowID) -> StoredRow {
      let entity = Sample.schema.entities[Int(id.entity)]
      let attributes = entity.attributes.map { attribute -> StoredValue in
        switch attribute.name {
        // The store replaces values that the caller gives for derived attributes.
        case _ where attribute.isDerived: return Bool.random(using: &random) ? .null : .integer(77)
        case _ where Int.random(in: 0..<4, using: &random) == 0: return .null
        case "amount": return .integer(Int64.random(in: -5...5, using: &random))
        case "weight": return .double(Double.random(in: -5...5, using: &random))
        default: return .string(["Zoë", "zoe", "ZOÉ"].randomElement(using: &random) ?? "")
        }
      }
      let toOnes = entity.toOnes.map { _ in Int.random(in: 0..<4, using: &random) == 0 ? nil : any(Sample.owner) }
      return StoredRow(id: id, version: 0, attributes: attributes, toOnes: toOnes)
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3:
      let entities = [Sample.item, Sample.owner, Sample.special, Sample.tag]
      let id = transaction.newID(of: entities.randomElement(using: &random) ?? 0)
      transaction.insert(row(id))
      ids.append(id)
    case 3..<6: if let id = ids.randomElement(using: &random) { try transaction.update(row(id), changed: ["x"]) }
    case 6:
      guard ids.count > 4, let id = ids.randomElement(using: &random) else { return }
      try transaction.delete(id)
      ids.removeAll { $0 == id }
    default:
      let name = Bool.random(using: &random) ? "tags" : "friends"
      let relationship = try #require(Sample.schema.relationship(named: name, of: Sample.item))
      guard let item = any(Sample.item, Sample.special),
        let other = name == "tags" ? any(Sample.tag) : any(Sample.item, Sample.special)
      else { return }
      if Int.random(in: 0..<3, using: &random) == 0 {
        try transaction.unlink(item, relationship, from: other)
      } else {
        try transaction.link(item, relationship, to: other)
      }
      if Int.random(in: 0..<4, using: &random) == 0 { try transaction.finishRows() }
    }
  }

  @Test("[object-derived-3] a new derived value changes no version or history; [store-16] the check finds no problem")
  func newDerivedValueChangesNoVersion() throws {
    try SampleStore.withPath("derived-silent") { path in
      let store = try ObjectStore(path, schema: Sample.schema)
      let index = try #require(Sample.schema.entities[Sample.owner].attributes.firstIndex { $0.name == "name" })
      func owner(_ id: RowID, _ name: String) -> StoredRow {
        var attributes = [StoredValue](repeating: .null, count: Sample.schema.entities[Sample.owner].attributes.count)
        attributes[index] = .string(name)
        return StoredRow(id: id, version: 1, attributes: attributes, toOnes: [nil])
      }
      let (id, item) = try store.write { transaction in
        let (id, item) = (transaction.newID(of: Sample.owner), transaction.newID(of: Sample.item))
        transaction.insert(owner(id, "Ann"))
        let attributes = [StoredValue](repeating: .null, count: Sample.schema.entities[Sample.item].attributes.count)
        transaction.insert(StoredRow(id: item, version: 1, attributes: attributes, toOnes: [id]))
        return (id, item)
      }.result
      let commit = try store.write { try $0.update(owner(id, "Bea"), changed: ["name"]) }.commit
      #expect(commit?.updated == [id])
      let names = Sample.schema.entities[Sample.item].attributes.firstIndex { $0.name == "ownerName" }
      let stored = try #require(try store.read { try $0.row(item) })
      #expect(stored.attributes[try #require(names)] == .string("Bea"))
      #expect(stored.version == 1)
      let changes = try store.read { try $0.history(after: 0) }.map(\.changes)
      #expect(changes.count == 2 && changes[1] == [.update(id, ["name"])])
      #expect(try store.check() == [])
    }
  }
}
