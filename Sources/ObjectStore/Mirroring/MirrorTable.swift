import Storage

/// The tables in which the mirroring keeps what it knows of the cloud, one line a row.
package enum MirrorTable: String, Sendable, CaseIterable {
  /// A record for each object that has one; numbered as the object.
  case records
  /// A record for each pair of objects that are linked in the cloud.
  case links
  case zones
  case events
  /// References to records that have not arrived yet.
  case waiting
  /// Tokens, the account, and what was set up.
  case state
}

package struct MirrorRow: Sendable, Hashable {
  package var id: Int64
  /// By which the row is found; up to 900 bytes.
  package var key: String?
  package var values: JSONObject

  package init(id: Int64, key: String? = nil, values: JSONObject) {
    self.id = id
    self.key = key
    self.values = values
  }
}
