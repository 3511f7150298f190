extension ShareDetails {
  /// The list as one person sees it (sharing.md 7): in a private share everybody, but addresses only for the owner and
  /// the person concerned; in a public share the owner and oneself, for all but the owner.
  ///
  /// - Assumption: who sees whose names and addresses; Apple says only that everybody sees the owner and themselves.
  func presented(to account: Account?) -> ShareDetails {
    guard participant(account?.userRecordName ?? "")?.role != .owner else { return self }
    var result = self
    if publicPermission != .none {
      result.participants.removeAll {
        $0.role != .owner && $0.identity.userRecordName != account?.userRecordName
      }
    }
    for place in result.participants.indices
    where result.participants[place].identity.userRecordName != account?.userRecordName || account == nil {
      result.participants[place].identity.lookup = nil
    }
    return result
  }
}
