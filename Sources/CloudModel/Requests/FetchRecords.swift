/// A request for records by ID. `desiredKeys` nil: all fields; empty: system fields only. `withAssets`: with the
/// content of their assets.
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

/// A request for one page of a query's results in one zone, or with `zone` nil in all zones of the private database.
package struct QueryRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var zone: ZoneIdentifier?
  package var query: Query
  package var desiredKeys: [String]?
  /// The largest number of records; 0: the service chooses.
  package var limit: Int
  /// The cursor of the previous page.
  package var cursor: String?
  package var withAssets: Bool
  /// Whether a query without a filter needs an index on the record's name, as in iCloud.
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
  /// Records that may match and can't be read.
  package var failed: [ZoneChanges.Failure] = []
  /// The cursor of the next page; nil if there is none.
  package var cursor: String?

  package init(records: [Record], failed: [ZoneChanges.Failure] = [], cursor: String? = nil) {
    self.records = records
    self.failed = failed
    self.cursor = cursor
  }
}
