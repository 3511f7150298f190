import Foundation
import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// The errors of mirroring, with the numbers that Core Data has for them.
///
/// - Difference: an export or import that is asked for while one waits is done with it, and none is cancelled with 134417.
///   What is asked for before the setup could be done fails with the setup's own error, not with 134406; 134405, 134421
///   and 134422, whose meaning is not known, do not occur.
/// - Assumption: what can't be shared is an `NSCocoaErrorDomain` error 134060 with a failure reason; Apple documents no
///   codes.
enum MirroringError {
  static let invalid = NSCoreDataError
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
  ///   both, the object with an address before its URI.
  static func severalZones(_ id: RowID, in view: StoreView, _ zones: Set<ZoneHome>) -> NSError {
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

  /// Whether an object can't be sent for what it is related to.
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

  /// Another process has the turn to mirror the store, and does not end it.
  static func mirroredElsewhere(_ holder: String?) -> NSError {
    make(
      setupFailed,
      "Another process is mirroring this persistent store with CloudKit: \(holder ?? "which one is not known").")
  }

  /// Another process has set the store up for somebody else, or somewhere else ([mirror-41]).
  static var takenOver: NSError {
    refused(
      "Another process mirrors this persistent store for another account, container or environment since. Give each "
        + "its own store; a program that is started again takes the store back.")
  }

  static var isStopped: NSError {
    make(stopped, "The request was cancelled because the store was removed from the coordinator.")
  }

  /// An error as events tell of it: the store's own as programs know them.
  static func told(_ error: any Error, of store: ObjectStore) -> any Error {
    (error as? ObjectStoreError).map { CoreDataError.store($0, url: URL(fileURLWithPath: store.path)) } ?? error
  }

  static func refused(_ reason: String) -> NSError { make(invalid, reason) }

  /// Several records' errors as one.
  static func partial(_ errors: [CKRecord.ID: any Error]) -> any Error {
    partial("Failed to modify some records", errors.map { ($0.key, $0.value) })
  }

  /// Errors of what was asked for, as one.
  static func partial(_ text: String, _ errors: [(NSObject, any Error)]) -> any Error {
    let items = Dictionary(errors.map { (AnyHashable($0.0), $0.1) }) { first, _ in first }
    let userInfo: [String: Any] = [NSLocalizedDescriptionKey: text, CKPartialErrorsByItemIDKey: items]
    let code = CKError.Code.partialFailure.rawValue
    return CKError(_nsError: NSError(domain: CKErrorDomain, code: code, userInfo: userInfo))
  }
}

/// What to do about an error of CloudKit.
enum CloudFailure {
  /// The cloud has something that is not known here: import, then try again.
  case outdated
  /// Waiting may mend it.
  case temporary(seconds: Double?)
  /// There is no account to act for: nothing is tried before that changes.
  case noAccount
  /// The person may not do that. It is not tried again.
  case refused
  /// Not to be mended by waiting; tried again at the next occasion.
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
    // The other process may go on at any time.
    case MirroringError.setupFailed: return .temporary(seconds: 1)
    default: return .lasting
    }
  }
}
