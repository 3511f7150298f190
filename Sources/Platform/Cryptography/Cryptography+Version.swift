extension Cryptography {
  /// The name and the version of the library that ``system`` uses, for people.
  ///
  /// - Throws: ``CryptographyError/unavailable(_:)`` if there is none.
  package static func systemVersion() throws(CryptographyError) -> String {
    _ = try system.get()
    #if canImport(CryptoKit)
      return "CryptoKit"
    #else
      typealias Version = @Sendable @convention(c) (Int32) -> UnsafePointer<CChar>?
      let chosen = HostProcess.environment("LOCALCLOUD_LIBCRYPTO").flatMap { $0.isEmpty ? nil : [$0] }
      for name in chosen ?? LibCrypto.names {
        if let version: Version = DynamicLibrary(name)?.function("OpenSSL_version"), let text = version(0) {
          return String(cString: text)
        }
      }
      return "libcrypto of an unknown version"
    #endif
  }
}
