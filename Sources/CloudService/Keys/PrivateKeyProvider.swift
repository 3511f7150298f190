import CloudModel
import Platform
import Storage

/// The private keys that a request may use: those of an account on one of its devices.
///
/// A device that lacks a key copies it from another one, as iCloud Keychain does, also from one on which the account is
/// signed out, as no other place keeps the key. Used by one thread.
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
