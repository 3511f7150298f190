import Foundation
import ObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// What the cloud sent, read beforehand: no file is read while the store is locked.
struct PageContent {
  private let mirrored: MirroredStore
  private var objects: [ImportedRecord] = []
  private var links: [LinkRecord] = []
  private var share: (home: RecordHome, text: String)?
  var deletions: [RecordHome] = []
  /// Records that could not be read, and why.
  private(set) var errors: [CKRecord.ID: any Error] = [:]

  init(_ results: [CKRecord.ID: Result<CKRecord, any Error>], of mirrored: MirroredStore) {
    self.mirrored = mirrored
    for (recordID, result) in results.sorted(by: { $0.key.recordName < $1.key.recordName }) {
      do { try add(result.get()) } catch { errors[recordID] = error }
    }
  }

  private mutating func add(_ record: CKRecord) throws {
    if let share = record as? CKShare {
      self.share = (RecordHome(share.recordID), RecordArchive.text(of: share))
    } else if let link = LinkRecord(record) {
      links.append(link)
    } else if let object = try mirrored.imported(record) {
      objects.append(object)
    }
  }

  func apply(_ pass: ImportPass) throws {
    let read = objects.map(\.home) + links.map(\.home) + (share.map { [$0.home] } ?? []) + deletions
    try UnreadRecords(edits: pass.edits).note(errors.keys.map { RecordHome($0) }, read: read)
    if let share { try pass.edits.setShare(share.text, of: share.home.zone) }
    for home in deletions where home.name == CKRecordNameZoneWideShare { try pass.edits.setShare(nil, of: home.zone) }
    for object in objects { try pass.apply(object) }
    for link in links { try pass.links.apply(link) }
    for home in deletions { try pass.delete(home) }
    try pass.pairs.settle()
  }
}

extension StoreEdits {
  /// Takes over the archive of a zone's share; nil if it has none.
  func setShare(_ share: String?, of zone: ZoneHome) throws {
    guard ZoneEntry(try row(key: zone.key, in: .zones))?.share != share else { return }
    changesShare = true
    try editZone(zone) { $0.share = share }
  }
}

/// The records that an import could not read: each has a row of the table `state`, and is fetched again with every import
/// until it can be read, or is gone ([mirror-31]).
struct UnreadRecords {
  let edits: StoreEdits

  private static let prefix = "unread "

  static func prefix(_ zone: ZoneHome) -> String { prefix + zone.key + "|" }

  private static func key(_ home: RecordHome) -> String { prefix + home.key }

  static func all(in view: StoreView) throws -> [RecordHome] {
    try view.rows(prefix: Self.prefix, in: .state).compactMap { RecordHome($0.values["record"]) }
  }

  func note(_ unread: [RecordHome], read: [RecordHome]) throws {
    for home in unread { try edits.setState(Self.key(home), "record", home.value) }
    if try edits.rows(prefix: Self.prefix, in: .state).isEmpty { return }
    for home in read { try forget(home) }
  }

  func forget(_ home: RecordHome) throws { try edits.setState(Self.key(home), "record", nil) }
}
