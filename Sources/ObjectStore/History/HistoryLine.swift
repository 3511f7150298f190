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
    var line: JSONObject = [
      "sequence": .integer(sequence), "time": .integer(transaction.time), "transaction": .integer(transaction.number),
    ]
    if isInHistory {
      line["author"] = transaction.author.map(JSONValue.string)
      line["bundle"] = .string(transaction.bundle)
      line["context"] = transaction.contextName.map(JSONValue.string)
      line["nanoseconds"] = .integer(transaction.nanoseconds)
      line["process"] = .string(transaction.process)
      line.add(changes, names)
    }
    writer.add(.object(line))
    writer.endLine()
  }
}

extension JSONObject {
  /// Adds the objects of changes, as a line has them: `deleted`, `inserted` and `updated`.
  mutating func add(_ changes: some Sequence<HistoryChange>, _ names: EntityNames) {
    var inserted: [JSONValue] = []
    var (updated, deleted): ([(String, JSONValue)], [(String, JSONValue)]) = ([], [])
    for change in changes {
      switch change {
      case .insert(let id): inserted.append(.string(names.text(id)))
      case .update(let id, let changed): updated.append((names.text(id), .array(changed.map(JSONValue.string))))
      case .delete(let id, let values):
        let fits = values.values.reduce(0) { $0 + $1.weight } <= HistoryLine.mostPreserved
        let pairs = fits ? values.compactMap { name, value in value.json.map { (name, $0) } } : []
        deleted.append((names.text(id), .object(JSONObject(pairs))))
      }
    }
    if !inserted.isEmpty { self["inserted"] = .array(inserted) }
    for (key, pairs) in [("updated", updated), ("deleted", deleted)] where !pairs.isEmpty {
      // In the order of the keys, each is appended.
      self[key] = .object(JSONObject(pairs.sorted { $0.0.exactOrder(to: $1.0) < 0 }))
    }
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
