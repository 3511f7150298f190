import LocalCloudCommands
import LocalCloudModel
import Testing

/// The mapping from the service's errors to exit codes and JSON errors.
@Suite struct ServiceFailureTests {
  @Test(
    arguments: [
      (.unknownItem, 13), (.zoneNotFound, 13), (.serverRecordChanged, 14), (.notAuthenticated, 15),
      (.permissionFailure, 15), (.accountTemporarilyUnavailable, 15), (.participantMayNeedVerification, 15),
      (.zoneBusy, 18), (.requestRateLimited, 18), (.serviceUnavailable, 18), (.networkFailure, 18),
      (.internalError, 70), (.invalidArguments, 1), (.changeTokenExpired, 1), (.limitExceeded, 1), (.alreadyShared, 1),
      (.batchRequestFailed, 1), (.quotaExceeded, 1), (.badContainer, 1),
    ] as [(ServiceError.Code, Int32)])
  func codes(_ code: ServiceError.Code, _ exit: Int32) {
    let failure = CommandFailure(ServiceError(code, "The server's words", internalCode: 2004, retryAfter: 3))
    #expect(failure.exitCode.rawValue == exit)
    #expect(failure.ckErrorCode == code.rawValue)
    #expect(failure.code == "\(code)")
    #expect(failure.message == "The server's words")
    #expect(failure.retryAfter == 3)
    #expect(failure.details["internalCode"] == 2004)
  }

  @Test(
    arguments: [
      (.noCloud, 10), (.lockTimeout, 11), (.formatTooNew, 12), (.unknownAccount, 13), (.unknownDevice, 15),
      (.damage, 19), (.storage, 19), (.diskFull, 19), (.badSetting, 64), (.notYetSupported, 69),
    ] as [(ServiceError.Cause, Int32)])
  func causesWin(_ cause: ServiceError.Cause, _ exit: Int32) {
    let failure = CommandFailure(ServiceError(.zoneBusy, "", cause: cause))
    #expect(failure.exitCode.rawValue == exit)
    #expect(failure.code == "zoneBusy")
    #expect(failure.details["cause"]?.string == cause.rawValue)
  }

  @Test(
    "hints of the service are printed in the style of the tool's hints",
    arguments: [
      ("Try again, or wait.", "try again, or wait"), ("A field marks it.", "a field marks it"),
      ("`localcloud check` lists it.", "`localcloud check` lists it"),
      ("LOCALCLOUD_ROOT names it", "LOCALCLOUD_ROOT names it"),
      ("Is it alice's? Then wait.", "is it alice's? Then wait"), ("already small", "already small"), ("", ""),
    ])
  func hintsOfTheServiceArePrinted(_ hint: String, _ shown: String) {
    #expect(CommandFailure(ServiceError(.zoneBusy, "", hint: hint)).hint == shown)
  }

  @Test func everyCodeHasAnExitCodeThatHelpExplains() {
    for code in ServiceError.Code.allCases {
      #expect(CommandFailure(ServiceError(code, "")).exitCode.meaning != nil)
    }
  }
}
