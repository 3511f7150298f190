/// The cryptographic functions that encrypted values need. All of them belong to the system: CryptoKit on Apple's
/// systems; on other systems OpenSSL's libcrypto, loaded when the first of them is called.
///
/// Threads: immutable; safe to use from any.
package struct Cryptography: Sendable {
  /// The size of every key in bytes: either half of an X25519 pair, and the keys for sealing.
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = 16

  #if !canImport(CryptoKit)
    let library: LibCrypto
  #endif

  /// The system's functions, looked up once.
  package static let system = Result { () throws(CryptographyError) in
    try Cryptography(library: HostProcess.environment("LOCALCLOUD_LIBCRYPTO").flatMap { $0.isEmpty ? nil : $0 })
  }

  /// `library`: the file of libcrypto; nil for the names that systems give it. CryptoKit always exists.
  package init(library name: String? = nil) throws(CryptographyError) {
    #if !canImport(CryptoKit)
      library = try LibCrypto(name.map { [$0] } ?? LibCrypto.names)
    #endif
  }
}

package enum CryptographyError: Error, Sendable, Hashable {
  /// None of these libraries exists and has the functions that are needed.
  case unavailable([String])
  /// A key is invalid, or the library failed.
  case failed(String)
}
