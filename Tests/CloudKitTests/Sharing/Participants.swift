import CloudKit

/// A participant as a lookup by e-mail address returns it.
func participant(
  _ emailAddress: String, role: CKShare.ParticipantRole = .privateUser,
  status: CKShare.ParticipantAcceptanceStatus = .unknown, permission: CKShare.ParticipantPermission = .readOnly
) -> CKShare.Participant {
  let identity = CKUserIdentity(
    lookupInfo: CKUserIdentity.LookupInfo(emailAddress: emailAddress), hasiCloudAccount: false)
  return CKShareParticipant(
    state: ParticipantState(userIdentity: identity, role: role, permission: permission, acceptanceStatus: status))
}

/// A hierarchical share with these participants and its owner.
func share(with people: [CKShare.Participant], publicPermission: CKShare.ParticipantPermission = .none) -> CKShare {
  var state = CKShare(rootRecord: savedRecord()).state
  state.shareState?.participants += people
  state.shareState?.publicPermission = publicPermission
  return CKShare(state: state)
}
