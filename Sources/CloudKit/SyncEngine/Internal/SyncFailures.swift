import Foundation
import LocalCloudModel

/// The failures of one pass: for its next requests, for the error that the caller gets, and for the next attempt.
struct SyncFailures {
  /// The records and zones that failed. The pass does not send them again.
  private(set) var recordIDs: Set<CKRecord.ID> = []
  private(set) var zoneIDs: Set<CKRecordZone.ID> = []
  /// The zones with a failure, of their own or of a record, that the engine retries. Their records wait for the next
  /// pass.
  private(set) var waitingZoneIDs: Set<CKRecordZone.ID> = []
  /// Whether the delegate offered records that wait for the next pass.
  private(set) var hasHeldBackRecords = false
  /// Whether no other request can succeed now.
  private(set) var endsPass = false

  /// Whether the caller gets the errors. A scheduled pass has no caller, and the errors of conflicts hold records.
  private let isThrown: Bool
  private var errorsByItem: [AnyHashable: any Error] = [:]
  /// The error of the first request that failed as a whole.
  private var ofRequest: CKError?
  private var retryable: [CKError.Code: CKError] = [:]

  init(isThrown: Bool = true) { self.isThrown = isThrown }

  /// The errors after which the engine tries again: for each code the one with the longest retry-after.
  var errors: [CKError] { Array(retryable.values) }

  mutating func add(_ error: CKError, of recordID: CKRecord.ID) {
    recordIDs.insert(recordID)
    add(error, ofItem: recordID, in: recordID.zoneID)
  }

  mutating func add(_ error: CKError, of zoneID: CKRecordZone.ID) {
    zoneIDs.insert(zoneID)
    add(error, ofItem: zoneID, in: zoneID)
  }

  /// Adds the error of a whole request. One that the engine retries ends the pass.
  mutating func add(_ error: CKError) {
    ofRequest = ofRequest ?? error
    addRetryable(error)
    if error.isRetriedBySyncEngine { endsPass = true }
  }

  private mutating func add(_ error: CKError, ofItem itemID: AnyHashable, in zoneID: CKRecordZone.ID) {
    if isThrown { errorsByItem[itemID] = error }
    if error.isRetriedBySyncEngine { waitingZoneIDs.insert(zoneID) }
    addRetryable(error)
  }

  private mutating func addRetryable(_ error: CKError) {
    guard error.isRetriedBySyncEngine else { return }
    if let known = retryable[error.code], known.retryAfterSeconds ?? -1 >= error.retryAfterSeconds ?? -1 { return }
    retryable[error.code] = error
  }

  /// Removes the records that wait for the next pass: those that failed, with `atomicByZone` the others of their zones,
  /// and those of zones that wait.
  mutating func removeWaiting(from batch: inout CKSyncEngine.RecordZoneChangeBatch) {
    var zoneIDs = waitingZoneIDs
    if batch.atomicByZone {
      zoneIDs.formUnion(batch.changes.map(\.itemID).filter(recordIDs.contains).map(\.zoneID))
    }
    func isWaiting(_ recordID: CKRecord.ID) -> Bool {
      recordIDs.contains(recordID) || zoneIDs.contains(recordID.zoneID)
    }
    let isWaitingPresent = batch.changes.contains { isWaiting($0.itemID) }
    batch.recordsToSave.removeAll { isWaiting($0.recordID) }
    batch.recordIDsToDelete.removeAll(where: isWaiting)
    if isWaitingPresent { hasHeldBackRecords = true }
  }

  /// Throws if anything failed, in a pass that throws its errors.
  ///
  /// - Assumption: a request that failed as a whole gives its own error, items give `partialFailure`.
  func check(_ purpose: String, container: String?) throws {
    if let ofRequest { throw ofRequest }
    if !errorsByItem.isEmpty { throw CKError.partialFailure(errorsByItem, purpose, container: container) }
  }
}

extension CKError {
  /// Whether the engine keeps a change pending after this error, and tries again by itself. Otherwise the app decides.
  var isRetriedBySyncEngine: Bool {
    switch code {
    case .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable, .requestRateLimited,
      .serviceUnavailable, .zoneBusy, .operationCancelled:
      true
    default: false
    }
  }

  /// The error of a request of the engine; nil if the engine has stopped.
  static func ofSync(_ error: any Error, container: String?) -> CKError? {
    if error is SyncStopped { return nil }
    if error is CancellationError { return cancelled(container: container) }
    return (error as? CKError) ?? make(ServiceError(describing: error), container: container)
  }
}
