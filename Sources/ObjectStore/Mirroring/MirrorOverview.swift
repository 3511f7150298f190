/// The mirroring's knowledge of the cloud, and the changes that it has not sent yet. It helps people to find out why a
/// change does not arrive. Reading it takes time in proportion to the number of records.
package struct MirrorOverview: Sendable {
  package struct Zone: Sendable {
    package var entry: ZoneEntry
    package var records: Int
  }

  package enum Change: String, Sendable {
    case new, changed, deleted
    /// The record moves to another zone.
    case moved
    /// Compared with the cloud's record, although the history has no change.
    case compared
  }

  package struct Waiting: Sendable {
    /// The object; nil if it was deleted.
    package var object: RowID?
    package var change: Change
    /// Nil before the record has a name.
    package var location: RecordLocation?
    /// The changed properties, by name; empty where all are sent.
    package var properties: [String] = []
  }

  package private(set) var account = MirroredAccount()
  /// The token of the last fetch of the list of zones; nil before the first import.
  package private(set) var databaseToken: String?
  /// The last transaction of the history, and the last one that is sent completely; nil before the first export.
  package private(set) var head: Int64
  package private(set) var sent: Int64?
  package private(set) var zones: [Zone] = []
  package private(set) var waiting: [Waiting] = []
  /// The number of pairs with records to be saved, and of pairs with records to be deleted.
  package private(set) var newLinks = 0
  package private(set) var endingLinks = 0
  /// References to records that have not arrived.
  package private(set) var references: [WaitingEntry] = []
  /// Records with former addresses that an import does not trust.
  package private(set) var ignoredReceipts: [RecordLocation] = []

  /// Nil for a store that was never mirrored.
  package init?(_ view: StoreView) throws {
    head = try view.head()
    let account = MirroredAccount(try view.row(key: StateKey.account, in: .state))
    guard try account != nil || !view.rows(prefix: "", in: .zones).isEmpty else { return nil }
    self.account = account ?? MirroredAccount()
    databaseToken = try view.row(key: StateKey.database, in: .state)?.values["token"]?.string
    sent = try UnsentChanges.token(in: view)
    zones = try view.rows(prefix: "", in: .zones).compactMap { row in
      guard let entry = ZoneEntry(row) else { return nil }
      return Zone(entry: entry, records: try view.rows(prefix: entry.location.key + "|", in: .records).count)
    }
    try findWaiting(view)
    for link in try view.rows(prefix: "from ", in: .links).compactMap({ LinkEntry($0) }) {
      if link.isEnding { endingLinks += 1 } else if !link.isSent { newLinks += 1 }
    }
    ignoredReceipts = try RecordNote.ignoredReceipt.records(in: view)
    references = try view.rows(prefix: "", in: .waiting).compactMap { WaitingEntry($0) }
  }

  private mutating func findWaiting(_ view: StoreView) throws {
    let candidates = try ExportCandidates(view)
    for id in candidates.present {
      let entry = try view.record(of: id)
      let properties = candidates.unsent.properties(of: id, entry)
      let change: Change
      if entry?.tag == nil {
        change = entry?.leaving.isEmpty == false ? .moved : .new
      } else if properties?.isEmpty == false {
        change = .changed
      } else if properties == nil || candidates.pending.contains(id) {
        change = .compared
      } else {
        continue
      }
      waiting.append(
        Waiting(
          object: id, change: change, location: entry?.location,
          properties: change == .changed ? (properties ?? []).sorted() : []))
    }
    for id in candidates.deleted {
      guard let entry = try view.record(of: id) else { continue }
      waiting.append(Waiting(object: nil, change: .deleted, location: entry.location))
    }
  }
}
