import Foundation

extension CKError {
  /// The reason for an error.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error type that has these codes.
    public typealias _ErrorType = CKError

    /// CloudKit itself failed, or an item depends on one that failed in the same batch.
    case internalError = 1

    /// Some items failed; see `partialErrorsByItemID`. Only completion blocks report it.
    case partialFailure = 2

    /// There is no network.
    case networkUnavailable = 3

    /// The network is up, but CloudKit cannot be reached.
    case networkFailure = 4

    /// The container is unknown, or the app may not use it.
    case badContainer = 5

    /// CloudKit is not available; try again after `retryAfterSeconds`.
    case serviceUnavailable = 6

    /// Too many requests; try again after `retryAfterSeconds`.
    case requestRateLimited = 7

    /// The app lacks an entitlement.
    case missingEntitlement = 8

    /// No account is signed in, or the account may not use iCloud.
    case notAuthenticated = 9

    /// The current user lacks the permission for the request.
    case permissionFailure = 10

    /// The record, type or share does not exist.
    case unknownItem = 11

    /// The request is invalid: for example, a value does not match the schema, or a predicate is not supported.
    case invalidArguments = 12

    /// No longer returned.
    case resultsTruncated = 13

    /// The record on the server is newer; see `serverRecord`, `clientRecord` and `ancestorRecord`.
    case serverRecordChanged = 14

    /// The server refuses the request; repeating it does not help.
    case serverRejectedRequest = 15

    /// There is no file at the URL of an asset.
    case assetFileNotFound = 16

    /// The file of an asset changed while it was saved.
    case assetFileModified = 17

    /// The app is older than the oldest version that the server accepts.
    case incompatibleVersion = 18

    /// A value that has to be unique is not.
    case constraintViolation = 19

    /// The operation was cancelled.
    case operationCancelled = 20

    /// The change token is too old or unknown; start again from nil.
    case changeTokenExpired = 21

    /// The item is valid, but another item of the same atomic batch failed.
    case batchRequestFailed = 22

    /// The zone is too busy; try again after a while.
    case zoneBusy = 23

    /// The database does not support the request.
    case badDatabase = 24

    /// The storage of the user or the app is full.
    case quotaExceeded = 25

    /// The zone does not exist.
    case zoneNotFound = 26

    /// The request is too large; split it.
    case limitExceeded = 27

    /// The user deleted the zone in Settings.
    case userDeletedZone = 28

    /// The share has too many participants.
    case tooManyParticipants = 29

    /// A record of the hierarchy belongs to another share.
    case alreadyShared = 30

    /// The parent of a record does not exist, or would be deleted before its children.
    case referenceViolation = 31

    /// Device management forbids the request.
    case managedAccountRestricted = 32

    /// Before accepting, the current user has to prove to be one of the invited people.
    case participantMayNeedVerification = 33

    /// The response was lost; the request may have succeeded.
    case serverResponseLost = 34

    /// The file of an asset cannot be opened.
    case assetNotAvailable = 35

    /// An account is signed in, but not ready.
    case accountTemporarilyUnavailable = 36

    /// The user requests access to a share, but has an invitation to accept.
    case participantAlreadyInvited = 37
  }
}
