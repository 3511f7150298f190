import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The properties of an account that `account add` and `account set` can set; nil: unchanged.
package struct AccountChanges: Sendable {
  package var emails: [String]?
  package var phones: [String]?
  package var givenName: String?
  package var familyName: String?
  package var status: AccountStatus?
  package var storage: AccountStorage?

  package init() {}
}

/// Accounts: management, sign-in status, look-up and discovery.
package struct AccountService: ServiceSubject {
  let service: CloudService
}

extension AccountService {
  /// Returns the readable accounts, and the errors of the others.
  package func listAccounts() throws(ServiceError) -> (
    accounts: [Account], failures: [(name: String, error: ServiceError)]
  ) {
    try perform(.administration, by: nil) {
      let (accounts, failures) = try service.accountFiles.readable()
      return (accounts, failures.map { ($0.name, ServiceError(describing: $0.error)) })
    }
  }

  /// All accounts. Throws if one can't be read, for requests that must include every account.
  func allAccounts() throws -> [Account] { try service.accountFiles.all() }

  /// The accounts for requests that search all of them; see ``AccountFiles/known()``.
  func knownAccounts() throws -> [Account] { try service.accountFiles.known() }

  /// Returns the account of this name.
  ///
  /// - Throws: `notAuthenticated` if the cloud has no account of this name.
  package func account(_ name: String) throws(ServiceError) -> Account {
    try perform(.administration, by: nil) { try requireAccount(name) }
  }

  /// The file of an account in the tree.
  package func path(of account: Account) -> String {
    cloud.root.path(of: "\(Account.folder)/\(Account.file(of: account.name))")
  }

  func requireAccount(_ name: String) throws -> Account {
    guard let account = try service.accountFiles.account(name) else { throw ServiceError.unknownAccount(name) }
    return account
  }

  /// Adds an account with a new user record name.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 bytes without spaces, slash and comma; does not begin with `.`, `_` or `-`.
  ///   - changes: the initial properties.
  /// - Throws: `invalidArguments` for an invalid name, address or number; `serverRejectedRequest` if the name is taken,
  ///   or an address or number belongs to another account.
  package func addAccount(_ name: String, _ changes: AccountChanges) throws(ServiceError) -> Account {
    try perform(.administration, by: nil) {
      try Self.validate(accountName: name)
      return try cloud.withFolder(Account.folder, waitPolicy(nil)) { folder in
        // This finds the same name in another Unicode normalization form.
        if try knownAccounts().contains(where: { $0.name == name })
          || folder.directory.exists(Account.file(of: name))
        {
          throw ServiceError(.serverRejectedRequest, "There is an account \(name) already.")
        }
        var account = Account(name: name, userRecordName: "_" + newIdentifier(), created: try settings.clock())
        try apply(changes, to: &account)
        try requireOwnHandles(account)
        try DeviceRegister(cloud).forgetDefaultDevice(of: name, waitPolicy(nil))
        try folder.write(account.object, Account.file(of: name))
        return account
      }
    }
  }

  /// Changes properties of an account; returns the changed account.
  ///
  /// - Throws: `notAuthenticated` if the cloud has no account of this name; `invalidArguments` for an invalid address
  ///   or number; `serverRejectedRequest` if one belongs to another account.
  package func setAccount(_ name: String, _ changes: AccountChanges) throws(ServiceError) -> Account {
    try perform(.administration, by: nil) { try changeAccount(name) { try apply(changes, to: &$0) } }
  }

  /// Changes an account and writes it. Throws if the change gives it an address or number of another account.
  func changeAccount(_ name: String, _ change: (inout Account) throws -> Void) throws -> Account {
    try cloud.withFolder(Account.folder, waitPolicy(nil)) { folder in
      let before = try requireAccount(name)
      var account = before
      try change(&account)
      if account.emails != before.emails || account.phones != before.phones { try requireOwnHandles(account) }
      var object = try folder.read(Account.file(of: name)) ?? [:]
      for (key, value) in account.object { object[key] = value }
      for key in ["nameComponents", "permissions", "roles"] where account.object[key] == nil { object[key] = nil }
      try folder.write(object, Account.file(of: name))
      return account
    }
  }

  /// Removes an account that owns no data and has joined no share. Its devices are signed out. After an interruption, a
  /// second call does the rest.
  ///
  /// - Throws: `notAuthenticated` if the cloud has no account of this name; `serverRejectedRequest` if it has data or
  ///   joined a share; `serverResponseLost` if the removal was interrupted.
  package func removeAccount(_ name: String) throws(ServiceError) {
    try perform(.administration, by: nil) { try remove(name) }
  }

