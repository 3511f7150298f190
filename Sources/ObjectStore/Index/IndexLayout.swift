import LocalCloudStorage

/// A fetch index of an entity: the values that make up its keys.
struct IndexLayout: Sendable {
  enum Part: Sendable, Hashable {
    case attribute(Int, StoreSchema.AttributeType)
    case toOne(Int)
  }

  struct Element: Sendable {
    var property: String
    var part: Part
    var isAscending: Bool

    /// Whether its bytes end with a zero; others have a fixed length.
    var isText: Bool {
      switch part {
      case .attribute(_, .string), .attribute(_, .uuid), .attribute(_, .uri): true
      default: false
      }
    }
  }

  let entity: Int
  /// The layout's index among the entity's fetch indexes.
  let index: Int
  let elements: [Element]
  let isUnique: Bool
  /// The entity that declares the index.
  let owner: Int

  /// A row with a longer key has no key in the order.
  private static let mostBytes = 1_200

  /// Nil for an index of properties that the entity does not have, or that are no values.
  init?(_ index: Int, of entity: Int, _ schema: StoreSchema) {
    let declared = schema.entities[entity]
    var elements: [Element] = []
    for element in declared.indexes[index].elements {
      let part: Part
      if let attribute = declared.attributes.firstIndex(where: { $0.name == element.property }) {
        part = .attribute(attribute, declared.attributes[attribute].type)
      } else if let toOne = declared.toOnes.firstIndex(where: { schema.relationships[$0].name == element.property }) {
        part = .toOne(toOne)
      } else {
        return nil
      }
      elements.append(Element(property: element.property, part: part, isAscending: element.isAscending))
    }
    guard !elements.isEmpty else { return nil }
    self.entity = entity
    self.index = index
    self.elements = elements
    isUnique = declared.indexes[index].isUnique
    var owner = entity
    while let parent = schema.entities[owner].parent, schema.entities[parent].indexes.count > index { owner = parent }
    self.owner = owner
  }

  /// The beginning of the index's keys of a kind; of another entity's, if one is given that has the index, too.
  func prefix(_ kind: IndexKind, of other: Int? = nil) -> [UInt8] {
    var key = [kind.rawValue]
    key.append(bigEndian: UInt16(truncatingIfNeeded: other ?? entity))
    key.append(bigEndian: UInt16(truncatingIfNeeded: index))
    return key
  }

  func key(of row: StoredRow) -> [UInt8] {
    var key = beginning(of: row)
    key.append(number: row.id.number)
    return key
  }

  /// The row's key without its number: in a unique index, that of any object with the same values. Also in the keys of
  /// another entity that has the index.
  func beginning(of row: StoredRow, in other: Int? = nil) -> [UInt8] {
    var key = prefix(.value, of: other)
    key.reserveCapacity(48)
    for element in elements {
      guard let bytes = bytes(of: row, element), key.count + bytes.count <= Self.mostBytes else {
        var key = prefix(.unordered, of: other)
        if isUnique { key.append(bigEndian: Digest.hash64(uniqueValues(of: row)?.bytes ?? [])) }
        return key
      }
      key += element.isAscending ? bytes : IndexRange.complement(bytes)
    }
    return key
  }

  /// The length of a key up to the end of some of its elements.
  func length(ofKey key: [UInt8], elements count: Int) -> Int {
    var end = prefix(.value).count
    for element in elements.prefix(count) where end < key.count {
      let mask: UInt8 = element.isAscending ? 0 : 0xFF
      if key[end] ^ mask != IndexedValue.present {
        end += 1
      } else if element.isText {
        end = (key[end...].firstIndex { $0 ^ mask == 0 } ?? key.count - 1) + 1
      } else {
        end += 9
      }
    }
    return min(end, key.count)
  }

  private func bytes(of row: StoredRow, _ element: Element) -> [UInt8]? {
    switch element.part {
    case .attribute(let slot, let type):
      slot < row.attributes.count ? IndexedValue.bytes(row.attributes[slot], type) : IndexedValue.null
    case .toOne(let slot):
      (slot < row.toOnes.count ? row.toOnes[slot] : nil).map { IndexedValue.bytes($0.number) } ?? IndexedValue.null
    }
  }
}
