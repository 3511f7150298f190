/// Records by ID. `desiredKeys` nil: all; empty: system fields only.
package struct FetchRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var records: [RecordIdentifier]
  package var desiredKeys: [String]?

  package init(scope: DatabaseScope, records: [RecordIdentifier], desiredKeys: [String]? = nil) {
    self.scope = scope
    self.records = records
    self.desiredKeys = desiredKeys
  }
}

/// All records of one type in one zone, in pages. Predicates and sort orders come with a later version.
package struct QueryRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var zone: ZoneIdentifier?
  package var recordType: String
  package var desiredKeys: [String]?
  /// 0: the service chooses.
  package var limit: Int
  /// From the page before.
  package var cursor: String?

  package init(
    scope: DatabaseScope, zone: ZoneIdentifier?, recordType: String, desiredKeys: [String]? = nil, limit: Int = 0,
    cursor: String? = nil
  ) {
    self.scope = scope
    self.zone = zone
    self.recordType = recordType
    self.desiredKeys = desiredKeys
    self.limit = limit
    self.cursor = cursor
  }
}

package struct QueryRecordsResponse: Sendable {
  package var records: [Record]
  /// Nil: that was all.
  package var cursor: String?
}
