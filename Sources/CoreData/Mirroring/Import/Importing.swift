import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Imports the cloud's changes into the store.
protocol Importing {
  var mirrored: MirroredStore { get }
  /// Records that can't be read; the others are imported nevertheless.
  var errors: [CKRecord.ID: any Error] { get set }
  /// Whether there are changes to send that the history does not list.
  var wantsExport: Bool { get set }
  mutating func run() throws
}

extension Importing {
  mutating func edit<Result>(_ body: (StoreEdits) throws -> Result) throws -> Result {
    let (result, wantsExport) = try mirrored.edit { edits in (try body(edits), edits.wantsExport) }
    if wantsExport { self.wantsExport = true }
    return result
  }

  /// Fetches records again that earlier imports could not read.
  mutating func fetchUnread() throws {
    for locations in try mirrored.read({ try RecordNote.unread.records(in: $0) }).chunks(of: 200) {
      let results = try mirrored.records(locations.map(\.recordID))
      // The change feed reports the deletion of the others.
      let isDeleted = { (error: any Error) in [.unknownItem, .zoneNotFound].contains((error as? CKError)?.code) }
      let found = results.filter { if case .failure(let error) = $0.value { !isDeleted(error) } else { true } }
      let content = try PageContent(found, of: mirrored)
      errors.merge(content.errors) { $1 }
      let mapping = mirrored.mapping
      try edit { edits in
        try content.apply(ImportPass(edits, mapping))
        for location in locations where found[location.recordID] == nil {
          try RecordNotes(edits, .unread).remove(location)
        }
      }
    }
  }
}
