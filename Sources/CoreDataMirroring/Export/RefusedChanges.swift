import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Reverts changes that the cloud refused for lack of permission, so that the store equals the cloud again
/// ([mirror-28]): fields get the cloud's values, deleted objects are restored, inserted objects are removed.
///
/// - Assumption: changes that the cloud refuses are reverted on the device at once, and the export's event has the
///   errors. Apple documents only that programs are to ask `canUpdateRecord(forManagedObjectWith:)` first.
struct RefusedChanges {
  let mirrored: MirroredStore
  /// The last transaction with sent changes. Newer changes stay, and are refused separately.
  let through: Int64
  let saves: [ExportSave]
  let deletions: [ExportDeletion]

  /// Throws, and changes nothing, if the cloud's records can't be fetched.
  func revert() throws {
    let recordIDs = saves.map(\.record.recordID) + deletions.map(\.location.recordID)
    if recordIDs.isEmpty { return }
    var found: [RecordLocation: ImportedObject] = [:]
    var links: [RecordLocation: LinkRecord] = [:]
    for part in recordIDs.chunks(of: Exporter.batch) {
      for case .success(let record) in try mirrored.records(Array(part)).values {
        if let link = LinkRecord(record) {
          links[link.location] = link
        } else if let object = try? mirrored.imported(record) {
          found[object.location] = object
        }
      }
    }
    let mapping = mirrored.mapping
    try mirrored.edit { edits in
      let pass = try ImportPass(edits, mapping)
      // Deleted objects first: others refer to them.
      for deletion in deletions { try revert(deletion, found[deletion.location], pass) }
      for save in saves { try revert(save, found, pass) }
      for deletion in deletions {
        if case .link(let number) = deletion.subject, let link = LinkEntry(try edits.row(number, in: .links)) {
          edits.remove(link)
          if let record = links[deletion.location] { try pass.links.apply(record) }
        }
      }
      try pass.pairs.resolve()
    }
  }

  private func revert(_ deletion: ExportDeletion, _ record: ImportedObject?, _ pass: ImportPass) throws {
    guard case .object(let id) = deletion.subject else { return }
    pass.edits.remove(id.number, from: .records)
    if let record { try pass.apply(record) }
  }

  private func revert(
    _ save: ExportSave, _ found: [RecordLocation: ImportedObject], _ pass: ImportPass
  ) throws {
    let edits = pass.edits
    switch save.subject {
    case .link(let number):
      guard let link = LinkEntry(try edits.row(number, in: .links)), !link.isSent else { return }
      try pass.links.delete(link.location)
    case .object(let id):
      guard var entry = try edits.record(of: id),
        entry.location.recordID == save.record.recordID
      else { return }
      if let record = found[entry.location] {
        // Without the tag: an import skips a record with a known tag.
        (entry.sent, entry.tag) = (through, nil)
        edits.put(entry.row, in: .records)
        try pass.apply(record)
      } else if entry.tag == nil {
        try pass.delete(entry)
      } else {
        // The record was deleted or is no longer visible: an import reports that.
        entry.sent = through
        edits.put(entry.row, in: .records)
      }
    }
  }
}
