/// What an app sees of the account of its device.
package struct AccountState: Sendable, Hashable {
  /// Nil while nobody is signed in.
  package var userRecordName: String?
  package var status = AccountStatus.noAccount

  package init(userRecordName: String? = nil, status: AccountStatus = .noAccount) {
    self.userRecordName = userRecordName
    self.status = status
  }
}

/// What is left of a person's iCloud storage.
package enum AccountStorage: String, Sendable, CaseIterable {
  case available
  case full
}

/// Where a person's answer stands, with Apple's raw values.
package enum DiscoverabilityStatus: Int, Sendable, CaseIterable {
  case initialState = 0
  case couldNotComplete = 1
  case denied = 2
  case granted = 3

  package var name: String {
    switch self {
    case .initialState: "initialState"
    case .couldNotComplete: "couldNotComplete"
    case .denied: "denied"
    case .granted: "granted"
    }
  }
}
