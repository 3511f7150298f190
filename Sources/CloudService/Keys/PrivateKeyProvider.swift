import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage

/// The private keys that a request may use: those of an account on one of its devices.
///
/// A device that lacks a key copies it from another one, as iCloud Keychain does, also from one where the account is
/// signed out, as only devices store the key. Used by one thread.
final class PrivateKeyProvider {
  let service: CloudService
  let account: Account
  let container: String
  /// The name of the device's folder.
  private let device: String
  private lazy var own = Result { try service.keys.keychain(of: device) }
  private var borrowed: [Keychain.Entry] = []

  init(_ service: CloudService, _ account: Account, _ caller: Caller) {
    self.service = service
    self.account = account
    container = caller.container
    device = FileName.encode(caller.device(of: account))
  }

  /// The private key of this generation; nil if no device has it.
  func privateKey(generation: Int64) throws -> [UInt8]? {
    let user = account.userRecordName
    if let entry = try own.get()?.entry(of: user, container, generation: generation) { return entry.privateKey }
    if let entry = borrowed.first(where: { $0.generation == generation }) { return entry.privateKey }
    for other in try service.keys.keychainFolders() where other != device {
      guard let entry = try readable(other)?.entry(of: user, container, generation: generation) else { continue }
      borrowed.append(entry)
      return entry.privateKey
    }
    return nil
  }

  /// Opens a key that is sealed for the account. Throws ``ZoneKeys/Lost`` if it can't be opened.
  func open(_ key: PersonalKey, by sealer: Sealer, as context: SealContext, what: String) throws -> SealingKey {
    guard key.userRecordName == account.userRecordName else { throw ZoneKeys.Lost("\(what) is somebody else's") }
    guard let privateKey = try privateKey(generation: key.generation) else {
      throw ZoneKeys.Lost(
        "\(what) is sealed for key pair \(key.generation) of \(account.name), whose private half is in no keychain of "
          + "\(account.name)'s devices")
    }
    guard let opened = try sealer.unwrap(key.sealed, privateKey: privateKey, as: context) else {
      throw ZoneKeys.Lost("\(what) is damaged or belongs elsewhere")
    }
    return opened
  }

  /// Throws ``ZoneKeys/Lost`` if the private half of the account's present key pair is lost: no key may be sealed for
  /// it. Does not throw if the account has no key pair yet. `account`: the account as it is now.
  func requirePrivateHalf(of account: Account) throws {
    guard let key = account.keys[container], key.publicKey != nil else { return }
    guard try privateKey(generation: key.generation) != nil else {
      throw ZoneKeys.Lost("the private half of \(account.name)'s key pair is in no keychain of its devices")
    }
  }

  /// The keychain of a device; nil if it is damaged or can't be read: a check of that device reports it.
  private func readable(_ device: String) throws -> Keychain? {
    do { return try service.keys.keychain(of: device) } catch StorageError.damaged {
    } catch let error as ServiceError where error.cause == .damage {
    } catch let error as SystemError where error.isUnreadable {}
    return nil
  }

  /// Adds keys that were copied from other devices to the device's own keychain. Call it without a lock.
  func keepBorrowed() {
    guard !borrowed.isEmpty else { return }
    // If this fails, the next request copies them again.
    try? service.keys.changeKeychain(of: device, service.waitPolicy(nil)) { keychain in
      for entry in borrowed { keychain.put(entry) }
    }
    borrowed = []
  }
}
