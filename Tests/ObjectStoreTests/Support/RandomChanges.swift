import FaultInjection
import LocalCloudObjectStore
import LocalCloudStorage
import Testing

/// Applies random transactions to a store and to its model.
struct RandomChanges {
  private typealias Sample = SampleStore

  var random: SeededGenerator
  var model = ModelStore()

  static let texts = [
    "", "a", "ab", "b", "é", "e\u{301}", "Zoë", "z", "\u{212A}", "K", "日本", "a\u{0}b",
    String(repeating: "long ", count: 60),
  ]

  /// Even seeds use only texts that an index can order.
  let texts: [String]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    texts =
      seed.isMultiple(of: 2)
      ? Self.texts.filter { !["e\u{301}", "\u{212A}"].contains($0) && $0.count < 100 } : Self.texts
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func row(_ id: RowID) -> StoredRow {
    var row = Sample.row(id)
    let entity = Sample.schema.entities[Int(id.entity)]
    for (index, attribute) in entity.attributes.enumerated() where chance(70) {
      row.attributes[index] = value(attribute.type)
    }
    row.positions = entity.toOnes.map { _ in 0 }
    for (index, relationship) in entity.toOnes.enumerated() where chance(60) {
      let family = Sample.schema.entities[Sample.schema.relationships[relationship].destination].family
      row.toOnes[index] = ids.filter { family.contains(Int($0.entity)) }.randomElement(using: &random)
      if row.toOnes[index] != nil, Sample.schema.relationships[relationship].name == "author" {
        row.positions[index] = Int64.random(in: -2...3, using: &random)
      }
    }
    if row.positions.allSatisfy({ $0 == 0 }) { row.positions = [] }
    return row
  }

  private var ids: [RowID] { model.rows.keys.sorted() }

  private mutating func value(_ type: StoreSchema.AttributeType) -> StoredValue {
    let small = Int.random(in: -3...3, using: &random)
    switch type {
    case .integer16, .integer32, .integer64: return .integer(Int64(small))
    case .double, .float: return .double(Double(small) / 2)
    case .date: return .date(Double(small) * 1000.5)
    case .boolean: return .boolean(small > 0)
    case .decimal: return .decimal("\(small).25")
    case .string: return .string(texts.randomElement(using: &random) ?? "")
    case .uuid: return .uuid("00000000-0000-4000-8000-00000000000\(abs(small))")
    case .uri: return .uri("x:\(small)")
    case .binary, .transformable: return .binary([UInt8](repeating: UInt8(abs(small)), count: abs(small) * 30))
    }
  }

  /// The name of the property that each update lists as changed.
  private static func changed(_ id: RowID) -> String { Sample.schema.entities[Int(id.entity)].attributes[0].name }

  /// One transaction. `check`: called at its end with the model of the state that it makes.
  mutating func step(
    _ store: ObjectStore, _ check: (StoreTransaction, ModelStore) throws -> Void = { _, _ in }
  ) throws {
    let count = Int.random(in: 1...6, using: &random)
    let (before, generator) = (model, random)
    var changes: [HistoryChange] = []
    _ = try store.write { transaction in
      // The store may run the body again.
      (model, random, changes) = (before, generator, [])
      for _ in 0..<count { try change(transaction, &changes, before) }
      try check(transaction, model)
    }
    if !changes.isEmpty { model.history.append(changes) }
  }

