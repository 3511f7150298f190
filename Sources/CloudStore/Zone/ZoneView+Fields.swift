import LocalCloudStorage

/// The index's keys of fields that queries use.
extension ZoneView {
  /// A record's name, and its value in a field.
  package struct FieldEntry {
    package var value: ArraySlice<UInt8>
    package var name: ExactName
  }

  /// Whether the index has the keys of a field for all records. If not, the keys are made and the read starts over;
  /// false if they can't be made, without permission to write or on a full disk.
  package func hasKeys(of field: IndexedField) throws -> Bool {
    if try coverage()[field] == .complete { return true }
    if folder.canMakeKeys { throw KeysUnmade { [zone] in try zone.makeKeys(of: field, $0) } }
    return false
  }

  /// Like ``hasKeys(of:)``, without making the keys.
  package func hasKeysAlready(of field: IndexedField) throws -> Bool { try coverage()[field] == .complete }

  func coverage() throws -> FieldCoverage { try FieldCoverage(index()) }

  /// The fields with keys that a commit has to maintain. An unusable index is rebuilt after the commit, without any.
  func writersCoverage() throws -> FieldCoverage {
    do { return try coverage() } catch is IndexUnusable { return .none }
  }

  /// Calls `body` with the values from `lower` on and before `upper`, in order, equal values in the order of the
  /// records' names, until it returns false. `lower` may end with a zero byte and a record's name.
  package func entries(
    of field: IndexedField, from lower: [UInt8], to upper: [UInt8], _ body: (FieldEntry) throws -> Bool
  ) throws {
    let prefix = IndexKey.values(of: field)
    let end = prefix + upper
    try scan(prefix: prefix, from: prefix + lower) { key in
      guard ByteOrder.compare(key, end) < 0, let entry = Self.entry(in: key, after: prefix) else { return false }
      return try body(entry)
    }
  }

  /// The number of values from `lower` on and before `upper`, counted up to `limit`.
  package func count(of field: IndexedField, from lower: [UInt8], to upper: [UInt8], limit: Int) throws -> Int {
    let prefix = IndexKey.values(of: field)
    try folder.requireFiles()
    return try index().count(prefix: prefix, from: prefix + lower, to: prefix + upper, limit: limit)
  }

  /// The highest value before `upper`.
  package func lastValue(of field: IndexedField, before upper: [UInt8]) throws -> [UInt8]? {
    let prefix = IndexKey.values(of: field)
    try folder.requireFiles()
    guard let key = try index().last(before: prefix + upper), key.starts(with: prefix) else { return nil }
    return Self.entry(in: key, after: prefix).map { Array($0.value) }
  }

  private static func entry(in key: [UInt8], after prefix: [UInt8]) -> FieldEntry? {
    guard let end = key.lastIndex(of: 0), end >= prefix.count else { return nil }
    return FieldEntry(
      value: key[prefix.count..<end], name: ExactName(String(decoding: key[(end + 1)...], as: UTF8.self)))
  }
}
