/// A subscription of a database: pushes notify its user of the changes that it selects.
package struct Subscription: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case query(SubscriptionQuery)
    case zone(ZoneIdentifier)
    case database
  }

  package var id: String
  package var kind: Kind
  /// For a zone or database subscription: only changes to records of this type count; nil: all changes.
  package var recordType: String?
  /// Nil: the push is silent, and only describes the change.
  package var notification: NotificationInfo?

  package init(id: String, kind: Kind, recordType: String? = nil, notification: NotificationInfo? = nil) {
    self.id = id
    self.kind = kind
    self.recordType = recordType
    self.notification = notification
  }

  /// `query`, `zone` or `database`, as on the wire.
  package var typeName: String {
    switch kind {
    case .query: "query"
    case .zone: "zone"
    case .database: "database"
    }
  }

  /// Whether a second subscription would only send each push twice.
  ///
  /// - Assumption: two subscriptions are the same if type, record type, predicate, zone and fire options are; the
  ///   displayed texts do not count.
  package func isSame(as other: Subscription) -> Bool { kind == other.kind && recordType == other.recordType }
}

/// Selects the records that fire a query subscription by their changes: those of one type that pass a condition.
package struct SubscriptionQuery: Sendable, Hashable {
  package var recordType: String
  /// Nil: all zones of the database.
  package var zone: ZoneIdentifier?
  package var fires: FireOptions
  package var condition: QueryCondition

  package init(
    recordType: String, zone: ZoneIdentifier? = nil, fires: FireOptions, condition: QueryCondition = .always
  ) {
    self.recordType = recordType
    self.condition = condition
    self.zone = zone
    self.fires = fires
  }
}

/// The changes that fire a query subscription, with CloudKit's raw values.
package struct FireOptions: OptionSet, Sendable, Hashable {
  package var rawValue: UInt

  package init(rawValue: UInt) { self.rawValue = rawValue }

  package static let creation = FireOptions(rawValue: 1)
  package static let update = FireOptions(rawValue: 2)
  package static let deletion = FireOptions(rawValue: 4)
  package static let once = FireOptions(rawValue: 8)

  package static let changes: FireOptions = [.creation, .update, .deletion]

  /// The options with their names in the Web Services.
  package static let words: [(word: String, option: FireOptions)] = [
    ("create", .creation), ("update", .update), ("delete", .deletion),
  ]
}
