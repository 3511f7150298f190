import LocalCloudStorage

/// Writes and reads the lines of an entity's objects.
///
/// Members of a line that the schema does not know are no error: they are lost with the object's next version.
struct RowCoder: Sendable {
  private enum Slot: Sendable {
    case attribute(Int, StoreSchema.AttributeType)
    case toOne(Int)
  }

  private let entity: Int
  /// The members of a row's `values`, in the order of the names' bytes.
  private let slots: [(name: String, slot: Slot)]
  private let attributeCount: Int
  let toOneNames: [String]
  private let names: EntityNames

  init(_ entity: Int, _ schema: StoreSchema, _ names: EntityNames) {
    self.entity = entity
    self.names = names
    let declared = schema.entities[entity]
    let attributes = declared.attributes.enumerated().map { ($1.name, Slot.attribute($0, $1.type)) }
    toOneNames = declared.toOnes.map { schema.relationships[$0].name }
    attributeCount = declared.attributes.count
    slots = (attributes + toOneNames.enumerated().map { ($1, Slot.toOne($0)) })
      .sorted { $0.0.exactOrder(to: $1.0) < 0 }
  }

  // MARK: Writing

  func write(_ row: StoredRow, to writer: inout JSONWriter) {
    writer.begin(.object)
    writer.member("id", row.id.number)
    writePositions(row, to: &writer)
    writer.key("values")
    writer.begin(.object)
    for (name, slot) in slots {
      switch slot {
      case .attribute(let index, _):
        guard index < row.attributes.count else { continue }
        write(row.attributes[index], name, to: &writer)
      case .toOne(let index):
        guard index < row.toOnes.count, let target = row.toOnes[index] else { continue }
        writer.key(name)
        writer.add(names.text(target))
      }
    }
    writer.end(.object)
    writer.member("version", row.version)
    writer.end(.object)
    writer.endLine()
  }

  private func write(_ value: StoredValue, _ name: String, to writer: inout JSONWriter) {
    switch value {
    // The most frequent ones need no value of JSON in between.
    case .null: break
    case .string(let text), .uuid(let text), .uri(let text):
      writer.key(name)
      writer.add(text)
    case .integer(let number):
      writer.key(name)
      writer.add(number)
    default:
      guard let json = value.json else { return }
      writer.key(name)
      writer.add(json)
    }
  }

  private func writePositions(_ row: StoredRow, to writer: inout JSONWriter) {
    guard row.positions.contains(where: { $0 != 0 }) else { return }
    var positions = JSONObject()
    for (index, name) in toOneNames.enumerated() where row.position(index) != 0 {
      positions[name] = .integer(row.position(index))
    }
    writer.key("positions")
    writer.add(.object(positions))
  }

  static func writeDeletion(_ number: Int64, to writer: inout JSONWriter) {
    writer.begin(.object)
    writer.key("deleted")
    writer.add(.bool(true))
    writer.member("id", number)
    writer.end(.object)
    writer.endLine()
  }

  /// The lines that delete rows, in the order of their numbers.
  static func deletions(_ numbers: some Sequence<Int64>) -> [UInt8] {
    var writer = JSONWriter(isPretty: false)
    for number in numbers.sorted() { writeDeletion(number, to: &writer) }
    return writer.bytes
  }

  // MARK: Reading

  /// Nil if the line is not a version of an object of the entity.
  func row(_ line: JSONValue) -> StoredRow? {
    guard let number = line["id"]?.integer, let version = line["version"]?.integer, version > 0,
      let values = line["values"]?.object
    else { return nil }
    var row = StoredRow(
      id: RowID(entity: entity, number: number), version: version,
      attributes: [StoredValue](repeating: .null, count: attributeCount),
      toOnes: [RowID?](repeating: nil, count: toOneNames.count))
    var slot = slots.startIndex
    for (key, json) in values {
      // Both are in order, so each name is looked for once.
      while slot < slots.endIndex, slots[slot].name.exactOrder(to: key) < 0 { slot += 1 }
      guard slot < slots.endIndex, slots[slot].name.hasSameBytes(as: key) else { continue }
      switch slots[slot].slot {
      case .attribute(let index, let type):
        guard let value = StoredValue(json, type) else { return nil }
        row.attributes[index] = value
      case .toOne(let index):
        guard let target = json.string.flatMap({ names.id($0) }) else { return nil }
        row.toOnes[index] = target
      }
    }
    if let positions = line["positions"]?.object {
      row.positions = toOneNames.map { positions[$0]?.integer ?? 0 }
    }
    return row
  }
}

/// Objects as the files name them: `Post/12`.
struct EntityNames: Sendable {
  private let names: [String]
  private let indexes: [String: Int]

  init(_ schema: StoreSchema) {
    names = schema.entities.map(\.name)
    indexes = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func text(_ id: RowID) -> String {
    let entity = Int(id.entity)
    return "\(entity < names.count ? names[entity] : "")/\(id.number)"
  }

  /// Nil if the text is not the name of an object of the schema.
  func id(_ text: String) -> RowID? {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), let entity = indexes[String(text[..<slash])],
      let number = Int64(text[text.utf8.index(after: slash)...]), number > 0
    else { return nil }
    return RowID(entity: entity, number: number)
  }
}
