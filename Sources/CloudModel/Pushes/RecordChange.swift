import LocalCloudStorage

/// The effect of a commit on one record, as query subscriptions see it.
package struct RecordChange {
  /// The kind of change, with CloudKit's raw values.
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
  /// The record's present dictionary; its last one if the record is deleted.
  package var object: JSONObject

  package init(_ name: ExactName, _ reason: Reason, _ object: JSONObject) {
    self.name = name
    self.reason = reason
    self.object = object
  }

  /// The value of a field; nil if it is missing or can't be read.
  package func value(_ key: String) -> FieldValue? {
    object["fields"]?[key]?.object.flatMap { (try? FieldValue.parse($0, key: key)) ?? nil }
  }
}
