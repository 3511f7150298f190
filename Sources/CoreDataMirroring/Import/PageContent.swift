import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The records of a page, parsed before the transaction: no file is read while the store is locked.
struct PageContent {
  private let mirrored: MirroredStore
  private var objects: [ImportedObject] = []
  private var links: [LinkRecord] = []
  private var share: (location: RecordLocation, text: String)?
  /// Records that the model does not know, with their change tags.
  private var unknown: [(location: RecordLocation, tag: String?)] = []
  var deletions: [RecordLocation] = []
  /// Whether a record may have come from another address: objects that are related to it may have to follow it.
  var movesObjects: Bool { objects.contains { !$0.receipt.moves.isEmpty } }
  /// Records that could not be read, with their errors.
  private(set) var errors: [CKRecord.ID: any Error] = [:]

  /// - Throws: the cloud's error if it can't check moves that a participant may have written.
  init(_ results: [CKRecord.ID: Result<CKRecord, any Error>], of mirrored: MirroredStore) throws {
    self.mirrored = mirrored
    for (recordID, result) in results.sorted(by: { $0.key.recordName < $1.key.recordName }) {
      do { try add(result.get()) } catch { errors[recordID] = error }
    }
    try confirmMoves()
  }

  private mutating func add(_ record: CKRecord) throws {
    if let share = record as? CKShare {
      // The mirroring ignores shares of single records.
      guard share.recordID.recordName == CKRecordNameZoneWideShare else { return }
      self.share = (RecordLocation(share.recordID), RecordArchive.text(of: share))
    } else if let link = LinkRecord(record) {
      links.append(link)
    } else if let object = try mirrored.imported(record) {
      objects.append(object)
    } else {
      unknown.append((RecordLocation(record.recordID), record.recordChangeTag))
    }
  }

  /// Asks the cloud whether records still exist at former addresses that participants may have written ([mirror-42]).
  private mutating func confirmMoves() throws {
    let open = objects.indices.filter { !objects[$0].unconfirmed.moves.isEmpty }
    if open.isEmpty { return }
    let known = try mirrored.read { view in
      let locations = open.flatMap { index in
        objects[index].unconfirmed.locations.filter { $0 != objects[index].location }
      }
      return try Set(locations).filter { try view.row(key: $0.key, in: .records) != nil }
    }
    var deleted: Set<RecordLocation> = []
    for part in Array(known).chunks(of: 200) {
      for (recordID, result) in try mirrored.records(part.map(\.recordID), keys: []) {
        guard case .failure(let error) = result else { continue }
        if (error as? CKError)?.code == .unknownItem { deleted.insert(RecordLocation(recordID)) }
        switch CloudFailure(error) {
        case .temporary, .noAccount: throw error
        case .outdated, .refused, .lasting: break
        }
      }
    }
    for index in open { objects[index].confirmMoves(known: known, deleted: deleted) }
  }

  func apply(_ pass: ImportPass) throws {
    let read =
      objects.map(\.location) + links.map(\.location) + (share.map { [$0.location] } ?? []) + unknown.map(\.location)
      + deletions
    try RecordNotes(pass.edits, .unread).update(adding: errors.keys.map { RecordLocation($0) }, removing: read)
    let ignored = objects.filter(\.isReceiptIgnored).map(\.location)
    try RecordNotes(pass.edits, .ignoredReceipt)
      .update(adding: ignored, removing: objects.filter { !$0.isReceiptIgnored }.map(\.location) + deletions)
    if let share { try pass.edits.setShare(share.text, of: share.location.zone) }
    for location in deletions where location.name == CKRecordNameZoneWideShare {
      try pass.edits.setShare(nil, of: location.zone)
    }
    for object in objects { try pass.apply(object) }
    for link in links { try pass.links.apply(link) }
    for (location, tag) in unknown { try pass.release(location, tag: tag) }
    for location in deletions { try pass.delete(location) }
    try pass.pairs.resolve()
  }
}

extension StoreTransaction {
  /// Stores the archive of a zone's share; nil if the zone has no share.
  func setShare(_ share: String?, of zone: ZoneLocation) throws {
    guard ZoneEntry(try row(key: zone.key, in: .zones))?.share != share else { return }
    changesShare = true
    try editZone(zone) { $0.share = share }
  }
}
