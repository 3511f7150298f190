import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches the zones of a database that changed since a token.
///
/// The default zone never appears. An unusable token fails with `changeTokenExpired`, the public database with
/// `badDatabase`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The token of an earlier fetch; this fetch continues from there. Nil fetches every zone.
  open var previousServerChangeToken: CKServerChangeToken? { willSet { checkNotRunning() } }

  /// The maximum number of zones in a page; 0 lets the server choose.
  open var resultsLimit = 0 { willSet { checkNotRunning() } }

  /// Whether to fetch pages until no changes are left; otherwise the operation fetches one page. The default is true.
  open var fetchAllChanges = true { willSet { checkNotRunning() } }

  /// Called for each zone that was created or changed, or has changed records.
  open var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each zone that was deleted, or that shares nothing with the current user any more.
  open var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each zone that the user deleted in Settings. If unset, ``recordZoneWithIDWasDeletedBlock`` is called.
  open var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each zone that was deleted when its encryption keys were reset. If unset,
  /// ``recordZoneWithIDWasDeletedBlock`` is called.
  open var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock: ((CKRecordZone.ID) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called after each page, with a token for continuing in a later fetch.
  open var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end.
  open var fetchDatabaseChangesResultBlock:
    ((Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end, with a token or an error.
  @available(*, deprecated, renamed: "fetchDatabaseChangesResultBlock")
  open var fetchDatabaseChangesCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private typealias End = (serverChangeToken: CKServerChangeToken, moreComing: Bool)

  private var oldResultBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
  private let end = ResultCollector<End>()

  /// Makes an operation that fetches from the beginning.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the changes since that token.
  public convenience init(previousServerChangeToken: CKServerChangeToken?) {
    self.init()
    self.previousServerChangeToken = previousServerChangeToken
  }

  override func work(_ request: Request) throws {
    var since = previousServerChangeToken.map { String(decoding: $0.data, as: UTF8.self) }
    while true {
      try checkCancelled()
      let changes = try request.service.feeds.databaseChanges(
        DatabaseChangesRequest(scope: request.scope, since: since, limit: resultsLimit), by: request.caller)
      for zone in changes.changed { deliver(.zoneChanged(try request.translator.zoneID(zone))) }
      for deletion in changes.deleted {
        deliver(.zoneGone(try request.translator.zoneID(deletion.zone), deletion.reason))
      }
      let position = OperationEvent.Position(
        token: CKServerChangeToken(data: Data(changes.token.utf8)), moreComing: changes.moreComing)
      deliver(.page(nil, position))
      guard fetchAllChanges, changes.moreComing else { return deliver(.walked(nil, .success(position))) }
      since = changes.token
    }
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .zoneChanged(let zoneID): recordZoneWithIDChangedBlock?(zoneID)
    case .zoneGone(let zoneID, let reason): block(for: reason)?(zoneID)
    case .page(_, let position): changeTokenUpdatedBlock?(position.token)
    case .walked(_, .success(let position)): end.append((position.token, position.moreComing))
    default: break
    }
  }

  private func block(for reason: DatabaseChanges.DeletionReason) -> ((CKRecordZone.ID) -> Void)? {
    switch reason {
    case .deleted: recordZoneWithIDWasDeletedBlock
    case .purged: recordZoneWithIDWasPurgedBlock ?? recordZoneWithIDWasDeletedBlock
    case .encryptedDataReset:
      recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock ?? recordZoneWithIDWasDeletedBlock
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    let result = outcome.flatMap { _ in
      end.values.last.map { .success($0) } ?? .failure(CKError.cancelled(container: containerName))
    }
    fetchDatabaseChangesResultBlock?(result)
    switch result {
    case .success(let end): oldResultBlock?(end.serverChangeToken, end.moreComing, nil)
    case .failure(let error): oldResultBlock?(nil, false, error)
    }
  }
}
