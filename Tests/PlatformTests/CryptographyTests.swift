import LocalCloudPlatform
import Testing

@Suite("The system's cryptographic functions compared with published test vectors")
struct CryptographyTests {
  private let cryptography: Cryptography

  init() throws { cryptography = try Cryptography() }

  private func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test("X25519 gives the results of RFC 7748, section 6.1")
  func x25519GivesTheResultsOfRFC7748() throws {
    let alice = bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let alicesPublic = bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    let bobsPublic = bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    #expect(try cryptography.publicKey(ofPrivateKey: alice) == alicesPublic)
    #expect(try cryptography.publicKey(ofPrivateKey: bob) == bobsPublic)
    let secret = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    #expect(try cryptography.agreement(privateKey: alice, publicKey: bobsPublic) == secret)
    #expect(try cryptography.agreement(privateKey: bob, publicKey: alicesPublic) == secret)
  }

  @Test("HKDF-SHA256 gives the results of RFC 5869, A.1 and A.3")
  func hkdfSHA256GivesTheResultsOfRFC() throws {
    let secret = [UInt8](repeating: 0x0B, count: 22)
    #expect(
      try cryptography.derivedKey(
        from: secret, salt: Array(0...12), information: Array(0xF0...0xF9), count: 42)
        == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
    #expect(
      try cryptography.derivedKey(from: secret, salt: [], information: [], count: 42)
        == bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
  }

  private let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
  private let nonce = "cafebabefacedbaddecaf888"
  private let data = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
  private let plain = """
    d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
    """
  private let sealed = """
    522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
    76fc6ece0f4e1768cddf8853bb2d551b
    """

  @Test("AES-256-GCM gives the results of its authors' test cases 13 and 16")
  func aes256GCMGivesTheResults() throws {
    let result = try cryptography.seal(
      bytes(plain), key: bytes(key), nonce: bytes(nonce), authenticating: bytes(data))
    #expect(result == bytes(sealed))
    #expect(
      try cryptography.open(result, key: bytes(key), nonce: bytes(nonce), authenticating: bytes(data)) == bytes(plain))
    let empty = try cryptography.seal(
      [], key: [UInt8](repeating: 0, count: 32), nonce: [UInt8](repeating: 0, count: 12), authenticating: [])
    #expect(empty == bytes("530f8afbc74536b9a963b4f1c4cb738b"))
    #expect(
      try cryptography.open(
        empty, key: [UInt8](repeating: 0, count: 32), nonce: [UInt8](repeating: 0, count: 12), authenticating: [])
        == [])
  }

  @Test("open fails after any change of the ciphertext, the key, the nonce or the authenticated data")
  func openFailsAfterAnyChange() throws {
    let sealed = bytes(sealed)
    func open(_ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) throws -> [UInt8]? {
      try cryptography.open(sealed, key: key, nonce: nonce, authenticating: data)
    }
    for index in sealed.indices {
      var other = sealed
      other[index] ^= 1
      #expect(try open(other, bytes(key), bytes(nonce), bytes(data)) == nil)
    }
    for count in 0..<sealed.count {
      #expect(try open(Array(sealed.prefix(count)), bytes(key), bytes(nonce), bytes(data)) == nil)
    }
    #expect(try open(sealed, bytes(key).reversed(), bytes(nonce), bytes(data)) == nil)
    #expect(try open(sealed, bytes(key), bytes(nonce).reversed(), bytes(data)) == nil)
    #expect(try open(sealed, bytes(key), bytes(nonce), []) == nil)
    #expect(try open(sealed + [0], bytes(key), bytes(nonce), bytes(data)) == nil)
  }

  @Test(
    "a key of the wrong length is refused, and so is a public key that gives the same secret with every private key")
  func keyOfTheWrongLengthIsRefused() throws {
    let good = [UInt8](repeating: 7, count: 32)
    for bad in [[], [1], [UInt8](repeating: 7, count: 31), [UInt8](repeating: 7, count: 33)] as [[UInt8]] {
      #expect(throws: CryptographyError.self) { try cryptography.publicKey(ofPrivateKey: bad) }
      #expect(throws: CryptographyError.self) { try cryptography.agreement(privateKey: bad, publicKey: good) }
      #expect(throws: CryptographyError.self) { try cryptography.agreement(privateKey: good, publicKey: bad) }
      #expect(throws: CryptographyError.self) {
        try cryptography.seal([1], key: bad, nonce: [UInt8](repeating: 0, count: 12), authenticating: [])
      }
    }
    #expect(throws: CryptographyError.self) {
      try cryptography.agreement(privateKey: good, publicKey: [UInt8](repeating: 0, count: 32))
    }
    #expect(throws: CryptographyError.self) { try cryptography.seal([1], key: good, nonce: [1], authenticating: []) }
  }

  #if !canImport(CryptoKit)
    @Test("a missing or wrong crypto library is reported with the names that were tried")
    func missingOrWrongCryptoLibraryIsReported() {
      for name in ["/nowhere/libcrypto.so", "libc.so.6"] {
        #expect(throws: CryptographyError.unavailable([name])) { try Cryptography(library: name) }
      }
    }
  #endif
}
