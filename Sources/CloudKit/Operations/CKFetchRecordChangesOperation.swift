import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches a page of the changes of one zone since a token. `CKFetchRecordZoneChangesOperation` replaces this
/// operation. While ``moreComing`` is true, continue with a new operation.
///
/// Errors: `zoneNotFound`, `changeTokenExpired` (start again without a token), `serverRejectedRequest` for a default
/// zone, `invalidArguments` without a zone.
// Sendable: as CKOperation. Inputs and blocks are set before the operation starts, `moreComing` before the completion
// block is called.
@available(*, deprecated, renamed: "CKFetchRecordZoneChangesOperation")
open class CKFetchRecordChangesOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The ID of the zone.
  open var recordZoneID: CKRecordZone.ID? { willSet { checkNotRunning() } }

  /// The token of an earlier fetch; this fetch continues from there. Nil fetches everything in the zone.
  open var previousServerChangeToken: CKServerChangeToken? { willSet { checkNotRunning() } }

  /// The maximum number of changes in the page; 0 lets the server choose.
  open var resultsLimit = 0 { willSet { checkNotRunning() } }

  /// The keys to fetch; nil for all, empty for system fields only.
  open var desiredKeys: [CKRecord.FieldKey]? { willSet { checkNotRunning() } }

  /// Called for each record that was created or changed.
  open var recordChangedBlock: ((CKRecord) -> Void)? { willSet { checkNotRunning() } }

  /// Called for each record that was deleted, or that the current user may no longer see.
  open var recordWithIDWasDeletedBlock: ((CKRecord.ID) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with an error, or with a token and the `clientChangeTokenData` of this device's last save.
  open var fetchRecordChangesCompletionBlock: ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?
  { willSet { checkNotRunning() } }

  private let end = ResultCollector<OperationEvent.Position>()

  /// Makes an operation without a zone.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the changes of that zone since that token.
  public convenience init(recordZoneID: CKRecordZone.ID, previousServerChangeToken: CKServerChangeToken?) {
    self.init()
    self.recordZoneID = recordZoneID
    self.previousServerChangeToken = previousServerChangeToken
  }

  /// Whether there are more changes than the page held. Set before the completion block is called.
  open var moreComing: Bool { end.values.last?.moreComing ?? false }

  override func work(_ request: Request) throws {
    guard let recordZoneID else {
      throw CKError.invalidArguments("recordZoneID must be set", container: containerName)
    }
    let since = previousServerChangeToken.map { String(decoding: $0.data, as: UTF8.self) }
    let changes = try request.service.feeds.zoneChanges(
      ZoneChangesRequest(
        scope: request.scope, zone: request.translator.identifier(recordZoneID), since: since,
        desiredKeys: desiredKeys, limit: resultsLimit),
      by: request.caller)
    try deliver(changes, of: recordZoneID, request)
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .record(_, .success(let record)): recordChangedBlock?(record)
    case .recordGone(let recordID, _): recordWithIDWasDeletedBlock?(recordID)
    case .walked(_, .success(let position)): end.append(position)
    default: break
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    switch outcome {
    case .success:
      fetchRecordChangesCompletionBlock?(end.values.last?.token, end.values.last?.clientData, nil)
    case .failure(let error):
      fetchRecordChangesCompletionBlock?(nil, nil, error)
    }
  }
}

extension CKDatabaseOperation {
  /// Delivers the events of the only page of a zone's changes that this operation fetches.
  fileprivate func deliver(_ changes: ZoneChanges, of zoneID: CKRecordZone.ID, _ request: Request) throws {
    for record in changes.changed {
      let recordID = try request.translator.recordID(record.id)
      deliver(.record(recordID, request.item(.success(record), request.translator.record)))
    }
    for deletion in changes.deleted {
      deliver(.recordGone(try request.translator.recordID(deletion.record), type: deletion.type))
    }
    deliver(
      .walked(
        zoneID,
        .success(
          OperationEvent.Position(
            token: CKServerChangeToken(data: Data(changes.token.utf8)),
            clientData: changes.clientChangeTokenData.map { Data($0) }, moreComing: changes.moreComing))))
  }
}
