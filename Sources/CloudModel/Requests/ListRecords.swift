import Storage

/// What a zone holds, page by page, in the order of types and names: for copies of it. Needs no index of the schema.
package struct ListRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var zone: ZoneIdentifier
  /// Nil: all types, shares and users too.
  package var type: String?
  /// From the page before.
  package var after: RecordPosition?
  package var withAssets: Bool

  package init(scope: DatabaseScope, zone: ZoneIdentifier, type: String? = nil, withAssets: Bool = false) {
    self.scope = scope
    self.zone = zone
    self.type = type
    self.withAssets = withAssets
  }
}

/// Where a record stands in the order of types and names.
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
  /// Records that are there and can't be told.
  package var failed: [ZoneChanges.Failure] = []
  /// Nil: that was all.
  package var next: RecordPosition?

  package init() {}
}
