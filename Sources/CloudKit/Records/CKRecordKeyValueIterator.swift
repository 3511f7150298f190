/// Iterates over the keys and values of a record, in the order of the keys.
///
/// Encrypted values are left out. The iterator sees the record as it was at the start, even if the record changes.
public struct CKRecordKeyValueIterator: IteratorProtocol {
  private var remaining: ArraySlice<(CKRecord.FieldKey, ClientValue)>

  init(_ values: [CKRecord.FieldKey: ClientValue]) {
    remaining = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }[...]
  }

  /// The next key with its value; nil at the end.
  public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
    remaining.popFirst().map { ($0.0, $0.1.swiftValue) }
  }
}
