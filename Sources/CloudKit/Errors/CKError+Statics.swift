// Repeats the codes, so that `catch CKError.zoneNotFound` and `CKError.zoneNotFound` compile.
extension CKError {
  /// CloudKit itself failed, or an item depends on one that failed in the same batch.
  public static var internalError: CKError.Code { .internalError }

  /// Some items failed; see `partialErrorsByItemID`. Only completion blocks report it.
  public static var partialFailure: CKError.Code { .partialFailure }

  /// There is no network.
  public static var networkUnavailable: CKError.Code { .networkUnavailable }

  /// The network is up, but CloudKit cannot be reached.
  public static var networkFailure: CKError.Code { .networkFailure }

  /// The container is unknown, or the app may not use it.
  public static var badContainer: CKError.Code { .badContainer }

  /// CloudKit is not available; try again after `retryAfterSeconds`.
  public static var serviceUnavailable: CKError.Code { .serviceUnavailable }

  /// Too many requests; try again after `retryAfterSeconds`.
  public static var requestRateLimited: CKError.Code { .requestRateLimited }

  /// The app lacks an entitlement.
  public static var missingEntitlement: CKError.Code { .missingEntitlement }

  /// No account is signed in, or the account may not use iCloud.
  public static var notAuthenticated: CKError.Code { .notAuthenticated }

  /// The current user lacks the permission for the request.
  public static var permissionFailure: CKError.Code { .permissionFailure }

  /// The record, type or share does not exist.
  public static var unknownItem: CKError.Code { .unknownItem }

  /// The request is invalid: for example, a value does not match the schema, or a predicate is not supported.
  public static var invalidArguments: CKError.Code { .invalidArguments }

  /// No longer returned.
  @available(*, deprecated, message: "CloudKit no longer returns this")
  public static var resultsTruncated: CKError.Code { .resultsTruncated }

  /// The record on the server is newer; see `serverRecord`, `clientRecord` and `ancestorRecord`.
  public static var serverRecordChanged: CKError.Code { .serverRecordChanged }

  /// The server refuses the request; repeating it does not help.
  public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }

  /// There is no file at the URL of an asset.
  public static var assetFileNotFound: CKError.Code { .assetFileNotFound }

  /// The file of an asset changed while it was saved.
  public static var assetFileModified: CKError.Code { .assetFileModified }

  /// The app is older than the oldest version that the server accepts.
  public static var incompatibleVersion: CKError.Code { .incompatibleVersion }

  /// A value that has to be unique is not.
  public static var constraintViolation: CKError.Code { .constraintViolation }

  /// The operation was cancelled.
  public static var operationCancelled: CKError.Code { .operationCancelled }

  /// The change token is too old or unknown; start again from nil.
  public static var changeTokenExpired: CKError.Code { .changeTokenExpired }

  /// The item is valid, but another item of the same atomic batch failed.
  public static var batchRequestFailed: CKError.Code { .batchRequestFailed }

  /// The zone is too busy; try again after a while.
  public static var zoneBusy: CKError.Code { .zoneBusy }

  /// The database does not support the request.
  public static var badDatabase: CKError.Code { .badDatabase }

  /// The storage of the user or the app is full.
  public static var quotaExceeded: CKError.Code { .quotaExceeded }

  /// The zone does not exist.
  public static var zoneNotFound: CKError.Code { .zoneNotFound }

  /// The request is too large; split it.
  public static var limitExceeded: CKError.Code { .limitExceeded }

  /// The user deleted the zone in Settings.
  public static var userDeletedZone: CKError.Code { .userDeletedZone }

  /// The share has too many participants.
  public static var tooManyParticipants: CKError.Code { .tooManyParticipants }

  /// A record of the hierarchy belongs to another share.
  public static var alreadyShared: CKError.Code { .alreadyShared }

  /// The parent of a record does not exist, or would be deleted before its children.
  public static var referenceViolation: CKError.Code { .referenceViolation }

  /// Device management forbids the request.
  public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }

  /// Before accepting, the current user has to prove to be one of the invited people.
  public static var participantMayNeedVerification: CKError.Code { .participantMayNeedVerification }

  /// The response was lost; the request may have succeeded.
  public static var serverResponseLost: CKError.Code { .serverResponseLost }

  /// The file of an asset cannot be opened.
  public static var assetNotAvailable: CKError.Code { .assetNotAvailable }

  /// An account is signed in, but not ready.
  public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }

  /// The user requests access to a share, but has an invitation to accept.
  public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
