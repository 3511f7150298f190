import LocalCloudPlatform

/// A file of JSON lines in ascending `sequence`, read by bisecting: reading the lines after a sequence costs O(log n +
/// lines read), for a file of any length.
package struct LogFile {
  private static let block = 4096
  /// The valid values of a sequence or an era; no count ever reaches the upper bound.
  package static let sequences: ClosedRange<Int64> = 0...(1 << 60)

  /// A limit longer than any line. A file with a hole in it may go on without a newline indefinitely.
  private static let longestLine = 4 << 20

  package let file: File
  /// The number of bytes to read at most: the log is read as it was at this size.
  private let limit: Int

  package init(_ file: File, limit: Int = .max) {
    self.file = file
    self.limit = limit
  }

  private func size() throws(SystemError) -> Int { min(try file.size(), limit) }

  /// The whole contents, up to the limit.
  package func contents() throws(SystemError) -> [UInt8] {
    let bytes = try file.readAll()
    return bytes.count > limit ? Array(bytes[..<limit]) : bytes
  }

  package static func open(_ name: String, in directory: Directory) throws -> LogFile? {
    try directory.fileIfPresent(name).map { LogFile($0) }
  }

  /// A line and its start.
  package struct Line {
    package var offset: Int
    package var bytes: ArraySlice<UInt8>
    package var value: JSONValue
    package var sequence: Int64
  }

  /// The first line of a compacted log. A log that was not compacted has its horizon at 0.
  package func header() throws -> LogHeader {
    let bytes = try file.read(at: 0, count: Self.headerRoom)
    guard let end = bytes.firstIndex(of: 0x0A), let value = try? JSONValue(parsing: Array(bytes[..<end])) else {
      return LogHeader(horizon: 0)
    }
    return LogHeader(value) ?? LogHeader(horizon: 0)
  }

  /// More bytes than a header can have.
  private static let headerRoom = 256

  /// The end of a log: its last whole line, the offset of the next line, and the file's size.
  package struct Tail {
    /// Nil in an empty log, and in one that holds only its header.
    package var last: Line?
    package var end: Int
    var size: Int

    /// Whether the log ends with a newline. Bytes after the last newline were never committed.
    package var isWhole: Bool { end == size }
  }

  /// Reads the end of the log. Throws ``StorageError/damaged(path:reason:)`` if the last line is invalid.
  package func tail() throws -> Tail {
    let size = try size()
    var start = size
    var tail: [UInt8] = []
    while start > 0 {
      // Each read doubles the length, so that a line of many megabytes doesn't take quadratic time.
      let from = max(0, start - max(Self.block, tail.count))
      tail = try file.read(at: from, count: start - from) + tail
      start = from
      try requireLine(of: tail.count, at: from)
      guard let end = tail.lastIndex(of: 0x0A) else { continue }
      if let before = tail[..<end].lastIndex(of: 0x0A) {
        let line = try parse(tail[(before + 1)..<end], at: start + before + 1)
        return Tail(last: line, end: start + end + 1, size: size)
      }
      if start == 0 {
        let line = try parse(tail[..<end], at: 0)
        return Tail(last: LogHeader(line.value) == nil ? line : nil, end: end + 1, size: size)
      }
    }
    return Tail(last: nil, end: 0, size: size)
  }

  /// The last whole line; nil in a log without lines.
  package func last() throws -> Line? { try tail().last }

  /// The offset of the next line.
  package func end() throws -> Int {
    let size = try size()
    var start = size
    while start > 0 {
      let from = max(0, start - Self.block)
      let bytes = try file.read(at: from, count: start - from)
      if let newline = bytes.lastIndex(of: 0x0A) { return from + newline + 1 }
      start = from
      try requireLine(of: size - start, at: start)
    }
    return 0
  }

  private func requireLine(of count: Int, at offset: Int) throws {
    guard count > Self.longestLine else { return }
    throw StorageError.damaged(path: file.path, reason: "no line ends in \(count) bytes from byte \(offset) on")
  }

  /// Calls `body` with each line with a sequence above `sequence`, until it returns false.
  package func forEach(after sequence: Int64, _ body: (Line) throws -> Bool) throws {
    let size = try size()
    var position = try offset(after: sequence, size: size)
    var buffer: [UInt8] = []
    var bufferStart = position
    while true {
      if let newline = buffer[(position - bufferStart)...].firstIndex(of: 0x0A) {
        let line = try parse(buffer[(position - bufferStart)..<newline], at: position)
        position = bufferStart + newline + 1
        if line.offset == 0, LogHeader(line.value) != nil { continue }
        if line.sequence > sequence, try !body(line) { return }
        continue
      }
      try requireLine(of: buffer.count - (position - bufferStart), at: position)
      let read = bufferStart + buffer.count
      let more = try file.read(at: read, count: min(max(64 * 1024, buffer.count), max(0, size - read)))
      if more.isEmpty { return }
      buffer = Array(buffer[(position - bufferStart)...]) + more
      bufferStart = position
    }
  }

  /// The start of a line that is not after the first line with a sequence above `sequence`.
  private func offset(after sequence: Int64, size: Int) throws -> Int {
    var low = 0
    var high = size
    // Invariant: low is the start of a line, and every line that starts before it has a sequence ≤ the wanted one.
    while high - low > Self.block {
      let middle = low + (high - low) / 2
      guard let line = try firstLine(from: middle, before: high) else {
        high = middle
        continue
      }
      if line.sequence <= sequence {
        low = line.offset
      } else {
        high = middle
      }
    }
    return low
  }

  /// The first line that starts at or after `offset` and before `limit`.
  private func firstLine(from offset: Int, before limit: Int) throws -> Line? {
    var bytes: [UInt8] = []
    var start: Int?
    while true {
      let more = try file.read(at: offset + bytes.count, count: Self.block)
      if more.isEmpty { return nil }
      try requireLine(of: bytes.count, at: offset)
      let seen = bytes.count
      bytes += more
      if start == nil, let newline = bytes[seen...].firstIndex(of: 0x0A) { start = newline + 1 }
      guard let start else { continue }
      if offset + start >= limit { return nil }
      if let end = bytes[max(start, seen)...].firstIndex(of: 0x0A) {
        return try parse(bytes[start..<end], at: offset + start)
      }
    }
  }

  package func parse(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Line {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: Array(bytes))
    } catch {
      throw StorageError.damaged(path: file.path, reason: "the line at byte \(offset) is not JSON: \(error)")
    }
    guard let sequence = value["sequence"]?.integer else {
      throw StorageError.damaged(path: file.path, reason: "the line at byte \(offset) has no sequence")
    }
    // A log that was edited by hand may hold any number; later sequences must not overflow.
    guard Self.sequences.contains(sequence) else {
      throw StorageError.damaged(path: file.path, reason: "the line at byte \(offset) has the sequence \(sequence)")
    }
    return Line(offset: offset, bytes: bytes, value: value, sequence: sequence)
  }
}
