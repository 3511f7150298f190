import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches the changes of zones since a token, one zone after another, page by page.
///
/// Each changed record appears once, in its latest state. Changes by this device are included. Errors of a zone:
/// `zoneNotFound`, `changeTokenExpired` (start again without a token), `serverRejectedRequest` for a default zone.
/// Without zone IDs the operation fails with `invalidArguments`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The settings for one zone; the class is `CKFetchRecordZoneChangesConfiguration`.
  public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration

  /// The old name of ``ZoneConfiguration``.
  @available(*, deprecated, renamed: "ZoneConfiguration")
  public typealias ZoneOptions = CKFetchRecordZoneChangesConfiguration

  /// The IDs of the zones.
  open var recordZoneIDs: [CKRecordZone.ID]? { willSet { checkNotRunning() } }

  /// The settings of each zone. A zone without an entry is fetched from the beginning.
  open var configurationsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]? {
    willSet { checkNotRunning() }
  }

  /// Whether to fetch pages until no changes are left; otherwise each zone gets one page. The default is true.
  open var fetchAllChanges = true { willSet { checkNotRunning() } }

  /// Called for each record that was created or changed.
  open var recordWasChangedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record that was deleted, or that the current user may no longer see.
  open var recordWithIDWasDeletedBlock: ((CKRecord.ID, CKRecord.RecordType) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called after each page of a zone except the last, with a token for continuing in a later fetch.
  open var recordZoneChangeTokensUpdatedBlock: ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end of each zone. The data are the `clientChangeTokenData` of this device's last save.
  open var recordZoneFetchResultBlock:
    (
      (
        CKRecordZone.ID,
        Result<(serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error>
      ) -> Void
    )?
  { willSet { checkNotRunning() } }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var fetchRecordZoneChangesResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called for each record that was created or changed, unless ``recordWasChangedBlock`` is set.
  @available(*, deprecated, renamed: "recordWasChangedBlock")
  open var recordChangedBlock: ((CKRecord) -> Void)? {
    get { oldRecordBlock }
    set {
      checkNotRunning()
      oldRecordBlock = newValue
    }
  }

  /// Called at the end of each zone, unless ``recordZoneFetchResultBlock`` is set.
  @available(*, deprecated, renamed: "recordZoneFetchResultBlock")
  open var recordZoneFetchCompletionBlock: ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
  {
    get { oldZoneBlock }
    set {
      checkNotRunning()
      oldZoneBlock = newValue
    }
  }

  /// Called at the end. Failures of single zones are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchRecordZoneChangesResultBlock")
  open var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  /// The old name of ``configurationsByRecordZoneID``.
  @available(*, deprecated, renamed: "configurationsByRecordZoneID")
  open var optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]? {
    get { configurationsByRecordZoneID }
    set { configurationsByRecordZoneID = newValue }
  }

  private var oldRecordBlock: ((CKRecord) -> Void)?
  private var oldZoneBlock: ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
  private var oldResultBlock: (((any Error)?) -> Void)?

  /// Makes an operation without zones.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the changes of these zones.
  public convenience init(
    recordZoneIDs: [CKRecordZone.ID]? = nil,
    configurationsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]? = nil
  ) {
    self.init()
    self.recordZoneIDs = recordZoneIDs
    self.configurationsByRecordZoneID = configurationsByRecordZoneID
  }

  /// Makes an operation that fetches the changes of these zones.
  @available(*, deprecated, renamed: "init(recordZoneIDs:configurationsByRecordZoneID:)")
  public convenience init(
    recordZoneIDs: [CKRecordZone.ID],
    optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]?
  ) {
    self.init(recordZoneIDs: recordZoneIDs, configurationsByRecordZoneID: optionsByRecordZoneID)
  }

  override var purpose: String { "fetch changes of some record zones" }

  override func work(_ request: Request) throws {
    var known: Set<CKRecordZone.ID> = []
    let zoneIDs = (recordZoneIDs ?? []).filter { known.insert($0).inserted }
    if zoneIDs.isEmpty {
      throw CKError.invalidArguments("recordZoneIDs must hold at least one zone", container: containerName)
    }
    for zoneID in zoneIDs {
      let result = try request.item { () throws(ServiceError) in try fetch(zoneID, request) }
      deliver(.walked(zoneID, result))
    }
  }

  /// Fetches the pages of a zone. Returns the position after the last page.
  private func fetch(_ zoneID: CKRecordZone.ID, _ request: Request) throws(ServiceError) -> OperationEvent.Position {
    let configuration = configurationsByRecordZoneID?[zoneID]?.values ?? ZoneConfiguration.Values()
    var since = configuration.token.map { String(decoding: $0.data, as: UTF8.self) }
    while true {
      let changes = try request.service.feeds.zoneChanges(
        ZoneChangesRequest(
          scope: request.scope, zone: request.translator.identifier(zoneID), since: since,
          desiredKeys: configuration.desiredKeys, limit: configuration.resultsLimit, withAssets: true),
        by: request.caller)
      for record in changes.changed {
        let recordID = try request.translator.recordID(record.id)
        deliver(
          .record(
            recordID, request.item(.success(record)) { (record) throws(ServiceError) in try request.record(record) }))
      }
      for failure in changes.failed {
        let recordID = try request.translator.recordID(failure.record)
        deliver(.record(recordID, .failure(request.error(failure.error))))
      }
      for deletion in changes.deleted {
        deliver(.recordGone(try request.translator.recordID(deletion.record), type: deletion.type))
      }
      let position = OperationEvent.Position(
        token: CKServerChangeToken(data: Data(changes.token.utf8)),
        clientData: changes.clientChangeTokenData.map { Data($0) }, moreComing: changes.moreComing)
      guard fetchAllChanges, changes.moreComing, !isCancelled else { return position }
      deliver(.page(zoneID, position))
      since = changes.token
    }
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .record(let recordID, let result):
      if let recordWasChangedBlock {
        recordWasChangedBlock(recordID, result)
      } else if case .success(let record) = result {
        oldRecordBlock?(record)
      }
    case .recordGone(let recordID, let type): recordWithIDWasDeletedBlock?(recordID, type)
    case .page(let zoneID?, let position):
      recordZoneChangeTokensUpdatedBlock?(zoneID, position.token, position.clientData)
    case .walked(let zoneID?, let result):
      recordResult(result, of: zoneID)
      finish(zoneID, result)
    default: break
    }
  }

  private func finish(_ zoneID: CKRecordZone.ID, _ result: Result<OperationEvent.Position, any Error>) {
    if let recordZoneFetchResultBlock {
      recordZoneFetchResultBlock(zoneID, result.map { ($0.token, $0.clientData, $0.moreComing) })
      return
    }
    switch result {
    case .success(let end): oldZoneBlock?(zoneID, end.token, end.clientData, end.moreComing, nil)
    case .failure(let error): oldZoneBlock?(zoneID, nil, nil, false, error)
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    fetchRecordZoneChangesResultBlock?(outcome)
    oldResultBlock?(completionError(outcome))
  }
}
