import LocalCloudStorage

/// The keys of a zone's index. A zero byte ends a name; no record name contains one.
enum IndexKey {
  static func child(_ parent: ExactName, _ child: ExactName) -> [UInt8] { key("p", parent) + child.string.utf8 }
  static func children(_ parent: ExactName) -> [UInt8] { key("p", parent) }
  static func referrer(_ target: ExactName, _ referrer: ExactName) -> [UInt8] {
    key("r", target) + referrer.string.utf8
  }
  static func referrers(_ target: ExactName) -> [UInt8] { key("r", target) }
  static func validator(_ target: ExactName, _ referrer: ExactName) -> [UInt8] {
    validators(target) + referrer.string.utf8
  }
  static func validators(_ target: ExactName) -> [UInt8] { key("v", target) }
  static func typed(_ type: String, _ record: ExactName) -> [UInt8] { typed(type) + record.string.utf8 }
  static func typed(_ type: String) -> [UInt8] { key("t", ExactName(type)) }
  static let allTyped = [UInt8(ascii: "t")]
  /// The type and the record's name in such a key.
  static func typed(in key: [UInt8]) -> (type: String, name: ExactName)? {
    guard let end = key.firstIndex(of: 0) else { return nil }
    return (
      String(decoding: key[1..<end], as: UTF8.self), ExactName(String(decoding: key[(end + 1)...], as: UTF8.self))
    )
  }
  /// A live member of a share, and the sequence of its latest line in the share's log.
  static func member(_ share: ExactName, _ record: ExactName, _ sequence: Int64) -> [UInt8] {
    var key = member(share, record)
    key.append(contentsOf: big(sequence))
    return key
  }
  static func member(_ share: ExactName, _ record: ExactName) -> [UInt8] { members(share) + record.string.utf8 + [0] }
  static func members(_ share: ExactName) -> [UInt8] { key("m", share) }

  /// A record that holds an asset.
  static func asset(_ asset: ContentName, _ record: ExactName) -> [UInt8] { holders(asset) + record.string.utf8 }
  static func holders(_ asset: ContentName) -> [UInt8] { key("a", ExactName(asset.description)) }
  /// The asset in such a key; nil for keys of other kinds.
  static func asset(in key: [UInt8]) -> ContentName? {
    guard key.first == UInt8(ascii: "a") else { return nil }
    return ContentName(String(decoding: key.dropFirst().prefix { $0 != 0 }, as: UTF8.self))
  }

  // MARK: Feeds, of the zone itself (nil) or of a share, in the order of the sequences

  /// A record that exists, at its latest line.
  static func live(_ share: ExactName?, _ sequence: Int64, _ record: ExactName) -> [UInt8] {
    live(share) + big(sequence) + record.string.utf8
  }
  static func live(_ share: ExactName?) -> [UInt8] { key("s", share ?? "") }
  /// A removal that the log remembers.
  static func gone(_ share: ExactName?, _ sequence: Int64, _ record: ExactName, type: String) -> [UInt8] {
    gone(share) + big(sequence) + record.string.utf8 + [0] + type.utf8
  }
  static func gone(_ share: ExactName?) -> [UInt8] { key("d", share ?? "") }
  /// A removal in the zone that the log remembers, by the device that had made the record.
  static func gone(by device: String, _ sequence: Int64, _ record: ExactName, type: String) -> [UInt8] {
    gone(by: device) + big(sequence) + record.string.utf8 + [0] + type.utf8
  }
  static func gone(by device: String) -> [UInt8] { key("o", ExactName(device)) }

  /// All keys of a removal in the zone.
  static func keys(ofRemoval line: ChangeLine) -> [[UInt8]] {
    [
      gone(nil, line.sequence, line.record, type: line.type),
      gone(by: line.device, line.sequence, line.record, type: line.type),
    ]
  }

  /// All keys of a share's line that is the latest one of its record, or a removal.
  static func keys(of line: ShareLine, in share: ExactName) -> [[UInt8]] {
    switch line.kind {
    case .inside: [member(share, line.record, line.sequence), live(share, line.sequence, line.record)]
    case .outside: [gone(share, line.sequence, line.record, type: line.type)]
    }
  }

  /// The beginning of a feed's keys after a sequence.
  static func after(_ sequence: Int64, in prefix: [UInt8]) -> [UInt8] {
    prefix + big(min(max(sequence, -1), .max - 1) + 1)
  }

  /// The sequence, record and type in a feed's key.
  static func event(in key: [UInt8], after prefix: [UInt8]) -> (sequence: Int64, record: ExactName, type: String)? {
    let rest = key.dropFirst(prefix.count)
    guard rest.count > 8 else { return nil }
    let parts = rest.dropFirst(8).split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    return (
      rest.prefix(8).reduce(0) { $0 << 8 | Int64($1) }, ExactName(String(decoding: parts[0], as: UTF8.self)),
      parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    )
  }

  private static func big(_ sequence: Int64) -> [UInt8] { withUnsafeBytes(of: sequence.bigEndian, Array.init) }

  // MARK: Fields that queries use

  /// The prefix of the keys that list the fields with keys.
  static let coverage = [UInt8(ascii: "c")]
  static func isOfFields(_ key: [UInt8]) -> Bool { key.first == coverage[0] || key.first == UInt8(ascii: "f") }
  /// The extent of a field's keys: a one for all records, or a zero and the name of the last record.
  static func coverage(_ field: IndexedField, _ extent: FieldCoverage.Extent) -> [UInt8] {
    let prefix = key("c", field)
    switch extent {
    case .complete: return prefix + [1]
    case .through(let name): return prefix + [0] + name.string.utf8
    }
  }
  static func coverage(in key: [UInt8]) -> (IndexedField, FieldCoverage.Extent)? {
    let parts = key.dropFirst().split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let state = parts[2].first else { return nil }
    let names = parts[..<2].map { String(decoding: $0, as: UTF8.self) }
    let field = IndexedField(known: names[0], names[1])
    let name = ExactName(String(decoding: parts[2].dropFirst(), as: UTF8.self))
    return (field, state == 1 ? .complete : .through(name))
  }

  /// A record's value in a field. The record's name follows the last zero byte, for any bytes of the value.
  static func value(_ value: [UInt8], of field: IndexedField, _ record: ExactName) -> [UInt8] {
    values(of: field) + value + [0] + record.string.utf8
  }
  static func values(of field: IndexedField) -> [UInt8] { key("f", field) }

  private static func key(_ kind: Unicode.Scalar, _ field: IndexedField) -> [UInt8] {
    key(kind, ExactName(field.type)) + field.name.utf8 + [0]
  }

  // MARK: Names

  /// The name that follows `prefix`.
  static func name(in key: [UInt8], after prefix: [UInt8]) -> ExactName {
    ExactName(String(decoding: key.dropFirst(prefix.count), as: UTF8.self))
  }

  private static func key(_ kind: Unicode.Scalar, _ name: ExactName) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.string.utf8.count + 2)
    key.append(UInt8(ascii: kind))
    key.append(contentsOf: name.string.utf8)
    key.append(0)
    return key
  }

  /// All keys that are derived only from the record.
  static func keys(of record: StoredRecord) -> [[UInt8]] {
    let name = record.name
    var keys = [typed(record.type, name), live(nil, record.sequence, name)]
    if let parent = record.parent { keys.append(child(parent, name)) }
    let links = record.links
    for owner in links.owners { keys.append(referrer(owner, name)) }
    for target in links.validated { keys.append(validator(target, name)) }
    for held in links.assets { keys.append(asset(held, name)) }
    return keys
  }
}
