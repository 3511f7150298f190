/// A person's iCloud account, as `account show` gives it.
package struct Account: Sendable, Hashable {
  /// Local name: the folder's, and `LOCALCLOUD_ACCOUNT`'s value.
  package var name: String
  /// `_` and 32 lower-case hex digits.
  package var userRecordName: String
  package var emails: [String]
  package var phones: [String]
  package var person: PersonName
  package var status: AccountStatus
  package var storage = AccountStorage.available
  /// Whether apps may let others find the person, by container.
  package var permissions: [String: Discoverability] = [:]
  /// Milliseconds since 1970.
  package var created: Int64
  /// By container.
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

  /// Whether somebody invited by this handle, spelled as handles are kept, is the account's person.
  package func answers(to lookup: LookupInfo) -> Bool {
    switch lookup {
    case .email(let email): emails.contains(email)
    case .phone(let phone): phones.contains(phone)
    case .userRecordName(let name): userRecordName == name
    }
  }

  /// What the device of the account `name` is called when none is named.
  package static func defaultDevice(of name: String) -> String { name + "-device" }
}

/// Apple's raw values.
package enum AccountStatus: Int, Sendable, CaseIterable {
  case couldNotDetermine = 0
  case available = 1
  case restricted = 2
  case noAccount = 3
  case temporarilyUnavailable = 4

  /// Spelled out: asking the runtime for a case's name takes longer than all else of reading an account.
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
