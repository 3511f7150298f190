import LocalCloudPlatform
import LocalCloudStorage

/// The rows of a mirroring table that a transaction puts and removes.
struct MirrorChanges {
  /// Nil for a removed row.
  private(set) var rows: [Int64: MirrorRow?] = [:]
  private let table: MirrorTable
  /// The index keys of the rows that are put, in order.
  private var keys: [[UInt8]] = []

  init(_ table: MirrorTable) { self.table = table }

  mutating func set(_ row: MirrorRow?, _ id: Int64) {
    if let known = rows[id] ?? nil { keys.remove(at: index(of: NameKey.bytes(table, known.key, id))) }
    rows[id] = .some(row)
    guard let row else { return }
    let key = NameKey.bytes(table, row.key, id)
    keys.insert(key, at: index(of: key))
  }

  /// The rows that are put and have index keys with this prefix, in the order of the keys.
  func rows(prefix: [UInt8]) -> [MirrorRow] {
    keys[index(of: prefix)...].prefix { $0.starts(with: prefix) }.compactMap { rows[$0.lastNumber] ?? nil }
  }

  /// The index of the first key that is not before `key`.
  private func index(of key: [UInt8]) -> Int { keys.partitionIndex { ByteOrder.compare($0, key) >= 0 } }
}
