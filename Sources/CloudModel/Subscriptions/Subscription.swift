/// What a person wants to be told of by a push: one of a database's subscriptions.
package struct Subscription: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case query(SubscriptionQuery)
    case zone(ZoneIdentifier)
    case database
  }

  package var id: String
  package var kind: Kind
  /// Of a zone's or database's subscription: only changes to records of this type count. Nil: all do.
  package var recordType: String?
  /// Nil: the push says what changed, and nothing is shown.
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
  /// - Assumption: two subscriptions are the same if type, record type, predicate, zone and fire options are; what is
  ///   shown does not count.
  package func isSame(as other: Subscription) -> Bool { kind == other.kind && recordType == other.recordType }
}

/// The records whose changes fire a query subscription: those of one type that pass a condition.
package struct SubscriptionQuery: Sendable, Hashable {
  package var recordType: String
  /// Nil: in any zone of the database.
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

/// Apple's raw values.
package struct FireOptions: OptionSet, Sendable, Hashable {
  package var rawValue: UInt

  package init(rawValue: UInt) { self.rawValue = rawValue }

  package static let creation = FireOptions(rawValue: 1)
  package static let update = FireOptions(rawValue: 2)
  package static let deletion = FireOptions(rawValue: 4)
  package static let once = FireOptions(rawValue: 8)

  package static let changes: FireOptions = [.creation, .update, .deletion]

  /// With the words of the wire.
  package static let words: [(word: String, option: FireOptions)] = [
    ("create", .creation), ("update", .update), ("delete", .deletion),
  ]
}
