import LocalCloudModel

extension ShareDetails {
  /// Whether the account may change the list and all other fields of the share ([share-manage-1]).
  func isManaged(by account: Account?) -> Bool {
    guard let own = account.flatMap({ participant($0.userRecordName) }), letsIn(own) else { return false }
    return own.role == .owner || own.role == .administrator
  }

  /// The entry that an account uses to join: one matched to the account, one invited by an address of the account, or
  /// an unused one for the first user of this link.
  func entry(for account: Account, by guid: String) -> Participant? {
    entry(for: account) ?? participants.first { $0.shortGUID == guid && !$0.identity.hasAccount }
  }

  func entry(for account: Account) -> Participant? {
    participant(account.userRecordName)
      ?? participants.first { !$0.identity.hasAccount && $0.identity.lookup.map(account.answers) == true }
  }

  /// The details as one account sees them ([share-people-4]). In a private share: all participants, but addresses only
  /// for the owner, administrators and the participant concerned. In a public share: the owner and the account's own
  /// entry. Only the owner and administrators see requests for access and links for one person.
  ///
  /// - Assumption: the visibility of names and addresses; Apple says only that all participants see the owner and
  ///   themselves.
  func presented(to account: Account?) -> ShareDetails {
    if isManaged(by: account) { return self }
    var result = self
    result.accessRequests.requesters = []
    result.accessRequests.blocked = []
    if publicPermission != .none {
      result.participants.removeAll {
        $0.role != .owner && $0.identity.userRecordName != account?.userRecordName
      }
    }
    for index in result.participants.indices {
      result.participants[index].shortGUID = nil
      if result.participants[index].identity.userRecordName != account?.userRecordName || account == nil {
        result.participants[index].identity.lookup = nil
      }
    }
    return result
  }
}
