/// A request for the changes in a zone since a token; nil: all existing records.
package struct ZoneChangesRequest: Sendable {
  package var scope: DatabaseScope
  package var zone: ZoneIdentifier
  package var since: String?
  package var desiredKeys: [String]?
  /// The largest number of modifications and deletions together; 0: the service chooses (200).
  package var limit: Int
  package var withAssets: Bool

  package init(
    scope: DatabaseScope, zone: ZoneIdentifier, since: String? = nil, desiredKeys: [String]? = nil, limit: Int = 0,
    withAssets: Bool = false
  ) {
    self.scope = scope
    self.zone = zone
    self.since = since
    self.desiredKeys = desiredKeys
    self.limit = limit
    self.withAssets = withAssets
  }
}

package struct ZoneChanges: Sendable {
  package struct Deletion: Sendable, Hashable {
    package var record: RecordIdentifier
    package var type: String

    package init(record: RecordIdentifier, type: String) {
      self.record = record
      self.type = type
    }
  }

  /// A changed record that can't be reported, for example because its encrypted values can't be read.
  package struct Failure: Sendable {
    package var record: RecordIdentifier
    package var error: ServiceError

    package init(record: RecordIdentifier, error: ServiceError) {
      self.record = record
      self.error = error
    }
  }

  /// Ascending by the sequence of each record's last change.
  package var changed: [Record]
  package var failed: [Failure] = []
  package var deleted: [Deletion]
  /// The token of the next request; opaque. Also valid between two pages.
  package var token: String
  package var moreComing: Bool
  package var clientChangeTokenData: [UInt8]?

  package init(
    changed: [Record], failed: [Failure] = [], deleted: [Deletion], token: String, moreComing: Bool,
    clientChangeTokenData: [UInt8]? = nil
  ) {
    self.changed = changed
    self.failed = failed
    self.deleted = deleted
    self.token = token
    self.moreComing = moreComing
    self.clientChangeTokenData = clientChangeTokenData
  }
}

/// A request for the zones that changed since a token; nil: all existing zones.
package struct DatabaseChangesRequest: Sendable {
  package var scope: DatabaseScope
  package var since: String?
  package var limit: Int

  package init(scope: DatabaseScope, since: String? = nil, limit: Int = 0) {
    self.scope = scope
    self.since = since
    self.limit = limit
  }
}

package struct DatabaseChanges: Sendable {
  package enum DeletionReason: String, Sendable {
    case deleted
    case purged
    case encryptedDataReset
  }

  package struct Deletion: Sendable, Hashable {
    package var zone: ZoneIdentifier
    package var reason: DeletionReason

    package init(zone: ZoneIdentifier, reason: DeletionReason) {
      self.zone = zone
      self.reason = reason
    }
  }

  package var changed: [ZoneIdentifier]
  package var deleted: [Deletion]
  package var token: String
  package var moreComing: Bool

  package init(changed: [ZoneIdentifier], deleted: [Deletion], token: String, moreComing: Bool) {
    self.changed = changed
    self.deleted = deleted
    self.token = token
    self.moreComing = moreComing
  }
}