  /// Removes an account within another request.
  func remove(_ name: String) throws {
    try cloud.withFolder(Account.folder, waitPolicy(nil)) { folder in
      let account = try requireAccount(name)
      try requireNoData(of: account)
      do {
        // The account is removed last: as long as it exists, the removal can be repeated.
        try service.subscriptions.removeSubscriptions(of: account)
        try service.devices.signOutDevices(of: name)
        try folder.remove(Account.file(of: name))
      } catch {
        throw ServiceError.halfDone("The account \(name) is removed only in part", error, hint: "Remove it again")
      }
    }
  }

  private func requireNoData(of account: Account) throws {
    for container in try cloud.containers() {
      for environment in CloudEnvironment.allCases {
        for scope in [DatabaseScope.private, .shared] {
          let path = DatabasePath(
            container: container, environment: environment.rawValue, scope: scope.folders(of: account.name))
          guard let database = try cloud.database(path) else { continue }
          guard try isEmpty(database, of: account) else {
            throw ServiceError(
              .serverRejectedRequest,
              "The account \(account.name) has data in \(container), \(environment.rawValue), \(scope.name).",
              hint: "Delete its zones and leave its shares first.", path: database.directory.path)
          }
        }
      }
    }
  }

  /// Whether the database holds no data that matters. A default zone and the user's own record exist from the first
  /// access on.
  private func isEmpty(_ database: DatabaseFolder, of account: Account) throws -> Bool {
    guard try database.pointers().isEmpty else { return false }
    let zones = try database.zones()
    guard zones.allSatisfy({ $0 == ZoneIdentifier.defaultName }) else { return false }
    guard !zones.isEmpty, let zone = try cloud.zone(ZonePath(database: database.path, zone: zones[0])) else {
      return true
    }
    let records = try zone.read(waitPolicy(nil)) { try $0.allRecords() }
    return records.allSatisfy { $0.string == account.userRecordName }
  }

  private func apply(_ changes: AccountChanges, to account: inout Account) throws {
    if let emails = changes.emails { account.emails = try emails.map(Self.normalized(email:)) }
    if let phones = changes.phones { account.phones = try phones.map(Self.normalized(phone:)) }
    if let given = changes.givenName { account.person.given = given.isEmpty ? nil : given }
    if let family = changes.familyName { account.person.family = family.isEmpty ? nil : family }
    if let status = changes.status { account.status = status }
    if let storage = changes.storage { account.storage = storage }
  }

  private func requireOwnHandles(_ account: Account) throws {
    for other in try knownAccounts() where other.name != account.name {
      for handle in account.emails where other.emails.contains(handle) {
        throw ServiceError(.serverRejectedRequest, "\(handle) belongs to the account \(other.name).")
      }
      for handle in account.phones where other.phones.contains(handle) {
        throw ServiceError(.serverRejectedRequest, "\(handle) belongs to the account \(other.name).")
      }
    }
  }

  private static func validate(accountName name: String) throws {
    let isPlain = name.utf8.allSatisfy { byte in
      byte >= 0x80 || (byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "/") && byte != UInt8(ascii: ","))
    }
    guard !name.isEmpty, name.utf8.count <= 64, isPlain, !name.hasPrefix("."), !name.hasPrefix("_"),
      !name.hasPrefix("-")
    else {
      throw ServiceError.invalid(
        "'\(name)' can't be an account's name: 1 to 64 bytes, no spaces, no slash or comma, not starting with '.', '_' or '-'"
      )
    }
  }

  // MARK: Handles

  /// The address in lower case, as addresses are compared. Throws if it is invalid.
  static func normalized(email: String) throws -> String {
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, email.utf8.count <= 254,
      email.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") })
    else { throw ServiceError.invalid("'\(email)' is no e-mail address") }
    return email.lowercased()
  }

  /// The number's digits, with its leading `+` if it has one, as numbers are written in many ways. Throws if it is
  /// invalid.
  static func normalized(phone: String) throws -> String {
    let digits = phone.filter { $0.isASCII && $0.isNumber }
    let others = phone.filter { !($0.isASCII && $0.isNumber) }
    guard (3...15).contains(digits.count), others.allSatisfy({ "+-() ./".contains($0) }),
      !phone.dropFirst().contains("+")
    else { throw ServiceError.invalid("'\(phone)' is no phone number") }
    return (phone.hasPrefix("+") ? "+" : "") + digits
  }

  /// The account behind a handle or a user record name.
  func account(matching lookup: LookupInfo) throws -> Account? {
    if case .userRecordName(let name) = lookup { return try service.accountFiles.account(ofUser: name) }
    let lookup = try normalized(lookup)
    return try service.accountFiles.first { $0.answers(to: lookup) }
  }

  func normalized(_ lookup: LookupInfo) throws -> LookupInfo {
    switch lookup {
    case .email(let email): .email(try Self.normalized(email: email))
    case .phone(let phone): .phone(try Self.normalized(phone: phone))
    case .userRecordName: lookup
    }
  }
}
