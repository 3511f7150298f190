#if !canImport(CryptoKit)
  /// OpenSSL's libcrypto, 1.1.1 or later: the functions used here.
  struct LibCrypto: Sendable {
    /// The library's names in distributions, newest first.
    static let names = ["libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"]

    typealias Object = OpaquePointer
    typealias Bytes = UnsafePointer<UInt8>
    typealias Buffer = UnsafeMutablePointer<UInt8>

    typealias Make = @Sendable @convention(c) () -> Object?
    typealias Free = @Sendable @convention(c) (Object?) -> Void
    typealias Clear = @Sendable @convention(c) () -> Void
    typealias Named = @Sendable @convention(c) (UnsafePointer<CChar>) -> Int32
    typealias MakeKey = @Sendable @convention(c) (Int32, Object?, Bytes, Int) -> Object?
    typealias ReadKey = @Sendable @convention(c) (Object, Buffer?, UnsafeMutablePointer<Int>) -> Int32
    typealias MakeContext = @Sendable @convention(c) (Object, Object?) -> Object?
    typealias MakeContextNamed = @Sendable @convention(c) (Int32, Object?) -> Object?
    typealias Begin = @Sendable @convention(c) (Object) -> Int32
    typealias SetPeer = @Sendable @convention(c) (Object, Object) -> Int32
    typealias SetText =
      @Sendable @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
    typealias BeginCipher = @Sendable @convention(c) (Object, Object?, Object?, Bytes?, Bytes?) -> Int32
    typealias Update = @Sendable @convention(c) (Object, Buffer?, UnsafeMutablePointer<Int32>, Bytes?, Int32) -> Int32
    typealias Finish = @Sendable @convention(c) (Object, Buffer?, UnsafeMutablePointer<Int32>) -> Int32
    typealias Control = @Sendable @convention(c) (Object, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    let identifier: Named
    let clearErrors: Clear
    let privateKey: MakeKey
    let publicKey: MakeKey
    let readPublicKey: ReadKey
    let freeKey: Free
    let context: MakeContext
    let contextNamed: MakeContextNamed
    let freeContext: Free
    let beginDeriving: Begin
    let setPeer: SetPeer
    let setText: SetText
    let derive: ReadKey
    let aes256GCM: Make
    let cipherContext: Make
    let freeCipherContext: Free
    let control: Control
    let beginSealing: BeginCipher
    let addToSealed: Update
    let finishSealing: Finish
    let beginOpening: BeginCipher
    let addToOpened: Update
    let finishOpening: Finish

    init(_ names: [String]) throws(CryptographyError) {
      for name in names {
        if let library = DynamicLibrary(name), let found = Self(library) {
          self = found
          return
        }
      }
      throw .unavailable(names)
    }

    private init?(_ library: DynamicLibrary) {
      guard let identifier: Named = library.function("OBJ_sn2nid"),
        let clearErrors: Clear = library.function("ERR_clear_error"),
        let privateKey: MakeKey = library.function("EVP_PKEY_new_raw_private_key"),
        let publicKey: MakeKey = library.function("EVP_PKEY_new_raw_public_key"),
        let readPublicKey: ReadKey = library.function("EVP_PKEY_get_raw_public_key"),
        let freeKey: Free = library.function("EVP_PKEY_free"),
        let context: MakeContext = library.function("EVP_PKEY_CTX_new"),
        let contextNamed: MakeContextNamed = library.function("EVP_PKEY_CTX_new_id"),
        let freeContext: Free = library.function("EVP_PKEY_CTX_free"),
        let beginDeriving: Begin = library.function("EVP_PKEY_derive_init"),
        let setPeer: SetPeer = library.function("EVP_PKEY_derive_set_peer"),
        let setText: SetText = library.function("EVP_PKEY_CTX_ctrl_str"),
        let derive: ReadKey = library.function("EVP_PKEY_derive"),
        let aes256GCM: Make = library.function("EVP_aes_256_gcm"),
        let cipherContext: Make = library.function("EVP_CIPHER_CTX_new"),
        let freeCipherContext: Free = library.function("EVP_CIPHER_CTX_free"),
        let control: Control = library.function("EVP_CIPHER_CTX_ctrl"),
        let beginSealing: BeginCipher = library.function("EVP_EncryptInit_ex"),
        let addToSealed: Update = library.function("EVP_EncryptUpdate"),
        let finishSealing: Finish = library.function("EVP_EncryptFinal_ex"),
        let beginOpening: BeginCipher = library.function("EVP_DecryptInit_ex"),
        let addToOpened: Update = library.function("EVP_DecryptUpdate"),
        let finishOpening: Finish = library.function("EVP_DecryptFinal_ex")
      else { return nil }
      self.identifier = identifier
      self.clearErrors = clearErrors
      self.privateKey = privateKey
      self.publicKey = publicKey
      self.readPublicKey = readPublicKey
      self.freeKey = freeKey
      self.context = context
      self.contextNamed = contextNamed
      self.freeContext = freeContext
      self.beginDeriving = beginDeriving
      self.setPeer = setPeer
      self.setText = setText
      self.derive = derive
      self.aes256GCM = aes256GCM
      self.cipherContext = cipherContext
      self.freeCipherContext = freeCipherContext
      self.control = control
      self.beginSealing = beginSealing
      self.addToSealed = addToSealed
      self.finishSealing = finishSealing
      self.beginOpening = beginOpening
      self.addToOpened = addToOpened
      self.finishOpening = finishOpening
    }
  }
#endif
