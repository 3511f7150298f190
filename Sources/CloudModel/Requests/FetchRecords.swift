/// Records by ID. `desiredKeys` nil: all; empty: system fields only. `withAssets`: with the bytes of their assets.
package struct FetchRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var records: [RecordIdentifier]
  package var desiredKeys: [String]?
  package var withAssets: Bool

  package init(
    scope: DatabaseScope, records: [RecordIdentifier], desiredKeys: [String]? = nil, withAssets: Bool = false
  ) {
    self.scope = scope
    self.records = records
    self.desiredKeys = desiredKeys
    self.withAssets = withAssets
  }
}

/// What a query finds in one zone, or with `zone` nil in all zones of the private database; in pages.
package struct QueryRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var zone: ZoneIdentifier?
  package var query: Query
  package var desiredKeys: [String]?
  /// 0: the service chooses.
  package var limit: Int
  /// From the page before.
  package var cursor: String?
  package var withAssets: Bool
  /// Whether a query without a filter needs an index on the record's name, as iCloud has it.
  package var needsNameIndex = false

  package init(
    scope: DatabaseScope, zone: ZoneIdentifier?, recordType: String, desiredKeys: [String]? = nil, limit: Int = 0,
    cursor: String? = nil, withAssets: Bool = false
  ) {
    self.init(
      scope: scope, zone: zone, query: Query(recordType: recordType), desiredKeys: desiredKeys, limit: limit,
      cursor: cursor, withAssets: withAssets)
  }

  package init(
    scope: DatabaseScope, zone: ZoneIdentifier?, query: Query, desiredKeys: [String]? = nil, limit: Int = 0,
    cursor: String? = nil, withAssets: Bool = false
  ) {
    self.scope = scope
    self.zone = zone
    self.query = query
    self.desiredKeys = desiredKeys
    self.limit = limit
    self.cursor = cursor
    self.withAssets = withAssets
  }
}

package struct QueryRecordsResponse: Sendable {
  package var records: [Record]
  /// Records that match and can't be told.
  package var failed: [ZoneChanges.Failure] = []
  /// Nil: that was all.
  package var cursor: String?

  package init(records: [Record], failed: [ZoneChanges.Failure] = [], cursor: String? = nil) {
    self.records = records
    self.failed = failed
    self.cursor = cursor
  }
}
