/// An iCloud account, as `account show` prints it.
package struct Account: Sendable, Hashable {
  /// The local name: the account's file and database folders have it, and it is the value of `LOCALCLOUD_ACCOUNT`.
  package var name: String
  /// `_` and 32 lower-case hex digits.
  package var userRecordName: String
  package var emails: [String]
  package var phones: [String]
  package var person: PersonName
  package var status: AccountStatus
  package var storage = AccountStorage.available
  /// Whether apps may let other users find this one, by container.
  package var permissions: [String: Discoverability] = [:]
  /// The custom roles of public databases' schemas that the account is in, by container and environment. No set is
  /// empty; see the subscript `rolesIn`.
  package var roles: [String: [CloudEnvironment: Set<String>]] = [:]
  /// Milliseconds since 1970.
  package var created: Int64
  /// Key pairs by container.
  package var keys: [String: AccountKey] = [:]

  package init(name: String, userRecordName: String, created: Int64) {
    self.name = name
    self.userRecordName = userRecordName
    self.created = created
    emails = []
    phones = []
    person = PersonName()
    status = .available
  }

  /// Whether the handle, in normalized form, belongs to this account.
  package func answers(to lookup: LookupInfo) -> Bool {
    switch lookup {
    case .email(let email): emails.contains(email)
    case .phone(let phone): phones.contains(phone)
    case .userRecordName(let name): userRecordName == name
    }
  }

  /// The name of the account's default device.
  package static func defaultDevice(of name: String) -> String { name + "-device" }
}

/// The status of an account, with CloudKit's raw values.
package enum AccountStatus: Int, Sendable, CaseIterable {
  case couldNotDetermine = 0
  case available = 1
  case restricted = 2
  case noAccount = 3
  case temporarilyUnavailable = 4

  /// Spelled out, as the runtime's look-up of a case's name would take most of the time of reading an account.
  package var name: String {
    switch self {
    case .couldNotDetermine: "couldNotDetermine"
    case .available: "available"
    case .restricted: "restricted"
    case .noAccount: "noAccount"
    case .temporarilyUnavailable: "temporarilyUnavailable"
    }
  }

  package init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}
