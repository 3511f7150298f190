import Storage

/// What a commit does to one record, as a query subscription looks at it.
package struct RecordChange {
  /// Apple's raw values.
  package enum Reason: Int64 {
    case created = 1
    case updated = 2
    case deleted = 3

    package var option: FireOptions {
      switch self {
      case .created: .creation
      case .updated: .update
      case .deleted: .deletion
      }
    }
  }

  package var name: ExactName
  package var reason: Reason
  /// The record's dictionary as it is now; as it was last, if it is gone.
  package var object: JSONObject

  package init(_ name: ExactName, _ reason: Reason, _ object: JSONObject) {
    self.name = name
    self.reason = reason
    self.object = object
  }

  /// A field's value, if it can be read.
  package func value(_ key: String) -> FieldValue? {
    object["fields"]?[key]?.object.flatMap { (try? FieldValue.parse($0, key: key)) ?? nil }
  }
}
