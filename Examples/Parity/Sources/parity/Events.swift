import CloudKit

/// Collects the callbacks of one operation.
// Sendable: the lock protects all other properties.
final class Events: @unchecked Sendable {
  private let lock = NSLock()
  private var kinds: [String] = []
  private var items: [(key: String, value: JSON)] = []
  private var records: [CKRecord.ID: CKRecord] = [:]
  private var serverRecords: [CKRecord.ID: CKRecord] = [:]
  private var result: JSON = .null
  private var token: CKServerChangeToken?
  private var cursor: CKQueryOperation.Cursor?
  private var metadata: CKShare.Metadata?

  /// Adds the callback of an item. Repeated callbacks of one kind count once in the order of callbacks, because
  /// CloudKit promises no order of items.
  ///
  /// - Parameters:
  ///   - name: the item's ID as a text.
  ///   - callback: the kind of the callback in the order of callbacks.
  ///   - describe: the JSON of a success.
  func add<Value>(
    _ action: String, _ name: String, _ result: Result<Value, any Error>, callback: String = "items",
    _ describe: (Value) -> JSON? = { _ in nil }
  ) {
    var item: [String: JSON?] = ["action": .text(action), "item": .text(name)]
    switch result {
    case .success(let value): item["value"] = describe(value)
    case .failure(let error): item["error"] = Answer.error(error)
    }
    lock.withLock {
      note(callback)
      items.append(("\(action) \(name)", .of(item)))
    }
  }

  func add(_ action: String, _ id: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
    lock.withLock {
      switch result {
      case .success(let record): records[id] = record
      case .failure(let error): serverRecords[id] = (error as? CKError)?.serverRecord
      }
    }
    add(action, Answer.name(id), result, Answer.record)
  }

  /// Adds a callback that belongs to no item.
  func note(callback kind: String) { lock.withLock { note(kind) } }

  private func note(_ kind: String) { if kinds.last != kind { kinds.append(kind) } }

  /// The last callback.
  func finish(_ result: Result<Void, any Error>) {
    lock.withLock {
      note("result")
      self.result = Answer.result(result)
    }
  }

  func set(token: CKServerChangeToken?, cursor: CKQueryOperation.Cursor? = nil) {
    lock.withLock { (self.token, self.cursor) = (token, cursor) }
  }

  func set(metadata: CKShare.Metadata?) { lock.withLock { self.metadata = metadata } }

  var lastMetadata: CKShare.Metadata? { lock.withLock { metadata } }
  var lastToken: CKServerChangeToken? { lock.withLock { token } }
  var lastCursor: CKQueryOperation.Cursor? { lock.withLock { cursor } }
  var count: Int { lock.withLock { items.count } }

  func record(_ id: CKRecord.ID) -> CKRecord? { lock.withLock { records[id] } }
  func serverRecord(_ id: CKRecord.ID) -> CKRecord? { lock.withLock { serverRecords[id] } }

  /// - Parameters:
  ///   - isOrdered: whether the order of the items is documented. Otherwise they are sorted by name.
  ///   - more: other properties of the answer.
  func answer(isOrdered: Bool = false, _ more: [String: JSON?] = [:]) -> JSON {
    lock.withLock {
      let sorted = isOrdered ? items : items.sorted { $0.key < $1.key }
      let answer: [String: JSON?] = [
        "callbacks": .list(kinds.map(JSON.text)), "items": .list(sorted.map(\.value)), "result": result,
      ]
      return .of(answer.merging(more) { $1 })
    }
  }
}
