import CloudModel
import CloudStore
import Platform
import Storage
import Synchronization

/// The accounts' documents, each read again only when its file is another one.
///
/// Threads: safe from any; two that read at once keep the same.
final class AccountFiles: Sendable {
  private let accounts = VersionedCache<String, Account>()
  /// The file of a user record name that was asked for.
  private let files = Mutex<[String: String]>([:])
  private let cloud: Cloud

  init(of cloud: Cloud) { self.cloud = cloud }

  /// In the order of their files' names.
  func all() throws -> [Account] {
    let folder = try cloud.folder(Account.folder)
    return try folder.names(.file).filter { $0.hasSuffix(".json") }.compactMap { try account($0, in: folder) }
  }

  /// Those that can be read, and why others can't: a damaged account is nobody else's trouble.
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

  /// For what looks at everybody. Damaged accounts are left out; one that may not be read may be the one that is meant,
  /// and fails the look.
  func known() throws -> [Account] {
    let (accounts, failures) = try readable()
    try Self.requireAllowed(failures)
    return accounts
  }

  /// The account that is meant; nil where none is, and none that may not be read could be.
  func first(where isMeant: (Account) throws -> Bool) throws -> Account? {
    let (accounts, failures) = try readable()
    if let account = try accounts.first(where: isMeant) { return account }
    try Self.requireAllowed(failures)
    return nil
  }

  private static func requireAllowed(_ failures: [(name: String, error: any Error)]) throws {
    if let denied = failures.first(where: { ($0.error as? SystemError)?.isDenied == true }) { throw denied.error }
  }

  /// Nil where there is none of that name.
  func account(_ name: String) throws -> Account? {
    let folder = try cloud.folder(Account.folder)
    let file = Account.file(of: name)
    guard let account = try account(file, in: folder) else { return nil }
    guard account.name == name else { throw damaged(file, in: folder, "not the account \(name)") }
    return account
  }

  /// Costs a look at all accounts for somebody who was not asked for before.
  func account(ofUser userRecordName: String) throws -> Account? {
    let folder = try cloud.folder(Account.folder)
    if let file = files.withLock({ $0[userRecordName] }), let account = try account(file, in: folder),
      account.userRecordName == userRecordName
    {
      return account
    }
    // A damaged account is nobody else's trouble; it may be the one that is meant only where no other is.
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
  /// Where accounts are kept, below the cloud's root.
  package static let folder = "accounts"

  package static func file(of name: String) -> String { FileName.document(name) }
}
