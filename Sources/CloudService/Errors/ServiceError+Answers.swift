import LocalCloudModel

extension ServiceError {
  /// The error with this code as a device gets it from iCloud's server, or from a network without it.
  ///
  /// - Assumption: the errors have the numbers of iCloud's server where they are known. `networkUnavailable`,
  ///   `networkFailure` and `serverResponseLost` have the errors -1009, -1004 and -1005 of `NSURLErrorDomain` as
  ///   underlying errors, with their descriptions.
  static func answer(_ code: Code) -> ServiceError {
    var error = ServiceError(code, message(of: code), internalCode: serverNumbers[code])
    error.urlError = networkErrors[code]
    return error
  }

  private static let networkErrors: [Code: Int] = [
    .networkUnavailable: -1009, .networkFailure: -1004, .serverResponseLost: -1005,
  ]

  private static let serverNumbers: [Code: Int] = [
    .serviceUnavailable: 2022, .requestRateLimited: 2061, .permissionFailure: 2007, .unknownItem: 2003,
    .invalidArguments: 2006, .serverRecordChanged: 2004, .changeTokenExpired: 2026, .batchRequestFailed: 2024,
    .badDatabase: 1027, .quotaExceeded: 2035, .zoneNotFound: 2036, .limitExceeded: 2023, .userDeletedZone: 2042,
    .tooManyParticipants: 2032, .alreadyShared: 2037, .referenceViolation: 2025,
  ]

  private static func message(of code: Code) -> String {
    switch code {
    case .networkUnavailable: "The Internet connection appears to be offline."
    case .networkFailure: "Could not connect to the server."
    case .serverResponseLost: "The network connection was lost."
    case .zoneBusy: "Zone is busy. Try later."
    case .serviceUnavailable: "Request failed with http status code 503"
    case .requestRateLimited: "Operation throttled by previous server http 503 reply."
    case .quotaExceeded: "Quota exceeded"
    case .serverRecordChanged: "client oplock error updating record"
    default: "The request failed with \(code.name)."
    }
  }
}
