/// An object's identity within its store.
///
/// A store assigns each number once, over all its entities; numbers rise.
package struct RowID: Hashable, Sendable {
  /// The object's own entity, by its index in the schema.
  package var entity: UInt16
  package var number: Int64

  package init(entity: Int, number: Int64) {
    self.entity = UInt16(truncatingIfNeeded: entity)
    self.number = number
  }

  /// An object of an entity that is not known: it was deleted. There is no object with this ID.
  static func unknown(_ number: Int64) -> RowID { RowID(entity: .max, number: number) }
}

extension RowID: Comparable {
  package static func < (left: RowID, right: RowID) -> Bool {
    (left.number, left.entity) < (right.number, right.entity)
  }
}

/// One version of an object.
package struct StoredRow: Sendable, Hashable {
  package var id: RowID
  /// Counts the object's versions from 1; two versions that differ have different numbers.
  package var version: Int64
  /// In the order of the entity's attributes.
  package var attributes: [StoredValue]
  /// In the order of the entity's ``StoreSchema/Entity/toOnes``.
  package var toOnes: [RowID?]
  /// In the order of ``toOnes``: the object's position among the objects with the same target, if the inverse
  /// relationship is ordered. Empty means that all are 0.
  package var positions: [Int64]

  package init(
    id: RowID, version: Int64, attributes: [StoredValue], toOnes: [RowID?], positions: [Int64] = []
  ) {
    (self.id, self.version, self.attributes) = (id, version, attributes)
    (self.toOnes, self.positions) = (toOnes, positions)
  }

  func position(_ index: Int) -> Int64 { index < positions.count ? positions[index] : 0 }

  mutating func setPosition(_ position: Int64, _ index: Int) {
    if self.position(index) == position { return }
    if positions.count < toOnes.count { positions += Array(repeating: 0, count: toOnes.count - positions.count) }
    positions[index] = position
    if positions.allSatisfy({ $0 == 0 }) { positions = [] }
  }
}
