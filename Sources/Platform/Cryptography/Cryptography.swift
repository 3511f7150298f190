/// The few cryptographic functions that encrypted values need: the system's own, nothing of ours. CryptoKit on Apple's
/// systems; elsewhere OpenSSL's libcrypto, which is looked for when the first of them is called.
///
/// Threads: immutable; use it from any thread.
package struct Cryptography: Sendable {
  /// Bytes of every key: X25519's, either half, and those for sealing.
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = 16

  #if !canImport(CryptoKit)
    let library: LibCrypto
  #endif

  /// What the system has, looked for once.
  package static let system = Result { () throws(CryptographyError) in
    try Cryptography(library: HostProcess.environment("LOCALCLOUD_LIBCRYPTO").flatMap { $0.isEmpty ? nil : $0 })
  }

  /// With libcrypto from that file; nil: under the names that systems give it. CryptoKit is always there.
  package init(library name: String? = nil) throws(CryptographyError) {
    #if !canImport(CryptoKit)
      library = try LibCrypto(name.map { [$0] } ?? LibCrypto.names)
    #endif
  }
}

package enum CryptographyError: Error, Sendable, Hashable {
  /// None of these libraries is there, or has what is needed.
  case unavailable([String])
  /// A key that is none, or a library that fails.
  case failed(String)
}
