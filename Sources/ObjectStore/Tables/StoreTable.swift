import LocalCloudStorage

/// A folder of segments with versions of rows as lines: the objects of an entity, the links of a relationship, or rows
/// of the mirroring.
///
/// Each line names a row by its number. The last line of a number, in the order of segments and lines, is the row, or
/// states that it is deleted.
struct StoreTable: Hashable, Sendable {
  enum Kind: UInt8, Sendable, CaseIterable {
    case objects = 0
    case links = 1
    case mirroring = 2

    var folder: String {
      switch self {
      case .objects: "objects"
      case .links: "links"
      case .mirroring: "mirroring"
      }
    }
  }

  var kind: Kind
  /// The index of the entity or relationship in the schema, or of the table among the mirroring's.
  var index: UInt16

  static func objects(_ entity: Int) -> StoreTable { objects(UInt16(truncatingIfNeeded: entity)) }
  static func objects(_ entity: UInt16) -> StoreTable { StoreTable(kind: .objects, index: entity) }
  static func links(_ relationship: Int) -> StoreTable {
    StoreTable(kind: .links, index: UInt16(truncatingIfNeeded: relationship))
  }
  static func mirroring(_ table: MirrorTable) -> StoreTable {
    StoreTable(kind: .mirroring, index: UInt16(MirrorTable.allCases.firstIndex(of: table) ?? 0))
  }

  /// The beginning of the table's keys of a kind.
  func prefix(_ key: IndexKind) -> [UInt8] {
    [key.rawValue, kind.rawValue, UInt8(truncatingIfNeeded: index >> 8), UInt8(truncatingIfNeeded: index)]
  }

  /// The key that holds the table's number of rows; nil if that is zero, or for a table without a count.
  func countKey(_ count: Int64) -> [UInt8]? {
    guard kind == .objects, count > 0 else { return nil }
    var key = prefix(.count)
    key.append(short: UInt64(count))
    return key
  }

  static let prefixLength = 4

  /// The name of the table's folder.
  func name(_ schema: StoreSchema) -> String {
    switch kind {
    case .objects: FileName.encode(schema.entities[Int(index)].name)
    case .links:
      FileName.encode(
        schema.entities[schema.relationships[Int(index)].entity].name + "." + schema.relationships[Int(index)].name)
    case .mirroring: MirrorTable.allCases[Int(index)].rawValue
    }
  }

  func folder(_ schema: StoreSchema) -> [String] { [kind.folder, name(schema)] }

  func path(of segment: Int64, _ schema: StoreSchema) -> StorePath {
    StorePath(.store, folder(schema) + [Self.fileName(of: segment)])
  }

  static func fileName(of segment: Int64) -> String { "\(segment).jsonl" }

  /// Nil for a file that is no segment.
  static func segment(named name: String) -> Int64? {
    guard name.hasSuffix(".jsonl"), let number = Int64(name.dropLast(6)), number > 0, fileName(of: number) == name
    else {
      return nil
    }
    return number
  }

  /// The tables that a schema has, in the order of their keys.
  static func all(_ schema: StoreSchema) -> [StoreTable] {
    schema.entities.indices.filter { !schema.entities[$0].isAbstract }.map { .objects($0) }
      + schema.relationships.indices.filter { schema.isLinkTable($0) }.map { .links($0) }
      + MirrorTable.allCases.map { .mirroring($0) }
  }
}

extension StoreTable {
  /// The table of a key that begins like ``prefix(_:)``.
  init?(key: [UInt8]) {
    guard key.count >= Self.prefixLength, let kind = Kind(rawValue: key[1]) else { return nil }
    self.init(kind: kind, index: UInt16(key[2]) << 8 | UInt16(key[3]))
  }
}

extension StoreSchema {
  /// Whether a relationship's links have a table, and it is named by this relationship.
  func isLinkTable(_ relationship: Int) -> Bool {
    if case .links(let table, _) = relationships[relationship].storage { table == relationship } else { false }
  }

  /// The tables of links, and the sides of their pairs, where an entity's objects may be: those of the relationships
  /// that it has, and of those that lead to it.
  func linkSides(of entity: Int) -> [(table: Int, side: IndexKind)] {
    var (forward, backward): (Set<Int>, Set<Int>) = ([], [])
    for relationship in relationships {
      guard case .links(let table, let isForward) = relationship.storage else { continue }
      for (end, isNear) in [(relationship.entity, isForward), (relationship.destination, !isForward)]
      where entities[end].family.contains(entity) {
        if isNear { forward.insert(table) } else { backward.insert(table) }
      }
    }
    return relationships.indices.filter { isLinkTable($0) }.flatMap { table -> [(table: Int, side: IndexKind)] in
      (forward.contains(table) ? [(table, .forward)] : []) + (backward.contains(table) ? [(table, .backward)] : [])
    }
  }
}

extension StorePath.Base {
  /// The store's folder.
  package static let store = StorePath.Base("store")
}
