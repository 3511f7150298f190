import LocalCloudPlatform
import LocalCloudStorage

/// A line of `history.jsonl`: the changes of a transaction, or a part of them if there are many.
///
/// All lines of a transaction have its number: the sequence of the last one. A line without changes only uses up
/// numbers, or belongs to a transaction that is not in the history.
struct HistoryLine {
  /// Further changes go to another line, so that every line stays short enough to be read.
  static let mostChanges = 1_000
  /// Preserved values of a deletion beyond this many bytes are not stored.
  ///
  /// - Difference: a deletion stores preserved values of up to 1 MB together in the history, Apple's stores all of
  ///   them.
  static let mostPreserved = 1 << 20

  var transaction: HistoryTransaction
  /// Whether the transaction is in the history.
  var isInHistory: Bool

  /// The changes of each line, in order; one empty part if there are no changes.
  static func parts(_ changes: [HistoryChange]) -> [ArraySlice<HistoryChange>] {
    var parts: [ArraySlice<HistoryChange>] = []
    var rest = changes[...]
    while !rest.isEmpty {
      var (count, size) = (0, 0)
      for change in rest.prefix(mostChanges) {
        if case .delete(_, let values) = change { size += values.values.reduce(0) { $0 + $1.weight } }
        if size > mostPreserved, count > 0 { break }
        count += 1
      }
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.isEmpty ? [[]] : parts
  }

  /// Writes the line of some of the changes.
  func write(_ changes: ArraySlice<HistoryChange>, sequence: Int64, to writer: inout JSONWriter, _ names: EntityNames) {
    writer.begin(.object)
    if isInHistory {
      writer.member("author", transaction.author)
      writer.member("bundle", transaction.bundle)
      writer.member("context", transaction.contextName)
      writeDeleted(changes, to: &writer, names)
      writeInserted(changes, to: &writer, names)
      writer.member("nanoseconds", transaction.nanoseconds)
      writer.member("process", transaction.process)
    }
    writer.member("sequence", sequence)
    writer.member("time", transaction.time)
    writer.member("transaction", transaction.number)
    if isInHistory { writeUpdated(changes, to: &writer, names) }
    writer.end(.object)
    writer.endLine()
  }

  private func writeDeleted(
    _ changes: ArraySlice<HistoryChange>, to writer: inout JSONWriter, _ names: EntityNames
  ) {
    var deleted: [(String, JSONValue)] = []
    for case .delete(let id, let values) in changes {
      let fits = values.values.reduce(0) { $0 + $1.weight } <= Self.mostPreserved
      let pairs = fits ? values.compactMap { name, value in value.json.map { (name, $0) } } : []
      deleted.append((names.text(id), .object(JSONObject(pairs))))
    }
    guard !deleted.isEmpty else { return }
    writer.key("deleted")
    writer.add(.object(JSONObject(deleted.sorted { $0.0.exactOrder(to: $1.0) < 0 })))
  }

  private func writeInserted(
    _ changes: ArraySlice<HistoryChange>, to writer: inout JSONWriter, _ names: EntityNames
  ) {
    var isFirst = true
    for case .insert(let id) in changes {
      if isFirst {
        writer.key("inserted")
        writer.begin(.array)
      }
      isFirst = false
      writer.add(names.text(id))
    }
    if !isFirst { writer.end(.array) }
  }

  private func writeUpdated(
    _ changes: ArraySlice<HistoryChange>, to writer: inout JSONWriter, _ names: EntityNames
  ) {
    var updated: [(String, [String])] = []
    for case .update(let id, let changed) in changes { updated.append((names.text(id), changed)) }
    guard !updated.isEmpty else { return }
    writer.key("updated")
    writer.begin(.object)
    for (id, changed) in updated.sorted(by: { $0.0.exactOrder(to: $1.0) < 0 }) {
      writer.key(id)
      writer.begin(.array)
      for name in changed { writer.add(name) }
      writer.end(.array)
    }
    writer.end(.object)
  }
}

extension StoredValue {
  /// About the number of bytes that the value takes in a line.
  fileprivate var weight: Int {
    switch self {
    case .null: 0
    case .boolean, .integer, .double, .date: 20
    case .decimal(let text), .string(let text), .uuid(let text), .uri(let text): 2 * text.utf8.count
    case .binary(let bytes): bytes.count / 3 * 4
    case .external: 100
    }
  }
}
