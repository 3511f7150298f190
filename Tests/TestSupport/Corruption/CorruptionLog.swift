import LocalCloudStorage
import LocalCloudStore

/// An independent reader of logs, written after the specification.
struct CorruptionLog {
  private(set) var horizon: Int64 = 0
  /// The number of lines up to the horizon, according to the first line.
  private var kept: Int64 = 0
  /// The lines, without the first line of a compacted log.
  private(set) var lines: [(sequence: Int64, value: JSONValue)] = []

  /// Parses a log. Nil if it is invalid: a line is not whole, is not JSON, or has no sequence above that of the line
  /// before it. `mayBeTorn` allows half a line at the end.
  init?(_ bytes: [UInt8], mayBeTorn: Bool = false) {
    var pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if pieces.popLast()?.isEmpty == false, !mayBeTorn { return nil }
    for (place, piece) in pieces.enumerated() {
      guard let value = try? JSONValue(parsing: Array(piece)), let sequence = value["sequence"]?.integer else {
        return nil
      }
      if place == 0, sequence == 0, let header = Self.header(value) {
        (horizon, kept) = header
        continue
      }
      guard sequence > lines.last?.sequence ?? 0, sequence <= 1 << 60 else { return nil }
      lines.append((sequence, value))
    }
  }

  private static func header(_ header: JSONValue) -> (horizon: Int64, kept: Int64)? {
    let numbers = ["forgotten", "kept", "superseded", "horizon"].map { header[$0]?.integer }
    guard numbers.allSatisfy({ $0.map { $0 >= 0 } ?? false }),
      let (forgotten, kept, horizon) = (numbers[0], numbers[1], numbers[3]) as? (Int64, Int64, Int64),
      forgotten <= horizon
    else { return nil }
    return (horizon, kept)
  }

  /// Whether the number of lines up to the horizon is the one in the first line.
  var isCounted: Bool { lines.count { $0.sequence <= horizon } == kept }

  /// Whether the sequence rises by one after the horizon, or after `base` if there is none.
  func isGapless(base: Int64 = 0) -> Bool {
    let counted = lines.lazy.map(\.sequence).filter { $0 > horizon }
    return zip(counted, (max(horizon, base) + 1)...).allSatisfy { $0 == $1 }
  }

  func texts(_ keys: String...) -> Bool {
    lines.allSatisfy { line in keys.allSatisfy { line.value[$0]?.string != nil } }
  }

  /// The last line of each record.
  var newest: [String: (sequence: Int64, value: JSONValue)] { Self.newest(lines) }
  /// The last version of each record that is not deleted.
  var newestSaves: [String: (sequence: Int64, value: JSONValue)] {
    let gone = Set(newest.filter { $1.value["kind"] == "delete" }.keys)
    return Self.newest(lines.filter { $0.value["kind"] == "save" }).filter { !gone.contains($0.key) }
  }

  private static func newest(
    _ lines: [(sequence: Int64, value: JSONValue)]
  ) -> [String: (sequence: Int64, value: JSONValue)] {
    Dictionary(lines.map { ($0.value["recordName"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
  }

  /// The type of a value; nil if there is none.
  static func type(_ value: JSONValue?) -> JSONValue? {
    if value?.string != nil { return "text" }
    if value?.integer != nil { return "integer" }
    return value?.object != nil ? "object" : value?.array != nil ? "list" : nil
  }
}
