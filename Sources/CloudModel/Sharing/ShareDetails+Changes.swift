extension ShareDetails {
  /// Sets the public permission and updates the list ([share-public-1]). If it changes to a permission other than
  /// `.none`, participants that have not accepted are removed, and public users get the new permission. If it changes
  /// to `.none`, all participants but the owner are removed.
  package mutating func setPublicPermission(_ permission: SharePermission) {
    guard permission != publicPermission else { return }
    publicPermission = permission
    participants.removeAll { !permission.keeps($0.role, $0.acceptance) }
    for index in participants.indices where participants[index].role == .publicUser {
      participants[index].permission = permission
    }
  }

  /// The details after a participant has left.
  ///
  /// - Assumption: invited people are pending again and may return by the same link; public users are removed.
  package func leaving(_ userRecordName: String) -> ShareDetails {
    var result = self
    guard let index = result.participants.firstIndex(where: { $0.identity.userRecordName == userRecordName }) else {
      return result
    }
    if result.participants[index].role == .publicUser {
      result.participants.remove(at: index)
    } else {
      result.participants[index].acceptance = .pending
    }
    return result
  }
}

extension SharePermission {
  /// Whether a participant stays on the list when the public permission changes to this one.
  package func keeps(_ role: ParticipantRole, _ acceptance: AcceptanceStatus) -> Bool {
    role == .owner || self != .none && acceptance == .accepted
  }
}
