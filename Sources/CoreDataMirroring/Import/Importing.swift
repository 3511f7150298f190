import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Imports the cloud's changes into the store.
protocol Importing {
  var run: MirroringRun { get }
  /// Records that can't be read; the others are imported nevertheless.
  var errors: [CKRecord.ID: any Error] { get set }
  /// Leaves the last page to the run's end.
  mutating func importChanges() throws
}

extension Importing {
  var mirrored: MirroredStore { run.mirrored }

  /// Fetches records again that earlier imports could not read.
  mutating func fetchUnread() throws {
    for locations in try mirrored.read({ try RecordNote.unread.records(in: $0) }).chunks(of: 200) {
      let results = try mirrored.records(locations.map(\.recordID))
      // The change feed reports the deletion of the others.
      let isDeleted = { (error: any Error) in [.unknownItem, .zoneNotFound].contains((error as? CKError)?.code) }
      let found = results.filter { if case .failure(let error) = $0.value { !isDeleted(error) } else { true } }
      let content = try PageContent(found, of: mirrored)
      errors.merge(content.errors) { $1 }
      try run.edit { edits in
        try content.apply(run.importPass(edits))
        for location in locations where found[location.recordID] == nil {
          try RecordNotes(edits, .unread).remove(location)
        }
      }
    }
  }
}
