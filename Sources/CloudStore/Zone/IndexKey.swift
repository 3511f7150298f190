/// Keys of a zone's index. Names are ended by a zero byte, which no record name holds.
enum IndexKey {
  static func child(_ parent: ExactName, _ child: ExactName) -> [UInt8] { key("p", parent) + child.string.utf8 }
  static func children(_ parent: ExactName) -> [UInt8] { key("p", parent) }
  static func referrer(_ target: ExactName, _ referrer: ExactName) -> [UInt8] {
    key("r", target) + referrer.string.utf8
  }
  static func referrers(_ target: ExactName) -> [UInt8] { key("r", target) }
  static func typed(_ type: String, _ record: ExactName) -> [UInt8] { typed(type) + record.string.utf8 }
  static func typed(_ type: String) -> [UInt8] { key("t", ExactName(type)) }
  /// A live member of a share, and the sequence of its latest line in the share's log.
  static func member(_ share: ExactName, _ record: ExactName, _ sequence: Int64) -> [UInt8] {
    var key = member(share, record)
    key.append(contentsOf: withUnsafeBytes(of: sequence.bigEndian, Array.init))
    return key
  }
  static func member(_ share: ExactName, _ record: ExactName) -> [UInt8] { members(share) + record.string.utf8 + [0] }
  static func members(_ share: ExactName) -> [UInt8] { key("m", share) }

  /// What follows `prefix`, as a name.
  static func name(in key: [UInt8], after prefix: [UInt8]) -> ExactName {
    ExactName(String(decoding: key.dropFirst(prefix.count), as: UTF8.self))
  }

  private static func key(_ kind: Character, _ name: ExactName) -> [UInt8] {
    Array(String(kind).utf8) + name.string.utf8 + [0]
  }

  /// All keys that a record has by itself.
  static func keys(of record: StoredRecord) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = [typed(record.type, record.name)]
    if let parent = record.parent { keys.insert(child(parent, record.name)) }
    for owner in record.owners { keys.insert(referrer(owner, record.name)) }
    return keys
  }
}
