import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// Reads the segments of a store. Their files stay open.
///
/// A segment's number is never used again, and its bytes do not change before it is removed. So an open file is valid
/// as long as the index names the segment.
///
/// Threads: safe to use from any.
final class SegmentFiles: Sendable {
  private struct SegmentKey: Hashable {
    var table: StoreTable
    var segment: Int64
  }

  /// So many files stay open, if the process may have as many: rows in the order of an index lie in any of them.
  private static let most = 128
  /// Lines that are at most this far apart are read together: a call costs more than the bytes between.
  private static let gap = 16 << 10
  /// At most this much is read at once.
  private static let chunk = 1 << 20

  private let directory: Directory
  private let schema: StoreSchema
  private let retained = Mutex<[SegmentKey: RetainedFile]>([:])

  init(_ directory: Directory, _ schema: StoreSchema) {
    self.directory = directory
    self.schema = schema
  }

  /// Throws ``StorageError/damaged(path:reason:)`` if the segment is missing.
  func file(_ table: StoreTable, _ segment: Int64, _ view: FolderView) throws -> File {
    if let file = try view.unappliedFile(table.path(of: segment, schema)) {
      if let file { return file }
      throw StorageError.damaged(path: path(table, segment), reason: "it was removed")
    }
    let key = SegmentKey(table: table, segment: segment)
    if let found = retained.withLock({ $0[key] }) { return found.file }
    let (folder, name) = (try directory.directory(at: table.folder(schema)), StoreTable.fileName(of: segment))
    if let found = try folder?.retainedFile(name) {
      retained.withLock { retained in
        if retained.count >= Self.most { retained = [:] }
        retained[key] = found
      }
      return found.file
    }
    guard let file = try folder?.fileIfPresent(name) else {
      throw StorageError.damaged(path: path(table, segment), reason: "it is missing")
    }
    return file
  }

  func path(_ table: StoreTable, _ segment: Int64) -> String {
    directory.path(of: table.path(of: segment, schema).components.joined(separator: "/"))
  }

  /// Closes the file of a segment that was removed.
  func forget(_ table: StoreTable, _ segment: Int64) {
    retained.withLock { $0[SegmentKey(table: table, segment: segment)] = nil }
  }

  /// The segments of a table, by number.
  func segments(_ table: StoreTable, _ view: FolderView) throws -> [Int64] {
    let folder = table.folder(schema)
    let present = try directory.directory(at: folder)?.entries() ?? []
    let names = view.names(present.filter { $0.kind == .file }.map(\.name), in: .store, folder)
    return names.compactMap { StoreTable.segment(named: $0) }.sorted()
  }

  // MARK: Lines

  func line(_ table: StoreTable, _ entry: RowEntry, _ view: FolderView) throws -> JSONValue {
    let bytes = try file(table, entry.segment, view).read(at: entry.offset, count: entry.length)
    return try Self.parse(bytes[...], entry, path(table, entry.segment))
  }

  /// The results of `read` for the lines, in the order of the entries.
  func read<Row>(
    _ table: StoreTable, _ entries: [RowEntry], _ view: FolderView, _ read: (Int, JSONValue) throws -> Row
  ) throws -> [Row] {
    var rows = [Row?](repeating: nil, count: entries.count)
    try forEachLine(table, entries, view) { rows[$0] = try read($0, $1) }
    return rows.compactMap(\.self)
  }

  /// Calls `body` with each line and the index of its entry, in the order of the file. Lines that are near each other
  /// are read together.
  func forEachLine(
    _ table: StoreTable, _ entries: [RowEntry], _ view: FolderView, _ body: (Int, JSONValue) throws -> Void
  ) throws {
    let order = entries.indices.sorted {
      (entries[$0].segment, entries[$0].offset) < (entries[$1].segment, entries[$1].offset)
    }
    var start = 0
    while start < order.count {
      let first = entries[order[start]]
      var end = start + 1
      var limit = first.offset + first.length
      while end < order.count, case let next = entries[order[end]], next.segment == first.segment,
        next.offset - limit <= Self.gap, next.offset + next.length - first.offset <= Self.chunk
      {
        limit = max(limit, next.offset + next.length)
        end += 1
      }
      let bytes = try file(table, first.segment, view).read(at: first.offset, count: limit - first.offset)
      for index in order[start..<end] {
        let from = min(entries[index].offset - first.offset, bytes.count)
        let to = min(from + entries[index].length, bytes.count)
        try body(index, Self.parse(bytes[from..<to], entries[index], path(table, first.segment)))
      }
      start = end
    }
  }

  private static func parse(
    _ bytes: ArraySlice<UInt8>, _ entry: RowEntry, _ path: @autoclosure () -> String
  ) throws -> JSONValue {
    guard bytes.count == entry.length, bytes.last == UInt8(ascii: "\n"), let value = try? JSONValue(parsing: bytes)
    else {
      throw StorageError.damaged(path: path(), reason: "the line at byte \(entry.offset) is not what was written")
    }
    return value
  }
}
