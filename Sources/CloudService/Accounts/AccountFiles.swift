import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// The accounts' documents, cached. Each is read again only when its file has changed.
///
/// Thread-safe. Two threads that read the same account at once cache the same value.
final class AccountFiles: Sendable {
  private let accounts = VersionedCache<String, Account>()
  /// The files of user record names that were looked up.
  private let files = Mutex<[String: String]>([:])
  private let cloud: Cloud

  init(of cloud: Cloud) { self.cloud = cloud }

  /// All accounts, by the names of their files. Throws if one can't be read.
  func all() throws -> [Account] {
    let folder = try cloud.folder(Account.folder)
    return try folder.names(.file).filter { $0.hasSuffix(".json") }.compactMap { try account($0, in: folder) }
  }

  /// The readable accounts, and the errors of the others: a damaged account doesn't affect the others.
  func readable() throws -> (accounts: [Account], failures: [(name: String, error: any Error)]) {
    let folder = try cloud.folder(Account.folder)
    var result: (accounts: [Account], failures: [(name: String, error: any Error)]) = ([], [])
    for file in try folder.names(.file) where file.hasSuffix(".json") {
      do {
        if let account = try account(file, in: folder) { result.accounts.append(account) }
      } catch  where RecordService.concernsOneFile(error) {
        let stem = String(file.dropLast(".json".count))
        result.failures.append((FileName.decode(stem) ?? stem, error))
      }
    }
    return result
  }

  /// The accounts for requests that search all of them. Leaves out damaged ones; throws if one may not be read, as it
  /// may be the wanted one.
  func known() throws -> [Account] {
    let (accounts, failures) = try readable()
    try Self.requireAllowed(failures)
    return accounts
  }

  /// The first account that `isMeant` accepts; nil if there is none. Throws instead of nil if an account may not be
  /// read.
  func first(where isMeant: (Account) throws -> Bool) throws -> Account? {
    let (accounts, failures) = try readable()
    if let account = try accounts.first(where: isMeant) { return account }
    try Self.requireAllowed(failures)
    return nil
  }

  private static func requireAllowed(_ failures: [(name: String, error: any Error)]) throws {
    if let denied = failures.first(where: { ($0.error as? SystemError)?.isDenied == true }) { throw denied.error }
  }

  /// The account of this name; nil if there is none.
  func account(_ name: String) throws -> Account? {
    let folder = try cloud.folder(Account.folder)
    let file = Account.file(of: name)
    guard let account = try account(file, in: folder) else { return nil }
    guard account.name == name else { throw damaged(file, in: folder, "not the account \(name)") }
    return account
  }

  /// The account of this user record name; nil if there is none. The first look-up of a name reads all accounts.
  func account(ofUser userRecordName: String) throws -> Account? {
    let folder = try cloud.folder(Account.folder)
    if let file = files.withLock({ $0[userRecordName] }), let account = try account(file, in: folder),
      account.userRecordName == userRecordName
    {
      return account
    }
    // A damaged account doesn't affect the others. Only if no readable account matches, a damaged one may be the wanted
    // one.
    var failure: (any Error)?
    for file in try folder.names(.file) where file.hasSuffix(".json") {
      do {
        guard let account = try account(file, in: folder), account.userRecordName == userRecordName else { continue }
        files.withLock { $0[userRecordName] = Account.file(of: account.name) }
        return account
      } catch {
        if (error as? SystemError)?.isStopped == true { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  private func account(_ file: String, in folder: DocumentFolder) throws -> Account? {
    guard let version = try folder.directory.version(of: file) else { return nil }
    return try accounts.value(file, version) {
      guard let object = try folder.read(file) else { return nil }
      guard let account = Account(object) else { throw damaged(file, in: folder, "not an account") }
      return account
    }
  }

  private func damaged(_ file: String, in folder: DocumentFolder, _ reason: String) -> StorageError {
    .damaged(path: folder.directory.path(of: file), reason: reason)
  }
}

extension Account {
  /// The folder of accounts, below the cloud's root.
  package static let folder = "accounts"

  package static func file(of name: String) -> String { FileName.document(name) }
}
