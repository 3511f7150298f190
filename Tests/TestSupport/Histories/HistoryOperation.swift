/// A request of a client in a recorded history.
package enum HistoryCall: Hashable, Codable, Sendable {
  /// One atomic batch.
  case write(zone: String, [HistoryWrite])
  /// One fetch of several records.
  case read(zone: String, records: [String])
  /// One page of a zone's feed: from the start, or with the token of the client's page before.
  case readZoneFeed(zone: String, isFromStart: Bool)
  /// One page of a database's feed. `zones`: the zones of the database that this feed reports.
  case readDatabaseFeed(database: String, zones: [String], isFromStart: Bool)
  case createZone(String)
  case deleteZone(String)

  /// Nil for a request that concerns several zones.
  package var zone: String? {
    switch self {
    case .write(let zone, _), .read(let zone, _), .readZoneFeed(let zone, _), .createZone(let zone),
      .deleteZone(let zone):
      zone
    case .readDatabaseFeed: nil
    }
  }
}

/// The save or deletion of one record in a batch.
package struct HistoryWrite: Hashable, Codable, Sendable {
  package enum Condition: Hashable, Codable, Sendable {
    case none
    /// The save is refused if the record exists.
    case absent
    /// The save is refused unless the record has the change tag of this value.
    case unchanged(String)
  }

  package var record: String
  /// A text that no other write of the history has; nil: a deletion.
  package var value: String?
  package var condition: Condition

  package init(_ record: String, _ value: String?, _ condition: Condition = .none) {
    (self.record, self.value, self.condition) = (record, value, condition)
  }
}

/// A record as an answer shows it.
package struct HistoryVersion: Hashable, Codable, Sendable {
  package var record: String
  /// Nil: the record does not exist.
  package var value: String?
  package var tag: String?

  package init(_ record: String, _ value: String?, tag: String? = nil) {
    (self.record, self.value, self.tag) = (record, value, tag)
  }
}

package enum HistoryResult: Hashable, Codable, Sendable {
  /// The request succeeded, with these records: the saved or fetched ones.
  case done([HistoryVersion])
  case page(changed: [HistoryVersion], deleted: [String], moreComing: Bool)
  /// A page of a database's feed: the zones in it.
  case databasePage(zones: [String], moreComing: Bool)
  /// The request had no effect. `seen`: the server's records in the error.
  case refused(code: String, seen: [HistoryVersion])
  /// The answer is lost: the request took effect before that, or never.
  case lost
  /// The request takes effect at any time, or never.
  case unknown
}

/// A request with its times by a clock that all processes share.
package struct HistoryOperation: Sendable {
  package var client: Int
  package var call: HistoryCall
  package var start: UInt64
  /// The request has no further effect after this time; nil: it may take effect at any time.
  package var end: UInt64?
  /// Nil: the client was killed before the answer.
  package var result: HistoryResult?

  package init(client: Int, _ call: HistoryCall, start: UInt64, end: UInt64?, _ result: HistoryResult?) {
    (self.client, self.call, self.start, self.end, self.result) = (client, call, start, end, result)
  }

  /// Whether the request may or may not have taken effect.
  var isUncertain: Bool { result == nil || result == .lost || result == .unknown }

  /// Whether the request succeeded.
  package var isDone: Bool { if case .done = result { true } else { false } }
}
