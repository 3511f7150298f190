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
