import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Thrown by a plan that needs key pairs that do not exist yet. Nothing was written: the caller creates the key pairs
/// and starts over.
struct KeyPairsNeeded: Error {
  /// Names of accounts.
  var accounts: Set<String>
}

/// Key pairs of accounts, and the sealing of values and keys.
package struct KeyService: ServiceSubject {
  let service: CloudService
}

/// Key pairs of accounts, one for each container. The private halves are only in the keychains of the account's
/// devices.
///
/// - Difference: the key pair of an invited person without one is created on their default device by the first process
///   that needs it; iCloud's devices create theirs in the background.
extension KeyService {
  /// Runs `body` with the keys of the caller's device, and again after creating key pairs that it needs.
  func withKeys<Result>(
    of account: Account?, _ caller: Caller, _ body: (PrivateKeyProvider?) throws -> Result
  ) throws -> Result {
    guard let account else { return try body(nil) }
    var made: Set<String> = []
    while true {
      let keyProvider = PrivateKeyProvider(service, account, caller)
      do {
        let result = try body(keyProvider)
        keyProvider.keepBorrowed()
        return result
      } catch let needed as KeyPairsNeeded where !needed.accounts.isSubset(of: made) {
        made.formUnion(needed.accounts)
        try makeKeyPairs(of: needed.accounts, keyProvider, caller)
      }
    }
  }

  /// Creates a key pair for each of these accounts that has none. Call it without a zone's lock.
  func makeKeyPairs(of names: Set<String>, _ keyProvider: PrivateKeyProvider, _ caller: Caller) throws {
    for name in names.sorted() { try makeKeyPair(of: name, keyProvider, caller) }
  }

  private func makeKeyPair(of name: String, _ keyProvider: PrivateKeyProvider, _ caller: Caller) throws {
    let sealer = try sealer()
    let device =
      name == keyProvider.account.name ? caller.device(of: keyProvider.account) : Account.defaultDevice(of: name)
    _ = try service.accounts.changeAccount(name) { account in
      let present = account.keys[caller.container] ?? AccountKey(generation: 1)
      guard present.publicKey == nil else { return }
      // The private half is stored first, so that no key is sealed for a lost private half. A private half that an
      // interrupted process left is reused.
      var privateKey = sealer.newKey().bytes
      try changeKeychain(of: FileName.encode(device), waitPolicy(caller)) { keychain in
        if let left = keychain.entry(of: account.userRecordName, caller.container, generation: present.generation) {
          privateKey = left.privateKey
          return
        }
        keychain.put(
          Keychain.Entry(
            userRecordName: account.userRecordName, container: caller.container, generation: present.generation,
            privateKey: privateKey))
      }
      account.keys[caller.container] = AccountKey(
        generation: present.generation, publicKey: try sealer.cryptography.publicKey(ofPrivateKey: privateKey))
    }
  }

  /// Removes an account's keys of generations before `generation` from every keychain, and the long-lived operations
  /// that are sealed for them from every device. Skips unreadable keychains, as no device can use them.
  func forgetKeys(
    of account: Account, _ container: String, before generation: Int64, _ waitPolicy: LockWaitPolicy
  ) throws {
    try cloud.withFolder(Inbox.devices, waitPolicy) { folder in
      for device in try folder.names(.directory) {
        try forgetOperations(of: device, account, container, before: generation, in: folder)
        guard let before = (try? keychain(of: device, forgetting: true)) ?? nil else { continue }
        var keychain = before
        keychain.remove(account.userRecordName, container, before: generation)
        guard keychain.entries != before.entries else { continue }
        try folder.write(keychain.object, device, Keychain.file, mode: Keychain.mode)
      }
    }
  }

  func changeKeychain(
    of device: String, _ waitPolicy: LockWaitPolicy, _ change: (inout Keychain) throws -> Void
  ) throws {
    try cloud.withFolder(Inbox.devices, waitPolicy) { folder in
      let before = try keychain(of: device)
      var keychain = before ?? Keychain()
      try change(&keychain)
      guard keychain.entries != before?.entries ?? [] else { return }
      try folder.write(keychain.object, device, Keychain.file, mode: Keychain.mode)
    }
  }
}
