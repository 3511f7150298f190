import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The errors of mirroring, with the numbers that Core Data has for them.
///
/// - Difference: an export or import that is requested while another one waits completes together with it; no request
///   is cancelled with 134417. A request before a successful setup fails with the setup's own error, not with 134406.
///   134405, 134421 and 134422 do not occur; their meaning is not known.
/// - Assumption: objects that can't be shared cause an `NSCocoaErrorDomain` error 134060 with a failure reason; Apple
///   documents no codes.
package enum MirroringError {
  /// `NSCoreDataError`.
  static let invalid = 134060
  static let noAccount = 134400
  static let stopped = 134407
  static let setupFailed = 134410

  static func make(_ code: Int, _ reason: String, underlying: (any Error)? = nil) -> NSError {
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: "A Core Data error occurred.", NSLocalizedFailureReasonErrorKey: reason,
    ]
    userInfo[NSUnderlyingErrorKey] = underlying
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }

  /// The error for an object that is related to objects of other zones.
  ///
  /// - Assumption: the text names the object by its URI and the zones in the order of owners and names. Reports show
  ///   both, with a memory address before the object's URI.
  static func severalZones(_ id: RowID, in view: StoreView, _ zones: Set<ZoneLocation>) -> NSError {
    let entity = view.schema.entities[Int(id.entity)].name
    let names = zones.sorted().map { "\($0.zoneID)" }.joined(separator: ", ")
    return make(
      invalid,
      "Object graph corruption detected. Objects related to '<x-coredata://\(view.store.identifier)/\(entity)/"
        + "p\(id.number)>' are assigned to multiple zones: {(\(names))}")
  }

  static func noZone(_ entity: String) -> NSError {
    make(
      invalid,
      "Failed to assign an object to a record zone: the object of '\(entity)' is related to no object of a share. "
        + "Share it to one of the store's shares.")
  }

  /// Whether the error says that an object can't be sent because of its related objects.
  static func isOfGraph(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain && error.code == invalid
  }

  static func noAccount(_ status: String) -> NSError {
    make(noAccount, "Unable to initialize without an iCloud account (\(status)).")
  }

  static var alreadyMirrored: NSError {
    make(
      setupFailed,
      "There is another instance of this persistent store actively syncing with CloudKit in this process.")
  }

  /// Another process holds the lease to mirror the store and does not release it.
  static func mirroredElsewhere(_ holder: String?) -> NSError {
    make(
      setupFailed,
      "Another process is mirroring this persistent store with CloudKit: \(holder ?? "which one is not known").")
  }

  /// Another process has since set up the store for another account, container or environment ([mirror-41]).
  static var takenOver: NSError {
    refused(
      "Another process mirrors this persistent store for another account, container or environment since. Give each "
        + "its own store; a program that is started again takes the store back.")
  }

  static var isStopped: NSError {
    make(stopped, "The request was cancelled because the store was removed from the coordinator.")
  }

  package static func refused(_ reason: String) -> NSError { make(invalid, reason) }

  /// Combines the errors of several records into one.
  static func partial(_ errors: [CKRecord.ID: any Error]) -> any Error {
    partial("Failed to modify some records", errors.map { ($0.key, $0.value) })
  }

  /// Combines the errors of several requested items into one.
  static func partial(_ text: String, _ errors: [(NSObject, any Error)]) -> any Error {
    let items = Dictionary(errors.map { (AnyHashable($0.0), $0.1) }) { first, _ in first }
    let userInfo: [String: Any] = [NSLocalizedDescriptionKey: text, CKPartialErrorsByItemIDKey: items]
    let code = CKError.Code.partialFailure.rawValue
    return CKError(_nsError: NSError(domain: CKErrorDomain, code: code, userInfo: userInfo))
  }
}

/// The reaction to an error of CloudKit.
enum CloudFailure {
  /// The cloud has changes that the store lacks: import, then try again.
  case outdated
  /// May succeed after a pause.
  case temporary(seconds: Double?)
  /// There is no account: nothing is tried before the account changes.
  case noAccount
  /// The user has no permission. It is not tried again.
  case refused
  /// A pause does not help; tried again at the next occasion.
  case lasting

  init(_ error: any Error) {
    guard let error = error as? CKError else {
      self = Self.ownFailure(error)
      return
    }
    switch error.code {
    case .serverRecordChanged, .unknownItem, .zoneNotFound, .userDeletedZone, .batchRequestFailed,
      .changeTokenExpired:
      self = .outdated
    case .notAuthenticated: self = .noAccount
    case .permissionFailure: self = .refused
    case .partialFailure:
      let parts = (error.partialErrorsByItemID ?? [:]).values.map { CloudFailure($0) }
      let waits = parts.compactMap { if case .temporary(let seconds) = $0 { seconds ?? 0 } else { nil } }
      self = waits.max().map { .temporary(seconds: $0 > 0 ? $0 : nil) } ?? .lasting
    case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
      .accountTemporarilyUnavailable, .serverResponseLost, .internalError, .assetNotAvailable, .quotaExceeded,
      .operationCancelled, .resultsTruncated, .assetFileModified:
      self = .temporary(seconds: error.retryAfterSeconds)
    default: self = .lasting
    }
  }

  private static func ownFailure(_ error: any Error) -> CloudFailure {
    if let error = error as? ObjectStoreError {
      switch error {
      case .storage(_, _, isTransient: true), .diskFull: return .temporary(seconds: nil)
      default: return .lasting
      }
    }
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain else { return .temporary(seconds: nil) }
    switch error.code {
    case MirroringError.noAccount: return .noAccount
    // The other process may release the lease at any time.
    case MirroringError.setupFailed: return .temporary(seconds: 1)
    default: return .lasting
    }
  }
}
