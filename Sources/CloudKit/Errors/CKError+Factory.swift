import CloudModel
import CloudService
import Foundation

// The one place where errors are built, so that each code always comes with the same `userInfo`.
extension CKError {
  /// What was asked for one record.
  package enum RecordRequest {
    case save(CKRecord.ID)
    case fetch(CKRecord.ID)
    case delete(CKRecord.ID)
  }

  /// What the service refused, or what went wrong below it; `request`: of which record.
  package static func make(_ error: ServiceError, _ request: RecordRequest? = nil, container: String? = nil) -> CKError
  {
    CKError(Code(rawValue: error.code.rawValue) ?? .internalError, userInfo: userInfo(error, request, container))
  }

  /// `serverRecordChanged`, with the three records of a conflict, as far as they are known.
  static func conflict(
    _ error: ServiceError, server: CKRecord?, client: CKRecord?, ancestor: CKRecord?, container: String?
  ) -> CKError {
    var userInfo = userInfo(error, (client?.recordID).map { .save($0) }, container)
    userInfo[CKRecordChangedErrorServerRecordKey] = server
    userInfo[CKRecordChangedErrorClientRecordKey] = client
    userInfo[CKRecordChangedErrorAncestorRecordKey] = ancestor
    return CKError(.serverRecordChanged, userInfo: userInfo)
  }

  /// The error of the deprecated completion blocks: each item's own error by the item's ID.
  static func partialFailure(_ errors: [AnyHashable: any Error], _ what: String, container: String?) -> CKError {
    var userInfo = userInfo(
      ServiceError(.partialFailure, "Failed to \(what)", internalCode: 1011), nil, container)
    userInfo[CKPartialErrorsByItemIDKey] = errors
    return CKError(.partialFailure, userInfo: userInfo)
  }

  /// The operation, or the task that waited for it, was cancelled.
  static func cancelled(container: String?) -> CKError {
    make(.cancelled, container: container)
  }

  /// The arguments can't be meant; found before anything is asked of the service.
  static func invalidArguments(_ message: String, container: String?) -> CKError {
    make(.invalid(message), container: container)
  }

  /// Something that Apple's CloudKit does and this version does not.
  static func notYet(_ what: String, container: String?) -> CKError {
    make(.notYet(what), container: container)
  }

  /// Any error, as the callbacks report it.
  package static func wrapping(_ error: any Error, container: String?) -> any Error {
    switch error {
    case let error as CKError: error
    default: make(ServiceError(describing: error), container: container)
    }
  }

  /// Of the operation on whose behalf errors are built.
  @TaskLocal static var operationID: CKOperation.ID?

  private static func userInfo(
    _ error: ServiceError, _ request: RecordRequest?, _ container: String?
  ) -> [String: Any] {
    let description = description(error, request)
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: description,
      "CKErrorDescription": description,
      "RequestUUID": UUID().uuidString,
    ]
    if error.isServers { userInfo["ServerErrorDescription"] = error.serverWords }
    userInfo["OperationID"] = operationID
    userInfo["ContainerID"] = container
    if let number = error.internalCode { userInfo["NSDebugDescription"] = "CKInternalErrorDomain: \(number)" }
    userInfo[NSUnderlyingErrorKey] = underlying(error)
    userInfo[NSLocalizedRecoverySuggestionErrorKey] = error.hint
    if error.isEncryptedDataReset { userInfo[CKErrorUserDidResetEncryptedDataKey] = NSNumber(value: true) }
    if let seconds = error.retryAfter { userInfo[CKErrorRetryAfterKey] = NSNumber(value: seconds) }
    return userInfo
  }

  /// The server's words, or those behind the record that they are about ([record-error-2]).
  ///
  /// - Assumption: all that the server refuses to save is described so: `Error saving record <CKRecordID: …> to server: …`,
  ///   conflicts, permissions and full storage as well as the schema, and fetches and deletions likewise; its own words
  ///   alone stand under `ServerErrorDescription`.
  private static func description(_ error: ServiceError, _ request: RecordRequest?) -> String {
    switch request {
    case .save(let recordID) where error.code == .batchRequestFailed:
      "Record \(recordID) will not be saved because of previous error in atomic zone"
    case .delete(let recordID) where error.code == .batchRequestFailed:
      "Record \(recordID) will not be deleted because of previous error in atomic zone"
    case .save(let recordID) where error.isServers: "Error saving record \(recordID) to server: \(error.serverWords)"
    case .fetch(let recordID) where error.isServers:
      "Error fetching record \(recordID) from server: \(error.serverWords)"
    case .delete(let recordID) where error.isServers:
      "Error deleting record \(recordID) from server: \(error.serverWords)"
    default: error.message
    }
  }

  /// The server's number if there is one, else the emulator's own trouble.
  private static func underlying(_ error: ServiceError) -> NSError? {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: error.serverWords]
    if let cause = error.cause {
      userInfo["LocalCloudCause"] = cause.rawValue
      userInfo[NSLocalizedRecoverySuggestionErrorKey] = error.hint
      userInfo[NSFilePathErrorKey] = error.path
    }
    if let number = error.internalCode {
      return NSError(domain: "CKInternalErrorDomain", code: number, userInfo: userInfo)
    }
    guard error.cause != nil else { return nil }
    return NSError(domain: "LocalCloudErrorDomain", code: error.code.rawValue, userInfo: userInfo)
  }
}

extension ServiceError {
  /// Whether these are the words of iCloud's server: it has the numbers from 2000 on, clients those from 1000 on. What
  /// failed only for another item's sake is a client's to tell.
  fileprivate var isServers: Bool { (internalCode ?? 0) >= 2000 && code != .batchRequestFailed }

  fileprivate var serverWords: String { words ?? message }

  /// Whether the error concerns the request as a whole, not the zone, record or share in question.
  var isOfWholeRequest: Bool {
    switch code {
    case .networkUnavailable, .networkFailure, .badContainer, .serviceUnavailable, .requestRateLimited,
      .missingEntitlement, .notAuthenticated, .incompatibleVersion, .operationCancelled, .managedAccountRestricted,
      .serverResponseLost, .accountTemporarilyUnavailable:
      true
    default:
      false
    }
  }
}
