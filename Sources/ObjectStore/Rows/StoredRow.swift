/// One version of an object.
package struct StoredRow: Sendable, Hashable {
  package var id: RowID
  /// Counts the object's versions from 1; two versions that differ have different numbers.
  package var version: Int64
  /// In the order of the entity's attributes.
  package var attributes: [StoredValue]
  /// In the order of the entity's ``StoreSchema/Entity/toOnes``.
  package var toOnes: [RowID?]
  /// In the order of ``toOnes``: where the object stands among the others that have the same target, if the inverse
  /// relationship is ordered. Empty means that all are 0.
  package var positions: [Int64]

  package init(
    id: RowID, version: Int64, attributes: [StoredValue], toOnes: [RowID?], positions: [Int64] = []
  ) {
    self.id = id
    self.version = version
    self.attributes = attributes
    self.toOnes = toOnes
    self.positions = positions
  }

  func position(_ place: Int) -> Int64 { place < positions.count ? positions[place] : 0 }
}
