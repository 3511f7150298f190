#if !canImport(CryptoKit)
  extension Cryptography {
    // MARK: Keys

    /// X25519: the public half of a key pair.
    package func publicKey(ofPrivateKey key: [UInt8]) throws(CryptographyError) -> [UInt8] {
      let pair = try agreementKey(key, "private", library.privateKey)
      defer { library.freeKey(pair) }
      return try read(Self.keySize, "X25519") { library.readPublicKey(pair, $0, $1) }
    }

    /// X25519: the secret that two key pairs share, from the private half of one and the public half of the other.
    package func agreement(privateKey: [UInt8], publicKey: [UInt8]) throws(CryptographyError) -> [UInt8] {
      let own = try agreementKey(privateKey, "private", library.privateKey)
      defer { library.freeKey(own) }
      let peer = try agreementKey(publicKey, "public", library.publicKey)
      defer { library.freeKey(peer) }
      guard let context = library.context(own, nil) else { throw failure("X25519") }
      defer { library.freeContext(context) }
      guard library.beginDeriving(context) > 0, library.setPeer(context, peer) > 0 else { throw failure("X25519") }
      return try read(Self.keySize, "X25519") { library.derive(context, $0, $1) }
    }

    private func agreementKey(
      _ bytes: [UInt8], _ which: String, _ make: LibCrypto.MakeKey
    ) throws(CryptographyError) -> LibCrypto.Object {
      guard bytes.count == Self.keySize else { throw .failed("not a \(which) key") }
      guard let key = make(library.identifier("X25519"), nil, bytes, bytes.count) else { throw failure("X25519") }
      return key
    }

    /// HKDF with SHA-256 (RFC 5869).
    package func derivedKey(
      from secret: [UInt8], salt: [UInt8], information: [UInt8], count: Int = keySize
    ) throws(CryptographyError) -> [UInt8] {
      guard let context = library.contextNamed(library.identifier("HKDF"), nil) else { throw failure("HKDF") }
      defer { library.freeContext(context) }
      guard library.beginDeriving(context) > 0 else { throw failure("HKDF") }
      for (name, text) in [
        ("md", "SHA256"), ("hexkey", hexadecimal(secret)), ("hexsalt", hexadecimal(salt)),
        ("hexinfo", hexadecimal(information)),
      ] where !text.isEmpty {
        guard library.setText(context, name, text) > 0 else { throw failure("HKDF") }
      }
      return try read(count, "HKDF") { library.derive(context, $0, $1) }
    }

    private func read(
      _ count: Int, _ what: String, _ call: (LibCrypto.Buffer?, UnsafeMutablePointer<Int>) -> Int32
    ) throws(CryptographyError) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: count)
      var size = count
      let status = result.withUnsafeMutableBufferPointer { call($0.baseAddress, &size) }
      guard status > 0, size == count else { throw failure(what) }
      return result
    }

    private func failure(_ what: String) -> CryptographyError {
      library.clearErrors()
      return .failed("libcrypto can't do \(what) with this")
    }

    // MARK: Sealing

    private static let setNonceSize: Int32 = 0x9
    private static let getTag: Int32 = 0x10
    private static let setTag: Int32 = 0x11

    /// AES-256-GCM: the ciphertext, followed by the tag. No nonce may be used twice with one key.
    package func seal(
      _ plain: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
      let context = try cipherContext(key, nonce, library.beginSealing)
      defer { library.freeCipherContext(context) }
      var result = [UInt8](repeating: 0, count: plain.count + Self.tagSize)
      guard
        add(data, to: context, nil, library.addToSealed),
        result.withUnsafeMutableBufferPointer({ buffer in
          var none: Int32 = 0
          return add(plain, to: context, buffer.baseAddress, library.addToSealed)
            && library.finishSealing(context, buffer.baseAddress.map { $0 + plain.count }, &none) > 0
            && library.control(
              context, Self.getTag, Int32(Self.tagSize), buffer.baseAddress.map { $0 + plain.count }) > 0
        })
      else { throw failure("AES-256-GCM") }
      return result
    }

    /// The bytes that were sealed; nil if key, nonce or data are different, or any bit of `sealed` was changed.
    package func open(
      _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8]? {
      let size = sealed.count - Self.tagSize
      guard size >= 0 else { return nil }
      let context = try cipherContext(key, nonce, library.beginOpening)
      defer { library.freeCipherContext(context) }
      var tag = Array(sealed[size...])
      // Space for at least one byte, so that there is an address.
      var result = [UInt8](repeating: 0, count: size + 1)
      let isAuthentic =
        add(data, to: context, nil, library.addToOpened)
        && result.withUnsafeMutableBufferPointer { buffer in
          var none: Int32 = 0
          return add(Array(sealed[..<size]), to: context, buffer.baseAddress, library.addToOpened)
            && library.control(context, Self.setTag, Int32(Self.tagSize), &tag) > 0
            && library.finishOpening(context, buffer.baseAddress.map { $0 + size }, &none) > 0
        }
      guard isAuthentic else {
        library.clearErrors()
        return nil
      }
      result.removeLast()
      return result
    }

    private func cipherContext(
      _ key: [UInt8], _ nonce: [UInt8], _ begin: LibCrypto.BeginCipher
    ) throws(CryptographyError) -> LibCrypto.Object {
      guard key.count == Self.keySize, nonce.count == Self.nonceSize else { throw .failed("not a key and a nonce") }
      guard let context = library.cipherContext() else { throw failure("AES-256-GCM") }
      guard begin(context, library.aes256GCM(), nil, nil, nil) > 0,
        library.control(context, Self.setNonceSize, Int32(nonce.count), nil) > 0,
        begin(context, nil, nil, key, nonce) > 0
      else {
        library.freeCipherContext(context)
        throw failure("AES-256-GCM")
      }
      return context
    }

    /// Adds bytes and writes the output to `buffer`; without a buffer, the bytes are only authenticated.
    private func add(
      _ bytes: [UInt8], to context: LibCrypto.Object, _ buffer: LibCrypto.Buffer?, _ call: LibCrypto.Update
    ) -> Bool {
      guard !bytes.isEmpty else { return true }
      var count: Int32 = 0
      guard let size = Int32(exactly: bytes.count) else { return false }
      return call(context, buffer, &count, bytes, size) > 0 && count == size
    }
  }
#endif
