import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStore

/// The single table that maps errors of the service to exit codes, names and hints.
extension CommandFailure {
  init(service error: ServiceError) {
    self.init(
      ExitCode(error), code: error.code.name, error.message, hint: error.hint.map(Self.toolHint) ?? Self.hint(error),
      path: error.path,
      ckErrorCode: error.code.rawValue, retryAfter: error.retryAfter)
    details["cause"] = error.cause.map { .string($0.rawValue) }
    details["internalCode"] = error.internalCode.map { .integer(Int64($0)) }
    if error.isEncryptedDataReset { details["encryptedDataReset"] = true }
    details["serverRecord"] = error.serverRecord.map { .object($0.object) }
  }

  /// A hint of the service in the form that hints of the tool have: it begins with a small letter, and has no full stop
  /// at its end. Apps get whole sentences.
  private static func toolHint(_ hint: String) -> String {
    var hint = hint
    let start = hint.prefix(2)
    if start.first?.isUppercase == true, start.dropFirst().allSatisfy(\.isLowercase) || start.hasSuffix(" ") {
      hint = hint.prefix(1).lowercased() + hint.dropFirst()
    }
    if hint.hasSuffix("."), !hint.hasSuffix("..") { hint.removeLast() }
    return hint
  }

  /// A hint that names commands, for errors without a hint of their own. The service itself knows no commands.
  private static func hint(_ error: ServiceError) -> String? {
    if error.cause == .badSetting { return "see \"localcloud help variables\"" }
    return switch error.code {
    case .serverRecordChanged:
      "look at it with \"record get\", then save with --tag TAG; \"record update\" or --policy changed saves over it"
    case .zoneNotFound:
      "\"zone list\" shows the zones there are, also with --database shared; \"zone save\" makes one; "
        + "\"status\" shows other containers"
    case .changeTokenExpired: "leave the token (--since, --continuation-token) out and start over from what comes"
    case .unknownItem: "\"record list\" shows the records there are; names differ in upper and lower case"
    case .accountTemporarilyUnavailable, .notAuthenticated: "\"account set NAME --status available\" signs in again"
    case .participantAlreadyInvited: "join it with: localcloud share accept LINK"
    case .invalidArguments where error.internalCode == 1009:
      "quotes make a value a string, a type's name says any other, such as doubleType:3; see \"localcloud help filters\""
    case .alreadyShared: "\"share show\" finds a share by its root's name too"
    default: nil
    }
  }
}

extension ExitCode {
  init(_ error: ServiceError) {
    self =
      switch error.cause {
      case .noCloud: .noStore
      case .lockTimeout: .locked
      case .formatTooNew: .unknownFormat
      case .unknownAccount: .notFound
      case .unknownDevice: .refused
      case .notYetSupported: .unsupported
      case .diskFull, .storage, .damage: .storage
      case .schema: .schemaRefused
      case .badSetting: .usage
      case .missingLibrary: .failure
      case nil: ExitCode(error.code)
      }
  }

  private init(_ code: ServiceError.Code) {
    self =
      switch code {
      case .unknownItem, .zoneNotFound, .userDeletedZone, .assetFileNotFound, .assetNotAvailable: .notFound
      case .serverRecordChanged: .conflict
      case .notAuthenticated, .permissionFailure, .accountTemporarilyUnavailable, .managedAccountRestricted,
        .missingEntitlement, .participantMayNeedVerification:
        .refused
      case .zoneBusy, .requestRateLimited, .serviceUnavailable, .networkUnavailable, .networkFailure,
        .serverResponseLost:
        .tryLater
      case .internalError: .internalError
      default: .failure
      }
  }
}
