import Foundation

/// Access requests, blocked users, and one-time links.
extension CKShare {
  /// A user that requests access; the class is `CKShareAccessRequester` because nested classes cannot be archived on
  /// Linux.
  public typealias AccessRequester = CKShareAccessRequester

  /// A user that may not request access; the class is `CKShareBlockedIdentity` because nested classes cannot be
  /// archived on Linux.
  public typealias BlockedIdentity = CKShareBlockedIdentity

  /// The one-time link of an entry made by `Participant.oneTimeURLParticipant()`. The first user of the link becomes
  /// that participant; from then on the link works like ``url``. Nil before the share is saved, for other entries, and
  /// for users that are neither the owner nor an administrator.
  ///
  /// - Assumption: only the owner and administrators see these links.
  @discardableResult
  public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
    shareState.participants.first { $0.participantID == participantID }?.state.oneTimeURL
  }

  /// Whether users that are not invited may request access. The default is false. Takes effect when the share is saved.
  ///
  /// Setting it stops the process unless the current user is the owner or an administrator.
  public var allowsAccessRequests: Bool {
    get { shareState.allowsAccessRequests }
    set {
      withManagedShareState { $0.allowsAccessRequests = newValue }
    }
  }

  /// The users that request access. To grant a request, look up the `participantLookupInfo`, add the participant and
  /// save.
  ///
  /// Empty unless the current user is the owner or an administrator.
  public var requesters: [CKShare.AccessRequester] { shareState.requesters }

  /// The users that may not request access. Empty unless the current user is the owner or an administrator.
  public var blockedIdentities: [CKShare.BlockedIdentity] { shareState.blockedIdentities }

  /// Removes users from ``requesters``. They may request access again. Takes effect when the share is saved.
  ///
  /// Stops the process unless the current user is the owner or an administrator.
  public func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
    withManagedShareState { $0.requesters.removeAll { asked in requesters.contains { $0.isEqual(asked) } } }
  }

  /// Removes users from ``requesters`` and ``participants`` and blocks further requests. Takes effect when the share is
  /// saved.
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

  /// Lets blocked users request access again. Takes effect when the share is saved.
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
