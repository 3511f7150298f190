extension CKShare {
  /// The participants that the current user may see, the owner first. Changing a participant changes the share.
  ///
  /// - Assumption: a new share lists only its creator, with the state accepted and the permission to write; others
  ///   follow in the order of joining the list.
  public var participants: [CKShare.Participant] { shareState.participants }

  /// The owner of the share; in a new share the current user.
  public var owner: CKShare.Participant {
    if let owner = shareState.participants.first(where: { $0.state.isOwner }) { return owner }
    // Only a damaged cloud leads here: initialisers add an owner, and archives without one are refused.
    let nobody = CKUserIdentity(hasiCloudAccount: false)
    return CKShareParticipant(state: ParticipantState(userIdentity: nobody, role: .owner))
  }

  /// The entry of the current user; nil for a user that is not on the list.
  ///
  /// - Assumption: in the metadata of a public share it is nil for a user that has not joined.
  public var currentUserParticipant: CKShare.Participant? {
    shareState.participants.first { $0.state.isCurrentUser }
  }

  /// Adds a participant, or updates the permission and role of the same person's entry. Takes effect when the share is
  /// saved.
  ///
  /// Stops the process if ``publicPermission`` is not `.none`, if the participant is neither a private user nor an
  /// administrator, or if another share holds the object already.
  ///
  /// - Assumption: adding the owner again changes nothing.
  /// - Assumption: where Apple forbids to add a participant it is an exception; the server would answer `invalidArguments`.
  public func addParticipant(_ participant: CKShare.Participant) {
    let newcomer = participant.state
    withState { state in
      let shareID = state.recordID
      guard var share = state.shareState else { return }
      defer { state.shareState = share }
      guard share.publicPermission == .none else {
        raise("Participants cannot be added to a share whose publicPermission is not CKShareParticipantPermissionNone")
      }
      if let holder = participant.shareID, !holder.isEqual(shareID) {
        raise("The participant is already on another share; remove it from there first")
      }
      if let entry = share.participants.first(where: { $0.isEqual(participant) }) {
        if entry === participant || entry.state.isOwner { return }
        entry.permission = newcomer.permission
        entry.role = newcomer.role
        return
      }
      guard newcomer.role == .privateUser || newcomer.role == .administrator else {
        raise("Only private users and administrators can be added to a share")
      }
      participant.invite(to: shareID)
      share.participants.append(participant)
    }
  }

  /// Removes a participant. Takes effect when the share is saved.
  ///
  /// Stops the process if ``publicPermission`` is not `.none`, or if the person is the owner or not on the share.
  ///
  /// - Assumption: where Apple forbids to remove a participant it is an exception; the server would answer
  ///   `invalidArguments`.
  public func removeParticipant(_ participant: CKShare.Participant) {
    withShareState { share in
      guard share.publicPermission == .none else {
        raise(
          "Participants cannot be removed from a share whose publicPermission is not CKShareParticipantPermissionNone")
      }
      guard let index = share.participants.firstIndex(where: { $0.isEqual(participant) }) else {
        raise("The participant is not on this share")
      }
      if share.participants[index].state.isOwner { raise("The owner cannot be removed from a share") }
      share.participants.remove(at: index).detach()
      participant.detach()
    }
  }
}

extension ParticipantState {
  var isOwner: Bool { role == .owner }
}
