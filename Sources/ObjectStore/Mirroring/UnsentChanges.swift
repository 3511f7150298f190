import LocalCloudStorage

/// The author names that distinguish the mirroring's own transactions in the history from those of programs.
package enum MirrorAuthor {
  package static let prefix = "NSCloudKitMirroringDelegate."
  package static let `import` = prefix + "import"
  package static let reset = prefix + "reset"
}

/// Rows of the table `state`, by their keys.
package enum StateKey {
  package static let export = "export"
  package static let database = "database"
  package static let account = "account"
  /// How many events were stored since they were last counted.
  package static let events = "events"
  package static let pending = "pending "
  /// A pending request to scrub the files, with the sequence number of the request.
  package static let erasure = "scrub"

  package static func pending(_ id: RowID) -> String { pending + String(id.number) }
}

/// The changes of objects that the cloud does not know of yet, from the store's history ([mirror-11]).
package struct UnsentChanges: Sendable {
  package struct Change: Sendable {
    /// The transaction that inserted the object, and the last one that changed each property.
    package var inserted: Int64?
    package var properties: [String: Int64] = [:]
  }

  package private(set) var changes: [RowID: Change] = [:]
  /// The last transaction that was looked at.
  package private(set) var through: Int64
  /// The number of transactions that were looked at.
  package private(set) var count = 0
  /// Whether nothing was sent yet, so that every object has to be compared.
  ///
  /// - Assumption: objects that a store held before it was mirrored are sent, too; reports of early systems say
  ///   otherwise.
  package private(set) var isOfEverything = false
  /// Whether the history of unsent changes was deleted, so that only a comparison finds them.
  ///
  /// - Difference: where a program deleted the history of changes that are not sent yet, each object is compared with
  ///   the record that the cloud was last known to have, and the difference is sent. Apple's mirroring is reported to
  ///   read all from the cloud anew instead.
  package private(set) var isHistoryPurged = false

  /// The last transaction that is sent completely; nil before the first export.
  package static func token(in view: StoreView) throws -> Int64? {
    try view.row(key: StateKey.export, in: .state)?.values["token"]?.integer
  }

  package init(_ view: StoreView) throws {
    let token = try Self.token(in: view)
    through = token ?? 0
    isOfEverything = token == nil
    try read(view)
  }

  /// Adds the changes since the last reading. If their history was deleted, nothing is added.
  package mutating func read(_ view: StoreView) throws {
    let transactions: [HistoryTransaction]
    do {
      transactions = try view.history(after: through)
    } catch ObjectStoreError.historyPurged {
      (isOfEverything, isHistoryPurged) = (true, true)
      through = try view.head()
      return
    }
    for transaction in transactions {
      through = transaction.number
      count += 1
      if transaction.author?.hasPrefix(MirrorAuthor.prefix) == true { continue }
      for change in transaction.changes { add(change, transaction.number) }
    }
  }

  private mutating func add(_ change: HistoryChange, _ number: Int64) {
    switch change {
    case .insert(let id): changes[id] = Change(inserted: number)
    case .update(let id, let names):
      for name in names { changes[id, default: Change()].properties[name] = number }
    case .delete(let id, _): changes[id] = Change()
    }
  }

  /// The properties of an object that an export has to send. Nil stands for all of them.
  ///
  /// - Assumption: of two devices' changes the later one wins property by property. Apple says that one of two values
  ///   is retained; reports name the property or the object.
  package func properties(of id: RowID, _ entry: RecordEntry?) -> Set<String>? {
    guard let change = changes[id] else { return [] }
    let sent = entry?.sent ?? 0
    if let inserted = change.inserted, inserted > sent { return nil }
    return Set(change.properties.filter { $0.value > sent }.keys)
  }

  /// The properties of an object that an import must not change: those that were changed here and not sent.
  ///
  /// If the object's record is in the cloud, the insertion was sent, even if the answer was lost. Then these are the
  /// properties that changed after the insertion.
  package func own(of id: RowID, _ entry: RecordEntry?) -> Set<String> {
    properties(of: id, entry) ?? changes[id].map { Set($0.properties.keys) } ?? []
  }
}
