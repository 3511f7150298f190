import LocalCloudStorage

/// iCloud's own refusals, with the server's number and words.
extension ServiceError {
  package static func zoneNotFound(_ zone: ZoneIdentifier) -> ServiceError {
    ServiceError(.zoneNotFound, "Zone '\(zone.name)' does not exist", internalCode: 2036)
  }

  /// The error for a zone after a reset of the keys of its encrypted values.
  package static func encryptedDataReset(_ zone: ZoneIdentifier) -> ServiceError {
    var error = ServiceError(
      .zoneNotFound, "Zone '\(zone.name)' is gone: the keys of its encrypted data were reset", internalCode: 2036,
      hint: "Delete the zone, or save it again, then upload what is to be in it.")
    error.isEncryptedDataReset = true
    return error
  }

  /// The error for a zone that its owner deleted with all of the app's data.
  package static func userDeletedZone(_ zone: ZoneIdentifier) -> ServiceError {
    ServiceError(
      .userDeletedZone, "Zone was purged by user", internalCode: 2042,
      hint:
        "The person deleted the app's data. Delete the zone '\(zone.name)', or save it again if the person wants the "
        + "data back in iCloud.")
  }

  package static func unknownItem(_ name: ExactName) -> ServiceError {
    var error = ServiceError(.unknownItem, "Record not found: '\(name)'", internalCode: 2003)
    error.words = "Record not found"
    return error
  }

  /// The error for a type that the schema lacks.
  package static func typeNotFound(_ type: String) -> ServiceError {
    ServiceError(
      .unknownItem, "Did not find record type: \(type)", internalCode: 2003,
      hint: "`localcloud schema export` shows the types there are, `localcloud schema import` adds some.")
  }

  package static func invalid(_ message: String) -> ServiceError {
    ServiceError(.invalidArguments, message, internalCode: 2006)
  }

  /// A refusal that a client decides itself: it sends no request, so that the error has no number of the server
  /// ([record-error-3]).
  package static func invalidRequest(_ message: String) -> ServiceError { ServiceError(.invalidArguments, message) }

  /// A refusal because of the present schema, or of the one that a change would give.
  package static func schema(_ message: String, hint: String? = nil) -> ServiceError {
    ServiceError(.invalidArguments, message, internalCode: 2006, cause: .schema, hint: hint)
  }

  package static func limitExceeded(_ message: String) -> ServiceError {
    ServiceError(.limitExceeded, message, internalCode: 2023)
  }

  /// The error for an account's full storage; a full disk is another error.
  package static func storageFull(of account: String) -> ServiceError {
    ServiceError(
      .quotaExceeded, "Quota exceeded", internalCode: 2035,
      hint: "The storage of \(account) is full: `localcloud account set \(account) --storage available` makes room.")
  }

  package static func notPermitted(_ action: String) -> ServiceError {
    ServiceError(.permissionFailure, "\(action) operation not permitted", internalCode: 2007)
  }

  /// The error for a link that no longer works, and for a caller that may not know of the share.
  package static let shareNotFound = ServiceError(.unknownItem, "Share not found", internalCode: 2003)

  package static let missingRoot = invalid("An added share is being saved without its rootRecord in the same operation")

  package static let tooManyParticipants = ServiceError(
    .tooManyParticipants, "A share has at most \(NameRules.maximumParticipants) participants", internalCode: 2032)

  package static func alreadyShared(_ name: ExactName) -> ServiceError {
    ServiceError(.alreadyShared, "Record '\(name)', or one above or below it, is shared already", internalCode: 2037)
  }

  package static let batchFailed = ServiceError(
    .batchRequestFailed, "Atomic failure: another item of this zone's batch failed", internalCode: 2024)

  package static let tokenExpired = ServiceError(
    .changeTokenExpired, "The change token can't be used here any more; fetch from nil", internalCode: 2026)

  /// The refusal of a feature that a later version will have: `serverRejectedRequest`, with an underlying error of
  /// domain `LocalCloudErrorDomain` that states this.
  package static func notYet(_ what: String) -> ServiceError {
    ServiceError(
      .serverRejectedRequest, "LocalCloudKit does not support \(what) yet.", cause: .notYetSupported,
      hint: "See the table of differences, which the README points to.")
  }
}
