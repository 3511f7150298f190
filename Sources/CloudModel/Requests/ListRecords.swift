import LocalCloudStorage

/// A request for one page of all records in a zone, by type and name; for copies of a zone. Needs no index of the
/// schema.
package struct ListRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var zone: ZoneIdentifier
  /// The record type; nil: all types, including shares and users.
  package var type: String?
  /// The position from the previous page.
  package var after: RecordPosition?
  package var withAssets: Bool

  package init(scope: DatabaseScope, zone: ZoneIdentifier, type: String? = nil, withAssets: Bool = false) {
    self.scope = scope
    self.zone = zone
    self.type = type
    self.withAssets = withAssets
  }
}

/// The position of a record in the order of types and names.
package struct RecordPosition: Sendable, Hashable {
  package var type: String
  package var name: ExactName

  package init(type: String, name: ExactName) {
    self.type = type
    self.name = name
  }
}

package struct RecordPage: Sendable {
  package var records: [Record] = []
  /// Records that exist and can't be read.
  package var failed: [ZoneChanges.Failure] = []
  /// The position for the next page; nil if there is none.
  package var next: RecordPosition?

  package init() {}
}
