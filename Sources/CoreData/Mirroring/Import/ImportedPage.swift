import ObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Takes over into the store what changed in the cloud.
protocol Importing {
  /// Records that can't be read; the others come all the same.
  var errors: [CKRecord.ID: any Error] { get }
  /// Whether there is something to send that the history says nothing of.
  var wantsExport: Bool { get }
  mutating func run() throws
}

/// What a page of the cloud's changes says, read beforehand: no file is read while the store is locked.
struct ImportedPage {
  private(set) var objects: [ImportedRecord] = []
  private(set) var links: [LinkRecord] = []
  /// The archive of the zone's share.
  private(set) var share: String?
  var isUnshared = false
  var deletions: [RecordHome] = []
  /// Records that can't be read.
  private(set) var errors: [CKRecord.ID: any Error] = [:]

  /// Throws if the page has to be fetched again. `object`: reads an object's record; nil if the model has none such.
  init(
    _ results: [(CKRecord.ID, Result<CKRecord, any Error>)], object: (CKRecord) throws -> ImportedRecord?
  ) throws {
    for (recordID, result) in results {
      let record: CKRecord
      do {
        record = try result.get()
      } catch let error as CKError where error.code == .assetNotAvailable {
        throw error
      } catch {
        errors[recordID] = error
        continue
      }
      if let share = record as? CKShare {
        self.share = RecordArchive.text(of: share)
      } else if let link = LinkRecord(record) {
        links.append(link)
      } else if let object = try object(record) {
        objects.append(object)
      }
    }
  }

  func apply(_ pass: ImportPass) throws {
    for object in objects { try pass.apply(object) }
    for link in links { try pass.links.apply(link) }
    for home in deletions { try pass.delete(home) }
    try pass.pairs.settle()
  }
}
