import Platform
import Storage

/// Keys of a field that a query asks for and the index has not: made from the records, a page at a time, so that nobody
/// waits for longer than that.
extension ZoneStore {
  /// Answers false where they can't be made. What is to be found without them is found all the same.
  func makeKeys(of field: IndexedField, _ patience: LockWaitPolicy) throws -> Bool {
    do {
      while try !folder.exclusively(patience, { try extendKeys(of: field, ZoneView(self, $0)) }) {}
      return true
    } catch let error as SystemError {
      if error.isStopped { throw error }
      return false
    } catch StorageError.damaged {
      return false
    }
  }

  /// Answers whether all are there now.
  private func extendKeys(of field: IndexedField, _ view: ZoneView) throws -> Bool {
    try journal.requireWritable()
    do {
      _ = try folder.openIndex(writing: true)
      let index = try view.index()
      let extent = try FieldCoverage(index)[field]
      var after: ExactName?
      switch extent {
      case .complete?: return true
      case .through(let name)?: after = name
      case nil:
        // A power cut can take the page that said so, and leave keys that nobody keeps.
        if try removeKeys(of: field, index) { return false }
      }
      let names = try view.records(ofType: field.type, after: after, limit: limits.documentsIndexedAtOnce)
      let keys = try names.flatMap { name in
        try files.readRecord(name).map { fieldEncoding.keys(of: $0, [field]) } ?? []
      }
      let isLast = names.count < limits.documentsIndexedAtOnce
      let reached = names.last.map { isLast ? .complete : FieldCoverage.Extent.through($0) } ?? .complete
      try index.apply(
        insert: keys + [IndexKey.coverage(field, reached)], remove: extent.map { [IndexKey.coverage(field, $0)] } ?? [],
        sequence: try index.sequence)
      return isLast
    } catch  where error is IndexUnusable || error is IndexDamage {
      try folder.rebuildIndex()
      return false
    }
  }

  /// Some of a field's keys; answers whether there were any.
  private func removeKeys(of field: IndexedField, _ index: IndexFile) throws -> Bool {
    var keys: [[UInt8]] = []
    try index.scan(prefix: IndexKey.values(of: field)) { key in
      keys.append(key)
      return keys.count < limits.documentsIndexedAtOnce
    }
    if keys.isEmpty { return false }
    try index.apply(insert: [], remove: keys, sequence: try index.sequence)
    return true
  }
}
