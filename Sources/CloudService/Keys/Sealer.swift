import LocalCloudModel
import LocalCloudPlatform

/// Seals values and keys. A sealed value can be opened only with its key and for its ``SealContext``.
///
/// Format: a byte 1, the nonce, the ciphertext and the tag. A key sealed for a person has, before this, another byte 1
/// and the public half of a key pair that was created for this one sealing.
struct Sealer {
  let cryptography: Cryptography
  /// Returns this number of unpredictable bytes.
  let random: (Int) -> [UInt8]

  private static let version: UInt8 = 1

  func newKey() -> SealingKey { SealingKey(random(Cryptography.keySize)) ?? newKey() }

  // MARK: With a key

  func seal(_ plain: [UInt8], with key: SealingKey, as context: SealContext) throws(CryptographyError) -> [UInt8] {
    let nonce = random(Cryptography.nonceSize)
    return try [Self.version] + nonce
      + cryptography.seal(plain, key: key.bytes, nonce: nonce, authenticating: context.bytes)
  }

  /// Nil if it was sealed with another key or for another address, or if it is incomplete or changed.
  func open(_ sealed: [UInt8], with key: SealingKey, as context: SealContext) throws(CryptographyError) -> [UInt8]? {
    let start = 1 + Cryptography.nonceSize
    guard sealed.first == Self.version, sealed.count >= start + Cryptography.tagSize else { return nil }
    return try cryptography.open(
      Array(sealed[start...]), key: key.bytes, nonce: Array(sealed[1..<start]), authenticating: context.bytes)
  }

  /// A key sealed with another, in the form that files have.
  func wrap(_ key: SealingKey, with other: SealingKey, as context: SealContext) throws(CryptographyError) -> String {
    Self.text(try seal(key.bytes, with: other, as: context))
  }

  func unwrap(_ text: String, with other: SealingKey, as context: SealContext) throws(CryptographyError) -> SealingKey?
  {
    guard let sealed = Self.bytes(text) else { return nil }
    return try open(sealed, with: other, as: context).flatMap(SealingKey.init)
  }

  // MARK: For a person

  /// A key sealed for the holder of the private half of `publicKey`.
  func wrap(
    _ key: SealingKey, forPublicKey publicKey: [UInt8], as context: SealContext
  ) throws(CryptographyError) -> String {
    let once = random(Cryptography.keySize)
    let oncePublic = try cryptography.publicKey(ofPrivateKey: once)
    let secret = try cryptography.agreement(privateKey: once, publicKey: publicKey)
    let sealed = try seal(key.bytes, with: personal(secret, oncePublic, publicKey), as: context)
    return Self.text([Self.version] + oncePublic + sealed)
  }

  func unwrap(
    _ text: String, privateKey: [UInt8], as context: SealContext
  ) throws(CryptographyError) -> SealingKey? {
    let start = 1 + Cryptography.keySize
    guard let sealed = Self.bytes(text), sealed.first == Self.version, sealed.count > start else { return nil }
    let oncePublic = Array(sealed[1..<start])
    do {
      let own = try cryptography.publicKey(ofPrivateKey: privateKey)
      let secret = try cryptography.agreement(privateKey: privateKey, publicKey: oncePublic)
      return try open(Array(sealed[start...]), with: personal(secret, oncePublic, own), as: context)
        .flatMap(SealingKey.init)
    } catch {
      // The text holds no valid public key.
      if case .failed = error { return nil }
      throw error
    }
  }

  private func personal(
    _ secret: [UInt8], _ oncePublic: [UInt8], _ publicKey: [UInt8]
  ) throws(CryptographyError) -> SealingKey {
    try derived(from: secret, salt: oncePublic + publicKey, "LocalCloudKit key for a person")
  }

  // MARK: For a link

  /// The key that every user with a share's link can derive: it depends only on the link's last part.
  func linkKey(of guid: String) throws(CryptographyError) -> SealingKey {
    try derived(from: Array(guid.utf8), salt: [], "LocalCloudKit key for a link")
  }

  private func derived(
    from secret: [UInt8], salt: [UInt8], _ purpose: String
  ) throws(CryptographyError) -> SealingKey {
    let bytes = try cryptography.derivedKey(from: secret, salt: salt, information: Array(purpose.utf8))
    guard let key = SealingKey(bytes) else { throw .failed("a derived key of \(bytes.count) bytes") }
    return key
  }

  // MARK: Text

  static func text(_ bytes: [UInt8]) -> String { bytes.base64Text }

  static func bytes(_ text: String) -> [UInt8]? { [UInt8](base64Text: text) }
}
