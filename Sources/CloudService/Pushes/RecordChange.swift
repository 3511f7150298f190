import CloudStore
import Storage

/// What a commit does to one record, as a query subscription looks at it.
struct RecordChange {
  /// Apple's raw values.
  enum Reason: Int64 {
    case created = 1
    case updated = 2
    case deleted = 3

    var option: FireOptions {
      switch self {
      case .created: .creation
      case .updated: .update
      case .deleted: .deletion
      }
    }
  }

  var name: ExactName
  var reason: Reason
  /// As it is now; as it was last, if it is gone.
  var record: StoredRecord

  /// Nil for a record that was not there and is not there now.
  init?(_ name: ExactName, before: StoredRecord?, after: StoredRecord?) {
    guard let record = after ?? before else { return nil }
    self.name = name
    self.record = record
    reason = after == nil ? .deleted : before == nil ? .created : .updated
  }

  /// A field's value, if it can be read.
  func value(_ key: String) -> FieldValue? {
    record.object["fields"]?[key]?.object.flatMap { (try? FieldValue.parse($0, key: key)) ?? nil }
  }
}
