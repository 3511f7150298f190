import LocalCloudPlatform
import LocalCloudStorage

/// Makes the keys of a field that a query needs and the index lacks. It reads the records one page at a time, so that
/// other processes wait only for one page.
extension ZoneStore {
  /// Makes all keys of a field. Returns false if they can't be made; queries give the same results without them.
  func makeKeys(of field: IndexedField, _ waitPolicy: LockWaitPolicy) throws -> Bool {
    do {
      while try !folder.exclusively(waitPolicy, { try extendKeys(of: field, ZoneView(self, $0)) }) {}
      return true
    } catch let error as SystemError {
      if error.isStopped { throw error }
      return false
    } catch StorageError.damaged {
      return false
    }
  }

  /// Makes the next page of keys. Returns whether all are there now.
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
        // A power cut can take the page with the coverage, and leave keys that commits don't maintain.
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

  /// Removes some of a field's keys. Returns whether there were any.
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
