import CloudModel
import CloudStore
import Storage

extension RecordChange {
  /// As the store has it.
  var record: StoredRecord { StoredRecord(object) }

  /// Nil for a record that was not there and is not there now.
  init?(_ name: ExactName, before: StoredRecord?, after: StoredRecord?) {
    guard let record = after ?? before else { return nil }
    self.init(name, after == nil ? .deleted : before == nil ? .created : .updated, record.object)
  }
}
