import LocalCloudStorage

/// The index entry of a segment: its size, and its obsolete bytes, those of lines that no row needs any more.
struct SegmentEntry: Hashable, Sendable {
  var size = 0
  /// The bytes of lines that a later line replaces. A deletion's line is obsolete once no other line of its row is
  /// left.
  var obsolete = 0

  /// A segment that has grown to this size is not appended to. So the work to rewrite one is bounded.
  static let full = 512 << 10
  /// A segment with fewer obsolete bytes is not rewritten: a small store would be rewritten at every other save.
  static let worthwhile = 64 << 10

  func isWorthRewriting(_ limits: SegmentLimits) -> Bool {
    obsolete == size || (obsolete >= limits.worthwhile && 2 * obsolete > size)
  }

  static func prefix(_ table: StoreTable, _ segment: Int64) -> [UInt8] {
    var key = table.prefix(.segment)
    key.append(number: segment)
    return key
  }

  /// The length of ``prefix(_:_:)``.
  static let prefixLength = StoreTable.prefixLength + 8

  /// The segment's keys.
  func keys(_ table: StoreTable, _ segment: Int64, _ limits: SegmentLimits) -> [[UInt8]] {
    var key = Self.prefix(table, segment)
    key.append(short: UInt64(size))
    key.append(short: UInt64(obsolete))
    guard isWorthRewriting(limits) else { return [key] }
    var candidate = table.prefix(.candidate)
    candidate.append(number: segment)
    return [key, candidate]
  }

  static func segment(ofKey key: [UInt8]) -> Int64 { RowEntry.number(ofKey: key) }
}

extension SegmentEntry {
  init?(key: [UInt8]) {
    var reader = KeyReader(key, from: Self.prefixLength)
    self.init(size: reader.int(), obsolete: reader.int())
    guard reader.isDone else { return nil }
  }
}

/// Tests make them small.
package struct SegmentLimits: Sendable, Hashable {
  package var full = SegmentEntry.full
  package var worthwhile = SegmentEntry.worthwhile

  package init() {}
}
