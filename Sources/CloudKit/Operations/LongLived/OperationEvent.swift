import Foundation
import LocalCloudModel

/// The calls of the blocks of an operation on a database, as values that can be persisted and delivered again in
/// another process.
enum OperationEvent: Sendable {
  typealias Outcome<Value> = Result<Value, any Error>

  /// The position of a fetch of changes after a page.
  struct Position: Sendable {
    var token: CKServerChangeToken
    var clientData: Data?
    var moreComing = false
  }

  /// The result for a record that was requested, found or changed.
  case record(CKRecord.ID, Outcome<CKRecord>)
  case saved(CKRecord.ID, Outcome<CKRecord>)
  case deleted(CKRecord.ID, Outcome<Void>)
  /// A record that a fetch of changes reports as deleted.
  case recordGone(CKRecord.ID, type: CKRecord.RecordType)
  /// The result for a zone that was requested or saved.
  case zone(CKRecordZone.ID, Outcome<CKRecordZone>)
  case zoneDeleted(CKRecordZone.ID, Outcome<Void>)
  case zoneChanged(CKRecordZone.ID)
  case zoneGone(CKRecordZone.ID, DatabaseChanges.DeletionReason)
  /// The end of a page of changes that is not the last, with a zone ID for the changes of a zone and nil for those of a
  /// database.
  case page(CKRecordZone.ID?, Position)
  /// The end of the last page.
  case walked(CKRecordZone.ID?, Outcome<Position>)
  /// The cursor for the next records of a query.
  case cursor(CKQueryOperation.Cursor)
}

extension OperationEvent {
  /// The persistent form: the kind of the event and its values.
  struct Archive: Codable {
    enum Kind: String, Codable {
      case record, saved, deleted, recordGone, zone, zoneDeleted, zoneChanged, zoneGone, page, walked, cursor
    }

    var kind: Kind
    var recordID: CKRecordID.Archive?
    var zoneID: CKRecordZoneID.Archive?
    var record: RecordState.Archive?
    var recordZone: CKRecordZone.Archive?
    var error: ErrorArchive?
    var recordType: String?
    var reason: String?
    var token: Data?
    var clientData: Data?
    var moreComing: Bool?
    var cursor: Data?
  }

  var archive: Archive {
    switch self {
    case .record(let id, let result): Archive(.record, id, result)
    case .saved(let id, let result): Archive(.saved, id, result)
    case .deleted(let id, let result):
      Archive(kind: .deleted, recordID: id.archive, error: result.parts.error.map(ErrorArchive.init))
    case .recordGone(let id, let type): Archive(kind: .recordGone, recordID: id.archive, recordType: type)
    case .zone(let id, let result):
      Archive(
        kind: .zone, zoneID: id.archive, recordZone: result.parts.value?.archive,
        error: result.parts.error.map(ErrorArchive.init))
    case .zoneDeleted(let id, let result):
      Archive(kind: .zoneDeleted, zoneID: id.archive, error: result.parts.error.map(ErrorArchive.init))
    case .zoneChanged(let id): Archive(kind: .zoneChanged, zoneID: id.archive)
    case .zoneGone(let id, let reason): Archive(kind: .zoneGone, zoneID: id.archive, reason: reason.rawValue)
    case .page(let id, let position): Archive(.page, id, .success(position))
    case .walked(let id, let result): Archive(.walked, id, result)
    case .cursor(let cursor): Archive(kind: .cursor, cursor: cursor.data)
    }
  }

  /// Nil if a value is missing or invalid.
  init?(archive: Archive) {
    let recordID = archive.recordID.flatMap(CKRecordID.init(archive:))
    let zoneID = archive.zoneID.flatMap(CKRecordZoneID.init(archive:))
    let error = archive.error.flatMap(\.error)
    func outcome<Value>(_ value: Value?) -> Outcome<Value>? {
      // An event has either an error or a value.
      if archive.error != nil { return error.map { .failure($0) } }
      return value.map { .success($0) }
    }
    var record: CKRecord? { archive.record.flatMap(RecordState.init(archive:)).map(CKRecord.make(state:)) }
    var position: Position? {
      archive.token.map {
        Position(
          token: CKServerChangeToken(data: $0), clientData: archive.clientData,
          moreComing: archive.moreComing ?? false)
      }
    }
    switch archive.kind {
    case .record:
      guard let recordID, let result = outcome(record) else { return nil }
      self = .record(recordID, result)
    case .saved:
      guard let recordID, let result = outcome(record) else { return nil }
      self = .saved(recordID, result)
    case .deleted:
      guard let recordID, let result = outcome(()) else { return nil }
      self = .deleted(recordID, result)
    case .recordGone:
      guard let recordID, let type = archive.recordType else { return nil }
      self = .recordGone(recordID, type: type)
    case .zone:
      guard let zoneID, let result = outcome(archive.recordZone.flatMap(CKRecordZone.init(archive:))) else {
        return nil
      }
      self = .zone(zoneID, result)
    case .zoneDeleted:
      guard let zoneID, let result = outcome(()) else { return nil }
      self = .zoneDeleted(zoneID, result)
    case .zoneChanged:
      guard let zoneID else { return nil }
      self = .zoneChanged(zoneID)
    case .zoneGone:
      guard let zoneID, let reason = archive.reason.flatMap(DatabaseChanges.DeletionReason.init) else { return nil }
      self = .zoneGone(zoneID, reason)
    case .page:
      guard let position, (zoneID == nil) == (archive.zoneID == nil) else { return nil }
      self = .page(zoneID, position)
    case .walked:
      guard let result = outcome(position), (zoneID == nil) == (archive.zoneID == nil) else { return nil }
      self = .walked(zoneID, result)
    case .cursor:
      guard let data = archive.cursor else { return nil }
      self = .cursor(CKQueryCursor(data: data))
    }
  }
}

extension OperationEvent.Archive {
  fileprivate init(_ kind: Kind, _ recordID: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
    self.init(
      kind: kind, recordID: recordID.archive, record: result.parts.value?.state.archive(systemFieldsOnly: false),
      error: result.parts.error.map(ErrorArchive.init))
  }

  fileprivate init(
    _ kind: Kind, _ zoneID: CKRecordZone.ID?, _ result: Result<OperationEvent.Position, any Error>
  ) {
    let position = result.parts.value
    self.init(
      kind: kind, zoneID: zoneID?.archive, error: result.parts.error.map(ErrorArchive.init),
      token: position?.token.data, clientData: position?.clientData, moreComing: position?.moreComing)
  }
}
