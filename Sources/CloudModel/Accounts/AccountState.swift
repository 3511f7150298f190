/// The state of the device's account, as an app sees it.
package struct AccountState: Sendable, Hashable {
  /// Nil if no account is signed in.
  package var userRecordName: String?
  package var status = AccountStatus.noAccount

  package init(userRecordName: String? = nil, status: AccountStatus = .noAccount) {
    self.userRecordName = userRecordName
    self.status = status
  }
}

/// Whether an account has free iCloud storage.
package enum AccountStorage: String, Sendable, CaseIterable {
  case available
  case full
}

/// The state of a user's answer, with CloudKit's raw values.
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
