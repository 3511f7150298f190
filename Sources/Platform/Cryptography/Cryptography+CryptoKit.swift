#if canImport(CryptoKit)
  import CryptoKit

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  extension Cryptography {
    // MARK: Keys

    /// X25519: the public half of a key pair.
    package func publicKey(ofPrivateKey key: [UInt8]) throws(CryptographyError) -> [UInt8] {
      try trying { [UInt8](try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key).publicKey.rawRepresentation) }
    }

    /// X25519: the secret that two key pairs share, from the private half of one and the public half of the other.
    package func agreement(privateKey: [UInt8], publicKey: [UInt8]) throws(CryptographyError) -> [UInt8] {
      try trying {
        try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
          .sharedSecretFromKeyAgreement(with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey))
          .withUnsafeBytes { [UInt8]($0) }
      }
    }

    /// HKDF with SHA-256 (RFC 5869).
    package func derivedKey(
      from secret: [UInt8], salt: [UInt8], information: [UInt8], count: Int = keySize
    ) throws(CryptographyError) -> [UInt8] {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: CryptoKit.SymmetricKey(data: secret), salt: salt, info: information, outputByteCount: count
      ).withUnsafeBytes { [UInt8]($0) }
    }

    // MARK: Sealing

    /// AES-256-GCM: the ciphertext, followed by the tag. No nonce may be used twice with one key.
    package func seal(
      _ plain: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
      guard key.count == Self.keySize, nonce.count == Self.nonceSize else { throw .failed("not a key and a nonce") }
      return try trying {
        let box = try AES.GCM.seal(
          plain, using: CryptoKit.SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce), authenticating: data)
        return [UInt8](box.ciphertext) + [UInt8](box.tag)
      }
    }

    /// The bytes that were sealed; nil if key, nonce or data are different, or any bit of `sealed` was changed.
    package func open(
      _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8]? {
      guard sealed.count >= Self.tagSize else { return nil }
      guard key.count == Self.keySize, nonce.count == Self.nonceSize else { throw .failed("not a key and a nonce") }
      let size = sealed.count - Self.tagSize
      guard let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed[..<size], tag: sealed[size...]),
        let plain = try? AES.GCM.open(box, using: CryptoKit.SymmetricKey(data: key), authenticating: data)
      else { return nil }
      return [UInt8](plain)
    }

    private func trying<Result>(_ body: () throws -> Result) throws(CryptographyError) -> Result {
      do { return try body() } catch { throw .failed("\(error)") }
    }
  }
#endif
