import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Takes back what the cloud refused because the person may not write there, so that the store has again what the cloud
/// has ([mirror-28]): fields get their values, objects that were deleted are there, and those that were inserted are not.
///
/// - Assumption: what the cloud refuses is taken back on the device as well, at once, and the export's event has the
///   errors. Apple documents only that programs are to ask `canUpdateRecord(forManagedObjectWith:)` first.
struct RefusedChanges {
  let mirrored: MirroredStore
  /// The transaction through which changes were sent; what is newer stays, and is refused on its own.
  let through: Int64
  let saves: [ExportSave]
  let deletions: [ExportDeletion]

  /// Throws, and changes nothing, if the cloud can't be asked for what it has.
  func takeBack() throws {
    let recordIDs = saves.map(\.record.recordID) + deletions.map(\.home.recordID)
    if recordIDs.isEmpty { return }
    var found: [RecordHome: ImportedRecord] = [:]
    var links: [RecordHome: LinkRecord] = [:]
    for part in recordIDs.chunks(of: Exporter.batch) {
      for case .success(let record) in try mirrored.records(Array(part)).values {
        if let link = LinkRecord(record) {
          links[link.home] = link
        } else if let object = try? mirrored.imported(record) {
          found[object.home] = object
        }
      }
    }
    let mapping = mirrored.mapping
    try mirrored.edit { edits in
      let pass = try ImportPass(edits, mapping)
      // Objects first: others lead to them.
      for deletion in deletions { try takeBack(deletion, found[deletion.home], pass) }
      for save in saves { try takeBack(save, found, pass) }
      for deletion in deletions {
        if case .link(let number) = deletion.subject, let link = LinkEntry(try edits.row(number, in: .links)) {
          edits.remove(link)
          if let record = links[deletion.home] { try pass.links.apply(record) }
        }
      }
      try pass.pairs.settle()
    }
  }

  private func takeBack(_ deletion: ExportDeletion, _ record: ImportedRecord?, _ pass: ImportPass) throws {
    guard case .object(let number) = deletion.subject else { return }
    pass.edits.remove(number, from: .records)
    if let record { try pass.apply(record) }
  }

  private func takeBack(
    _ save: ExportSave, _ found: [RecordHome: ImportedRecord], _ pass: ImportPass
  ) throws {
    let edits = pass.edits
    switch save.subject {
    case .link(let number):
      guard let link = LinkEntry(try edits.row(number, in: .links)), !link.isSent else { return }
      try pass.links.delete(link.home)
    case .object(let number):
      guard var entry = RecordEntry(try edits.row(number, in: .records)), entry.home.recordID == save.record.recordID
      else { return }
      if let record = found[entry.home] {
        // Without the tag, by which the record would be taken for known.
        (entry.sent, entry.tag) = (through, nil)
        edits.put(entry.row, in: .records)
        try pass.apply(record)
      } else if entry.tag == nil {
        try pass.delete(entry)
      } else {
        // It is gone, or can't be seen any more: an import tells.
        entry.sent = through
        edits.put(entry.row, in: .records)
      }
    }
  }
}
