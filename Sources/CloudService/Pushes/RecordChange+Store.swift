import CloudModel
import CloudStore
import Storage

extension RecordChange {
  /// The record's dictionary as a stored record.
  var record: StoredRecord { StoredRecord(object) }

  /// Nil for a record that did not exist before and does not exist after the change.
  init?(_ name: ExactName, before: StoredRecord?, after: StoredRecord?) {
    guard let record = after ?? before else { return nil }
    self.init(name, after == nil ? .deleted : before == nil ? .created : .updated, record.object)
  }
}
