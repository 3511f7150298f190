import LocalCloudPlatform
import LocalCloudStorage

/// The tables that hold the mirroring's state of the cloud, one row a line.
package enum MirrorTable: String, Sendable, CaseIterable {
  /// A record for each object that has one; numbered as the object.
  case records
  /// A record for each pair of objects that are linked in the cloud.
  case links
  case zones
  case events
  /// References to records that have not arrived yet.
  case waiting
  /// Tokens, the account, and the completed setup steps.
  case state
}

package struct MirrorRow: Sendable, Hashable {
  package var id: Int64
  /// The row's key for look-ups; up to 900 bytes.
  package var key: String?
  /// The objects that the row names: their entities, too. The values, or `id` in the table `records`, have only their
  /// numbers.
  package var objects: [RowID]
  package var values: JSONObject

  package init(id: Int64, key: String? = nil, objects: [RowID] = [], values: JSONObject) {
    (self.id, self.key, self.objects, self.values) = (id, key, objects, values)
  }
}

/// The index keys of rows in mirroring tables: rows without a key first, by number, then the others in the order of
/// their keys' bytes.
enum NameKey {
  static func bytes(_ table: MirrorTable, _ key: String?, _ number: Int64) -> [UInt8] {
    var bytes = prefix(table, key)
    if key != nil { bytes.append(0) }
    bytes.append(number: number)
    return bytes
  }

  /// The common prefix of the index keys of all rows with this key prefix; nil gives that of the rows without a key.
  static func prefix(_ table: MirrorTable, _ key: String?) -> [UInt8] {
    var bytes = prefix(table)
    guard let key else { return bytes + [0] }
    bytes.append(1)
    bytes.append(zeroFree: key)
    return bytes
  }

  /// The common prefix of the index keys of all rows with exactly this key.
  static func exactly(_ table: MirrorTable, _ key: String) -> [UInt8] { prefix(table, key) + [0] }

  /// The name in a key; nil for a row without one.
  static func name(_ key: [UInt8]) -> String? {
    let bytes = key.dropFirst(prefix(.records).count).dropLast(9)
    guard bytes.first == 1 else { return nil }
    var name: [UInt8] = []
    var isEscaped = false
    for byte in bytes.dropFirst() {
      if byte == 1, !isEscaped {
        isEscaped = true
      } else {
        name.append(isEscaped ? byte - 1 : byte)
        isEscaped = false
      }
    }
    return String(validating: name, as: UTF8.self)
  }

  static func prefix(_ table: MirrorTable) -> [UInt8] {
    [IndexKind.name.rawValue, UInt8(MirrorTable.allCases.firstIndex(of: table) ?? 0)]
  }
}

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
