import Foundation

/// People who ask to be let in, and links for one person.
extension CKShare {
  /// Somebody who asks for access; the class is `CKShareAccessRequester` because nested classes cannot be archived on
  /// Linux.
  public typealias AccessRequester = CKShareAccessRequester

  /// Somebody who may not ask; the class is `CKShareBlockedIdentity` because nested classes cannot be archived on Linux.
  public typealias BlockedIdentity = CKShareBlockedIdentity

  /// The link for an entry made by `Participant.oneTimeURLParticipant()`: whoever uses it first becomes that
  /// participant, and from then on it is like ``url``. Nil before the share is saved, for other entries, and for
  /// whoever manages the share neither as its owner nor as an administrator.
  ///
  /// - Assumption: only the owner and administrators see these links.
  @discardableResult
  public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
    shareState.participants.first { $0.participantID == participantID }?.state.oneTimeURL
  }

  /// Whether people who are not invited may ask for access; at first false. Takes effect when the share is saved.
  ///
  /// Setting it stops the process unless the current user is the owner or an administrator.
  public var allowsAccessRequests: Bool {
    get { shareState.allowsAccessRequests }
    set {
      withManagedShareState { $0.allowsAccessRequests = newValue }
    }
  }

  /// People who ask for access. To let one in, look up the `participantLookupInfo`, add the participant and save.
  ///
  /// Empty for everybody but the owner and administrators.
  public var requesters: [CKShare.AccessRequester] { shareState.requesters }

  /// People who may not ask for access. Empty for everybody but the owner and administrators.
  public var blockedIdentities: [CKShare.BlockedIdentity] { shareState.blockedIdentities }

  /// Takes people off ``requesters``. They may ask again. Takes effect when the share is saved.
  ///
  /// Stops the process unless the current user is the owner or an administrator.
  public func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
    withManagedShareState { $0.requesters.removeAll { asked in requesters.contains { $0.isEqual(asked) } } }
  }

  /// Takes people off ``requesters`` and ``participants`` and lets them ask no more. Takes effect when the share is saved.
  ///
  /// Stops the process unless the current user is the owner or an administrator.
  public func blockRequesters(_ requesters: [CKShare.AccessRequester]) {
    withManagedShareState { share in
      for person in requesters.map(\.userIdentity) {
        share.requesters.removeAll { $0.userIdentity.isSamePerson(as: person) }
        for gone in share.participants where !gone.state.isOwner && gone.userIdentity.isSamePerson(as: person) {
          gone.detach()
          share.participants.removeAll { $0 === gone }
        }
        let blocked = CKShareBlockedIdentity(userIdentity: person)
        if !share.blockedIdentities.contains(where: { $0.isEqual(blocked) }) { share.blockedIdentities.append(blocked) }
      }
    }
  }

  /// Lets people ask again. Takes effect when the share is saved.
  ///
  /// Stops the process unless the current user is the owner or an administrator.
  public func unblockIdentities(_ blockedIdentities: [CKShare.BlockedIdentity]) {
    withManagedShareState {
      $0.blockedIdentities.removeAll { blocked in blockedIdentities.contains { $0.isEqual(blocked) } }
    }
  }

  private func withManagedShareState(_ body: (inout ShareState) -> Void) {
    withShareState { share in
      let role = share.participants.first { $0.state.isCurrentUser }?.role
      guard role == .owner || role == .administrator else {
        raise("Only the owner or an administrator of a share can handle requests for access")
      }
      body(&share)
    }
  }
}