  private mutating func change(
    _ transaction: StoreTransaction, _ changes: inout [HistoryChange], _ before: ModelStore
  ) throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35:
      let entity = [Sample.post, Sample.note, Sample.person, Sample.tag].randomElement(using: &random) ?? 0
      var row = row(transaction.newID(of: entity))
      try externalize(&row, transaction)
      transaction.insert(row)
      row.version = 1
      try adoptPositions(&row, nil, transaction)
      model.rows[row.id] = row
      changes.append(.insert(row.id))
    case 35..<60:
      guard let id = ids.randomElement(using: &random), let known = model.rows[id] else { return }
      var row = row(id)
      try externalize(&row, transaction)
      try transaction.update(row, changed: [Self.changed(id)])
      row.version = try #require(try transaction.version(of: id))
      #expect(row.version >= known.version)
      #expect(row.version <= known.version + 1)
      try adoptPositions(&row, known, transaction)
      model.rows[id] = row
      if !changes.contains(where: { Self.id($0) == id }) { changes.append(.update(id, [Self.changed(id)])) }
    case 60..<72:
      guard let id = ids.randomElement(using: &random) else { return }
      try transaction.delete(id)
      model.delete(id)
      let index = changes.firstIndex { Self.id($0) == id }
      let isNew = changes.contains(.insert(id))
      if let index { changes.remove(at: index) }
      if isNew { return }
      // The preserved values are those stored before the transaction.
      let title = Sample.schema.entities[Int(id.entity)].attributes.firstIndex { $0.isPreserved }
      let values = title.flatMap { before.rows[id]?.attributes[$0] }.map { $0 == .null ? [:] : ["title": $0] } ?? [:]
      changes.insert(.delete(id, values), at: index ?? changes.count)
    case 72..<85: try link(transaction)
    case 85..<92: try arrange(transaction)
    default: mirror(transaction)
    }
  }

  /// Adopts the positions that the store assigned: the requested ones, the former ones, or for a new target one behind
  /// all others. [store-17]
  private func adoptPositions(_ row: inout StoredRow, _ known: StoredRow?, _ transaction: StoreTransaction) throws {
    guard let index = Sample.schema.entities[Int(row.id.entity)].toOnes.firstIndex(of: Sample.author) else { return }
    func position(_ row: StoredRow) -> Int64 { index < row.positions.count ? row.positions[index] : 0 }
    let placed = try #require(try transaction.row(row.id))
    if row.toOnes[index] == nil {
      #expect(position(placed) == 0)
    } else if let known, known.toOnes[index] == row.toOnes[index] {
      #expect(position(placed) == position(known))
    } else if known == nil, position(row) != 0 {
      #expect(position(placed) == position(row))
    } else {
      #expect(model.rows.values.allSatisfy { $0.id == row.id || position($0) < position(placed) })
    }
    row.positions = placed.positions
  }

  /// Changes the order of an author's items or of a tag's posts, and omits some of them. [store-18]
  private mutating func arrange(_ transaction: StoreTransaction) throws {
    let (entity, name) = chance(50) ? (Sample.person, "items") : (Sample.tag, "posts")
    let relationship = Sample.relationship(name, of: entity)
    guard let id = ids.filter({ Int($0.entity) == entity }).randomElement(using: &random) else { return }
    let members = model.related(id, relationship)
    let strangers = chance(20) ? ids.filter { !members.contains($0) }.prefix(2) : []
    let wanted = members.filter { _ in chance(80) }.shuffled(using: &random)
    try transaction.arrange(id, relationship, by: strangers + wanted)
    var order = wanted
    // A member that the order omits follows its predecessor.
    for (index, member) in members.enumerated() where !wanted.contains(member) {
      let leader = index > 0 ? order.firstIndex(of: members[index - 1]) : nil
      order.insert(member, at: leader.map { $0 + 1 } ?? 0)
    }
    if name == "posts" { return model.arrange(id, relationship, order) }
    for member in order { model.rows[member]?.positions = try transaction.row(member)?.positions ?? [] }
    #expect(model.related(id, relationship) == order)
  }

  private static func id(_ change: HistoryChange) -> RowID {
    switch change {
    case .insert(let id), .update(let id, _), .delete(let id, _): id
    }
  }

  private mutating func externalize(_ row: inout StoredRow, _ transaction: StoreTransaction) throws {
    for (index, attribute) in Sample.schema.entities[Int(row.id.entity)].attributes.enumerated()
    where attribute.isExternal && chance(60) {
      if case .binary(let bytes) = row.attributes[index] {
        row.attributes[index] = .external(try transaction.external(bytes))
      }
    }
  }

  private mutating func link(_ transaction: StoreTransaction) throws {
    let name = ["tags", "posts", "friends", "related"].randomElement(using: &random) ?? "tags"
    let entity = ["tags": Sample.post, "posts": Sample.tag, "friends": Sample.person, "related": Sample.tag][name] ?? 0
    let relationship = Sample.relationship(name, of: entity)
    let destination = Sample.schema.relationships[relationship].destination
    guard let id = ids.filter({ Int($0.entity) == entity }).randomElement(using: &random),
      let other = ids.filter({ Int($0.entity) == destination }).randomElement(using: &random)
    else { return }
    if chance(70) {
      try transaction.link(id, relationship, to: other)
      model.link(id, relationship, to: other)
    } else {
      try transaction.unlink(id, relationship, from: other)
      model.unlink(id, relationship, from: other)
    }
  }

  private mutating func mirror(_ transaction: StoreTransaction) {
    let table = chance(50) ? MirrorTable.records : .state
    if chance(25), let id = model.mirror[table]?.keys.sorted().randomElement(using: &random) {
      transaction.remove(id, from: table)
      model.mirror[table]?[id] = nil
      return
    }
    let known = model.mirror[table]?.keys.sorted().randomElement(using: &random)
    let id = chance(50) ? known ?? transaction.newNumber() : transaction.newNumber()
    let key = chance(80) ? Self.texts.prefix(12).randomElement(using: &random) : nil
    // A row of `records` is about an object, which does not exist here.
    let objects = table == .records ? [RowID(entity: .max, number: id)] : []
    let row = MirrorRow(
      id: id, key: key, objects: objects, values: ["n": .integer(Int64.random(in: 0...9, using: &random))])
    transaction.put(row, in: table)
    model.mirror[table, default: [:]][id] = row
  }
}
