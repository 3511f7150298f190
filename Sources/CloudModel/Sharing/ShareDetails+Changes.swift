extension ShareDetails {
  /// Another public permission, and what that does to the list ([share-public-1]): opened to everybody, or open in another
  /// way, the share loses who has not accepted yet, and public users may do what everybody may; closed, it loses all but
  /// its owner.
  package mutating func setPublicPermission(_ permission: SharePermission) {
    guard permission != publicPermission else { return }
    publicPermission = permission
    participants.removeAll { !permission.keeps($0.role, $0.acceptance) }
    for place in participants.indices where participants[place].role == .publicUser {
      participants[place].permission = permission
    }
  }

  /// The list without somebody who left.
  ///
  /// - Assumption: invited people are pending again and may come back by the same link; public users vanish.
  package func leaving(_ userRecordName: String) -> ShareDetails {
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

extension SharePermission {
  /// Whether somebody stays on the list of a share whose public permission becomes this one.
  package func keeps(_ role: ParticipantRole, _ acceptance: AcceptanceStatus) -> Bool {
    role == .owner || self != .none && acceptance == .accepted
  }
}
