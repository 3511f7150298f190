/// The error of a request. ``Code`` has CloudKit's own numbers, ``internalCode`` the server's. Logs print both, as in
/// `14/2004`.
package struct ServiceError: Error, Sendable, Hashable {
  package enum Code: Int, Sendable, CaseIterable {
    case internalError = 1
    case partialFailure = 2
    case networkUnavailable = 3
    case networkFailure = 4
    case badContainer = 5
    case serviceUnavailable = 6
    case requestRateLimited = 7
    case missingEntitlement = 8
    case notAuthenticated = 9
    case permissionFailure = 10
    case unknownItem = 11
    case invalidArguments = 12
    case resultsTruncated = 13
    case serverRecordChanged = 14
    case serverRejectedRequest = 15
    case assetFileNotFound = 16
    case assetFileModified = 17
    case incompatibleVersion = 18
    case constraintViolation = 19
    case operationCancelled = 20
    case changeTokenExpired = 21
    case batchRequestFailed = 22
    case zoneBusy = 23
    case badDatabase = 24
    case quotaExceeded = 25
    case zoneNotFound = 26
    case limitExceeded = 27
    case userDeletedZone = 28
    case tooManyParticipants = 29
    case alreadyShared = 30
    case referenceViolation = 31
    case managedAccountRestricted = 32
    case participantMayNeedVerification = 33
    case serverResponseLost = 34
    case assetNotAvailable = 35
    case accountTemporarilyUnavailable = 36
    case participantAlreadyInvited = 37
  }

  /// The emulator's own reason for the CloudKit code.
  package enum Cause: String, Sendable {
    /// A feature that a later version will have.
    case notYetSupported
    /// No cloud at this root.
    case noCloud
    case formatTooNew
    case unknownAccount
    case unknownDevice
    case diskFull
    case storage
    case damage
    case lockTimeout
    /// The schema does not allow it.
    case schema
    /// A setting or environment variable with an invalid value.
    case badSetting
    /// The system has no library for cryptography.
    case missingLibrary
  }

  package var code: Code
  package var internalCode: Int?
  package var message: String
  /// The words of iCloud's server, if ``message`` has further details, for example the record's name.
  package var words: String?
  package var cause: Cause?
  package var hint: String?
  package var path: String?
  package var retryAfter: Double?
  /// The error of the network, as `NSURLErrorDomain` numbers it.
  package var urlError: Int?
  /// With `serverRecordChanged`: the server's record.
  package var serverRecord: Record?
  /// With `zoneNotFound`: the zone can't be used because its owner, or the caller, reset the keys of its encrypted
  /// values.
  package var isEncryptedDataReset = false

  package init(
    _ code: Code, _ message: String, internalCode: Int? = nil, cause: Cause? = nil, hint: String? = nil,
    path: String? = nil, retryAfter: Double? = nil, serverRecord: Record? = nil
  ) {
    self.code = code
    self.message = message
    self.internalCode = internalCode
    self.cause = cause
    self.hint = hint
    self.path = path
    self.retryAfter = retryAfter
    self.serverRecord = serverRecord
  }
}

extension ServiceError.Code {
  /// The code's name, as CloudKit spells it.
  package var name: String { "\(self)" }

  /// Nil if CloudKit has no code of that name.
  package init?(name: String) {
    guard let code = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = code
  }
}
