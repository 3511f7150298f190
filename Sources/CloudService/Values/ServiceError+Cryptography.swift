import Platform

extension ServiceError {
  /// - Difference: encrypted values need the system's libcrypto; where it is missing, they fail with `internalError`, and
  ///   everything else works.
  init(_ error: CryptographyError) {
    switch error {
    case .unavailable(let names):
      self.init(
        .internalError,
        "Encrypted values need libcrypto of OpenSSL, which is not here (\(names.joined(separator: ", "))).",
        cause: .missingLibrary,
        hint: "Install it (Debian, Ubuntu: libssl3; Fedora: openssl-libs; Alpine: libcrypto3), or name its file in "
          + "LOCALCLOUD_LIBCRYPTO.")
    case .failed(let reason):
      self.init(
        .internalError, "Something else lies where a key belongs: \(reason).", cause: .damage,
        hint: "`localcloud check` lists all that is wrong; `localcloud repair` makes the rest usable again.")
    }
  }
}
