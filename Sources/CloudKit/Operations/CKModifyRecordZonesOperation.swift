import Foundation
import LocalCloudModel
import LocalCloudService

/// Creates and deletes zones of the private database. Each zone succeeds or fails separately.
///
/// An existing zone is left unchanged. Deleting a zone deletes its records and shares. In the shared database, the
/// current user leaves all shares of the zone instead. A zone that does not exist fails with `zoneNotFound`. The public
/// database has no custom zones and fails with `badDatabase`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The zones to save.
  open var recordZonesToSave: [CKRecordZone]? { willSet { checkNotRunning() } }

  /// The IDs of the zones to delete.
  open var recordZoneIDsToDelete: [CKRecordZone.ID]? { willSet { checkNotRunning() } }

  /// Called for each zone to save.
  open var perRecordZoneSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called for each zone to delete.
  open var perRecordZoneDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var modifyRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with the saved zones and the IDs of the deleted ones. Failures of single zones are in a
  /// `partialFailure`.
  @available(*, deprecated, renamed: "modifyRecordZonesResultBlock")
  open var modifyRecordZonesCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldResultBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
  private let saved = ResultCollector<CKRecordZone>()
  private let deleted = ResultCollector<CKRecordZone.ID>()

  /// Makes an operation without zones.
  public override init() {
    super.init()
  }

  /// Makes an operation that saves and deletes these zones.
  public convenience init(
    recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
  ) {
    self.init()
    self.recordZonesToSave = recordZonesToSave
    self.recordZoneIDsToDelete = recordZoneIDsToDelete
  }

  override var purpose: String { "modify some record zones" }

  override func work(_ request: Request) throws {
    let zones = recordZonesToSave ?? []
    let zoneIDs = recordZoneIDsToDelete ?? []
    try NameRules.check(items: zones.count + zoneIDs.count)
    let perZone = zones.filter { $0.encryptionScope == .perZone }.map { request.translator.identifier($0.zoneID) }
    let response = try request.service.zones.modifyZones(
      ModifyZonesRequest(
        scope: request.scope, saves: zones.map { request.translator.identifier($0.zoneID) },
        deletes: zoneIDs.map(request.translator.identifier), perZone: Set(perZone)),
      by: request.caller)
    for (zone, result) in zip(zones, response.saves) {
      deliver(.zone(zone.zoneID, request.item(result, request.translator.zone)))
    }
    for (zoneID, result) in zip(zoneIDs, response.deletes) {
      deliver(.zoneDeleted(zoneID, request.item(result) { $0 }))
    }
  }

  override func call(_ event: OperationEvent) {
    switch event {
    case .zone(let zoneID, let result):
      recordResult(result, of: zoneID)
      if case .success(let zone) = result { saved.append(zone) }
      perRecordZoneSaveBlock?(zoneID, result)
    case .zoneDeleted(let zoneID, let result):
      recordResult(result, of: zoneID)
      if case .success = result { deleted.append(zoneID) }
      perRecordZoneDeleteBlock?(zoneID, result)
    default: break
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    modifyRecordZonesResultBlock?(outcome)
    oldResultBlock?(saved.values, deleted.values, completionError(outcome))
  }
}
