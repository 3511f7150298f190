extension ShareDetails {
  /// What a change of the public permission does to the list (sharing.md 4.1).
  mutating func settlePublicPermission(before: SharePermission) {
    if publicPermission == .none {
      participants.removeAll { $0.role == .publicUser }
    } else if before != publicPermission {
      participants.removeAll { $0.role != .owner && $0.role != .publicUser && $0.acceptance != .accepted }
      for place in participants.indices where participants[place].role == .publicUser {
        participants[place].permission = publicPermission
      }
    }
  }

  /// The list without somebody who left.
  ///
  /// - Assumption: invited people are pending again and may come back by the same link; public users vanish.
  func leaving(_ userRecordName: String) -> ShareDetails {
    var result = self
    guard let place = result.participants.firstIndex(where: { $0.identity.userRecordName == userRecordName }) else {
      return result
    }
    if result.participants[place].role == .publicUser {
      result.participants.remove(at: place)
    } else {
      result.participants[place].acceptance = .pending
    }
    return result
  }
}
