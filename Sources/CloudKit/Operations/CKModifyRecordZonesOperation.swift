import CloudService
import Foundation

/// Makes and deletes zones of the private database. Each zone succeeds or fails by itself.
///
/// A zone that is there already stays as it is. Deleting a zone deletes its records and shares; in the shared database it
/// means leaving all shares of the zone. A zone that is not there gives `zoneNotFound`. The public database has no zones
/// of its own: `badDatabase`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The zones to save.
  open var recordZonesToSave: [CKRecordZone]?

  /// The IDs of the zones to delete.
  open var recordZoneIDsToDelete: [CKRecordZone.ID]?

  /// Called for each zone to save.
  @preconcurrency open var perRecordZoneSaveBlock:
    (@Sendable (CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?

  /// Called for each zone to delete.
  @preconcurrency open var perRecordZoneDeleteBlock: (@Sendable (CKRecordZone.ID, Result<Void, any Error>) -> Void)?

  /// Called at the end. It fails only if the request failed as a whole.
  @preconcurrency open var modifyRecordZonesResultBlock: (@Sendable (Result<Void, any Error>) -> Void)?

  /// Called at the end, with what was saved and deleted; failures of single zones are in a `partialFailure`.
  @available(*, deprecated, renamed: "modifyRecordZonesResultBlock")
  @preconcurrency open var modifyRecordZonesCompletionBlock:
    (@Sendable ([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set { oldResultBlock = newValue }
  }

  private var oldResultBlock: (@Sendable ([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
  private let saved = Gathered<CKRecordZone>()
  private let deleted = Gathered<CKRecordZone.ID>()

  /// Makes an operation without zones.
  public override init() {
    super.init()
  }

  /// Makes an operation that saves and deletes these.
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
    if zones.contains(where: { $0.encryptionScope == .perZone }) {
      throw CKError.notYet("zones with one encryption key", container: containerName)
    }
    let response = try request.service.modifyZones(
      ModifyZonesRequest(
        scope: request.scope, saves: zones.map { request.translator.identifier($0.zoneID) },
        deletes: zoneIDs.map(request.translator.identifier)),
      by: request.caller)
    for (zone, result) in zip(zones, response.saves) {
      let zoneID = zone.zoneID
      let result = request.item(result, request.translator.zone)
      note(result, of: zoneID)
      deliver { [self] in
        if case .success(let zone) = result { saved.append(zone) }
        perRecordZoneSaveBlock?(zoneID, result)
      }
    }
    for (zoneID, result) in zip(zoneIDs, response.deletes) {
      let result = request.item(result) { $0 }
      note(result, of: zoneID)
      deliver { [self] in
        if case .success = result { deleted.append(zoneID) }
        perRecordZoneDeleteBlock?(zoneID, result)
      }
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    modifyRecordZonesResultBlock?(outcome)
    oldResultBlock?(saved.values, deleted.values, completionError(outcome))
  }
}
