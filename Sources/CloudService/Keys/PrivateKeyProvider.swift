import CloudModel
import Platform
import Storage

/// Whose private keys a request may use: an account's, on one of its devices.
///
/// A device that lacks a key takes it from another one, as by iCloud Keychain: also from one that the account is signed
/// out of, as nothing else would keep it there. Used by one thread.
final class PrivateKeyProvider {
  let service: CloudService
  let account: Account
  let container: String
  /// The device's folder.
  private let device: String
  private lazy var own = Result { try service.keys.keychain(of: device) }
  private var borrowed: [Keychain.Entry] = []

  init(_ service: CloudService, _ account: Account, _ caller: Caller) {
    self.service = service
    self.account = account
    container = caller.container
    device = FileName.encode(caller.device(of: account))
  }

  /// Nil where no device of the account has it.
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

  /// Nil for one that is damaged or private to somebody else: what is wrong with it is told on that device.
  private func readable(_ device: String) throws -> Keychain? {
    do { return try service.keys.keychain(of: device) } catch StorageError.damaged {
    } catch let error as ServiceError where error.cause == .damage {
    } catch let error as SystemError where error.isUnreadable {}
    return nil
  }

  /// Puts what came from other devices into the own keychain. To be called without a lock.
  func keepBorrowed() {
    guard !borrowed.isEmpty else { return }
    // The next request gets it from there, too.
    try? service.keys.changeKeychain(of: device, service.patience(nil)) { keychain in
      for entry in borrowed { keychain.put(entry) }
    }
    borrowed = []
  }
}
