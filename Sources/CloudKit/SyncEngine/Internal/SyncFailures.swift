import Foundation
import LocalCloudModel

/// The failures of one pass: for its events, for the error that the caller gets, and for the next attempt.
struct SyncFailures {
  /// The records and zones that failed. The pass does not send them again.
  private(set) var recordIDs: Set<CKRecord.ID> = []
  private(set) var zoneIDs: Set<CKRecordZone.ID> = []
  /// All errors, those of items and those of whole requests.
  private(set) var errors: [CKError] = []
  private var errorsByItem: [AnyHashable: any Error] = [:]
  /// The error of the first request that failed as a whole.
  private var ofRequest: CKError?
  /// Whether no other request can succeed now.
  private(set) var endsPass = false

  mutating func add(_ error: CKError, of recordID: CKRecord.ID) {
    recordIDs.insert(recordID)
    errorsByItem[recordID] = error
    errors.append(error)
  }

  mutating func add(_ error: CKError, of zoneID: CKRecordZone.ID) {
    zoneIDs.insert(zoneID)
    errorsByItem[zoneID] = error
    errors.append(error)
  }

  /// Adds the error of a whole request. One that the engine retries ends the pass.
  mutating func add(_ error: CKError) {
    ofRequest = ofRequest ?? error
    errors.append(error)
    if error.isRetriedBySyncEngine { endsPass = true }
  }

  /// Throws if anything failed.
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
