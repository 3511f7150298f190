import LocalCloudPlatform
import LocalCloudStorage

/// The positions of a zone's log lines by record, in 16 bytes a line: the lines themselves would fill the memory. A line
/// is read again when it is needed.
struct ZoneLogLines {
  private struct Position {
    /// A digest of the record's name.
    var record: UInt64
    var offset: UInt64
  }

  /// Nil if the zone has no log.
  private let file: File?
  /// Sorted by record, then by offset.
  private var positions: [Position] = []
  /// For the index of a record's latest line: whether the record exists.
  private var exists: [Bool] = []

  init(_ file: File? = nil) { self.file = file }

  private static func digest(_ name: ExactName) -> UInt64 {
    var hasher = Hasher()
    name.hash(into: &hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  mutating func add(_ line: ChangeLine, at offset: Int) {
    positions.append(Position(record: Self.digest(line.record), offset: UInt64(offset)))
  }

  /// Call after the last line.
  mutating func sort() {
    positions.sort { ($0.record, $0.offset) < ($1.record, $1.offset) }
    exists = Array(repeating: false, count: positions.count)
  }

  var indices: Range<Int> { positions.indices }

  /// The index of a record's latest line; nil if it has none.
  func latest(_ name: ExactName) -> Int? {
    let digest = Self.digest(name)
    let index = index(of: Position(record: digest, offset: .max)) - 1
    return index >= 0 && positions[index].record == digest ? index : nil
  }

  func isLatest(_ index: Int) -> Bool {
    index + 1 == positions.count || positions[index + 1].record != positions[index].record
  }

  /// The index of the first position that is not before this one.
  private func index(of position: Position) -> Int {
    positions.partitionIndex { ($0.record, $0.offset) >= (position.record, position.offset) }
  }

  // MARK: Lines

  func line(at index: Int) throws -> ChangeLine? { try line(atOffset: Int(positions[index].offset)) }

  func line(atOffset offset: Int) throws -> ChangeLine? {
    var count = 512
    while let bytes = try file?.read(at: offset, count: count) {
      if let end = bytes.firstIndex(of: 0x0A) {
        return (try? JSONValue(parsing: Array(bytes[..<end]))).flatMap { ChangeLine($0) }
      }
      if bytes.count < count { break }
      count *= 2
    }
    return nil
  }

  /// The line of the same record before this one.
  func line(before line: ChangeLine, at offset: Int) throws -> ChangeLine? {
    let position = Position(record: Self.digest(line.record), offset: UInt64(offset))
    let index = index(of: position) - 1
    return index >= 0 && positions[index].record == position.record ? try self.line(at: index) : nil
  }

  /// The record's last line that is a save, from the line at this index backward.
  func lastSave(upTo index: Int) throws -> ChangeLine? {
    for earlier in (0...index).reversed() where positions[earlier].record == positions[index].record {
      if let line = try line(at: earlier), line.kind == .save { return line }
      if earlier == 0 || positions[earlier - 1].record != positions[index].record { break }
    }
    return nil
  }

  // MARK: Records

  mutating func setLive(_ index: Int) { exists[index] = true }

  /// Whether the line at this index is the latest one of an existing record.
  func isLive(_ index: Int) -> Bool { exists[index] }

  func isLive(_ name: ExactName) -> Bool { latest(name).map { exists[$0] } ?? false }
}
