import LocalCloudStorage

/// A transaction of the history.
package struct HistoryTransaction: Sendable, Hashable {
  /// Rises from one transaction to the next, by one or more.
  package var number: Int64
  /// Milliseconds since 1970.
  package var time: Int64
  /// Nanoseconds since then, fewer than a million. 0 in a history that an earlier version wrote.
  package var nanoseconds: Int64
  package var author: String?
  package var contextName: String?
  /// The program's name, and its process: `Posts`, `4711`.
  package var bundle: String
  package var process: String
  package var changes: [HistoryChange]

  package var secondsSince1970: Double { Double(time) / 1000 + Double(nanoseconds) / 1_000_000_000 }
}

package enum HistoryChange: Sendable, Hashable {
  case insert(RowID)
  /// The names of the properties that changed.
  case update(RowID, [String])
  /// The preserved attributes' values.
  case delete(RowID, [String: StoredValue])
}

/// Reads transactions from the lines of `history.jsonl`.
struct HistoryReader {
  private let schema: StoreSchema
  private let names: EntityNames
  private let limit: Int
  private(set) var transactions: [HistoryTransaction] = []

  init(_ schema: StoreSchema, _ names: EntityNames, limit: Int) {
    self.schema = schema
    self.names = names
    self.limit = limit
  }

  /// Takes the next line. Returns false once there are enough transactions.
  mutating func add(_ line: LogFile.Line, _ log: LogFile) throws -> Bool {
    let value = line.value
    guard let number = value["transaction"]?.integer, number >= line.sequence, let time = value["time"]?.integer else {
      throw StorageError.damaged(path: log.file.path, reason: "the line at byte \(line.offset) is no transaction")
    }
    guard let bundle = value["bundle"]?.string else { return true }
    if transactions.last?.number != number {
      if transactions.count >= limit { return false }
      transactions.append(
        HistoryTransaction(
          number: number, time: time, nanoseconds: nanoseconds(value), author: value["author"]?.string,
          contextName: value["context"]?.string, bundle: bundle, process: value["process"]?.string ?? "", changes: []))
    }
    transactions[transactions.count - 1].changes += changes(value)
    return true
  }

  private func nanoseconds(_ line: JSONValue) -> Int64 {
    line["nanoseconds"]?.integer.flatMap { (0..<1_000_000).contains($0) ? $0 : nil } ?? 0
  }

  /// The changes in a line, for objects of entities that the schema has.
  private func changes(_ line: JSONValue) -> [HistoryChange] {
    var changes: [HistoryChange] = []
    for text in line["inserted"]?.array ?? [] {
      if let id = text.string.flatMap({ names.id($0) }) { changes.append(.insert(id)) }
    }
    for (text, changed) in line["updated"]?.object ?? [:] {
      if let id = names.id(text) { changes.append(.update(id, changed.array?.compactMap(\.string) ?? [])) }
    }
    for (text, values) in line["deleted"]?.object ?? [:] {
      guard let id = names.id(text) else { continue }
      var preserved: [String: StoredValue] = [:]
      for attribute in schema.entities[Int(id.entity)].attributes {
        if let json = values[attribute.name] { preserved[attribute.name] = StoredValue(json, attribute.type) }
      }
      changes.append(.delete(id, preserved))
    }
    return changes
  }
}
