import Foundation
import LocalCloudModel
import LocalCloudService

// Builds all errors in one place, so that each code always has the same `userInfo`.
extension CKError {
  /// The request for one record that an error is about.
  package enum RecordRequest {
    case save(CKRecord.ID)
    case fetch(CKRecord.ID)
    case delete(CKRecord.ID)
  }

  /// Makes the error for a refusal of the service or a failure below it. `request` is the request for one record, if it
  /// concerns one.
  package static func make(_ error: ServiceError, _ request: RecordRequest? = nil, container: String? = nil) -> CKError
  {
    CKError(Code(rawValue: error.code.rawValue) ?? .internalError, userInfo: userInfo(error, request, container))
  }

  /// Makes `serverRecordChanged`, with the records of the conflict that are known.
  static func conflict(
    _ error: ServiceError, server: CKRecord?, client: CKRecord?, ancestor: CKRecord?, container: String?
  ) -> CKError {
    var userInfo = userInfo(error, (client?.recordID).map { .save($0) }, container)
    userInfo[CKRecordChangedErrorServerRecordKey] = server
    userInfo[CKRecordChangedErrorClientRecordKey] = client
    userInfo[CKRecordChangedErrorAncestorRecordKey] = ancestor
    return CKError(.serverRecordChanged, userInfo: userInfo)
  }

  /// Makes the error for deprecated completion blocks. It holds each item's error by the item's ID.
  static func partialFailure(_ errors: [AnyHashable: any Error], _ what: String, container: String?) -> CKError {
    var userInfo = userInfo(
      ServiceError(.partialFailure, "Failed to \(what)", internalCode: 1011), nil, container)
    userInfo[CKPartialErrorsByItemIDKey] = errors
    return CKError(.partialFailure, userInfo: userInfo)
  }

  /// Makes the error for a cancelled operation or a cancelled task that waits for one.
  static func cancelled(container: String?) -> CKError {
    make(.cancelled, container: container)
  }

  /// Makes the error for invalid arguments that are found before a request to the service.
  static func invalidArguments(_ message: String, container: String?) -> CKError {
    make(.invalidRequest(message), container: container)
  }

  /// Makes the error for a feature of Apple's CloudKit that this version lacks.
  static func notYet(_ what: String, container: String?) -> CKError {
    make(.notYet(what), container: container)
  }

  /// Makes the error that callbacks report for any error.
  package static func wrapping(_ error: any Error, container: String?) -> any Error {
    switch error {
    case let error as CKError: error
    default: make(ServiceError(describing: error), container: container)
    }
  }

  /// The ID of the operation that errors on this task or thread belong to.
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

  /// The description: the server's message, preceded by the record that it is about ([record-error-2]).
  ///
  /// - Assumption: every refusal of a save by the server has this description: `Error saving record <CKRecordID: …> to
  ///   server: …`. That includes conflicts, permissions, full storage and the schema; fetches and deletions are
  ///   described likewise. `ServerErrorDescription` holds only the server's own words.
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

  /// The underlying error: the server's code if there is one, otherwise the cause of a failure of the emulator; nil
  /// without either.
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
    if let number = error.urlError { return NSError(domain: NSURLErrorDomain, code: number, userInfo: userInfo) }
    guard error.cause != nil else { return nil }
    return NSError(domain: "LocalCloudErrorDomain", code: error.code.rawValue, userInfo: userInfo)
  }
}

extension ServiceError {
  /// Whether iCloud's server would send this error: its codes start at 2000, those of clients at 1000. The client makes
  /// the error of an item that failed only because of another item, and that of a throttled request.
  fileprivate var isServers: Bool {
    (internalCode ?? 0) >= 2000 && ![.batchRequestFailed, .serviceUnavailable, .requestRateLimited].contains(code)
  }

  fileprivate var serverWords: String { words ?? message }

  /// Whether the error concerns the whole request, not a single zone, record or share.
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
