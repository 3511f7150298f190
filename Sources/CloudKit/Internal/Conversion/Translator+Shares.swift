import Foundation
import LocalCloudModel
import LocalCloudStorage

extension Translator {
  // MARK: From the service

  func shareState(_ details: ShareDetails, shareID: CKRecordID) throws(ServiceError) -> ShareState {
    let root = try details.root.map { (name) throws(ServiceError) in try recordID(name, in: shareID.zoneID) }
    var state = ShareState(
      rootRecordID: root, publicPermission: permission(details.publicPermission),
      participants: details.participants.map { entry in
        var state = participant(entry)
        state.oneTimeURL = details.oneTimeURL(of: entry).flatMap(URL.init(string:))
        return CKShareParticipant(state: state)
      },
      url: details.url.flatMap(URL.init(string:)))
    let requests = details.accessRequests
    state.allowsAccessRequests = requests.areAllowed
    state.requesters = requests.requesters.map { CKShareAccessRequester(userIdentity: identity($0)) }
    state.blockedIdentities = requests.blocked.map { CKShareBlockedIdentity(userIdentity: identity($0)) }
    return state
  }

  func participant(_ participant: Participant) -> ParticipantState {
    var state = ParticipantState(
      participantID: participant.participantID, userIdentity: identity(participant.identity),
      role: role(participant.role), permission: permission(participant.permission),
      acceptanceStatus: status(participant.acceptance),
      isCurrentUser: ownName != nil && participant.identity.userRecordName == ownName)
    state.isApprovedRequester = participant.isApprovedRequester
    state.dateAddedToShare = participant.added.map { Date(milliseconds: $0) }
    return state
  }

  func identity(_ identity: UserIdentity) -> CKUserIdentity {
    CKUserIdentity(
      userRecordID: identity.userRecordName.flatMap(userRecordID), lookupInfo: identity.lookup.flatMap(lookupInfo),
      nameComponents: identity.name.flatMap(PersonNameComponents.init), hasiCloudAccount: identity.hasAccount)
  }

  private func lookupInfo(_ lookup: LookupInfo) -> CKUserIdentityLookupInfo? {
    switch lookup {
    case .email(let email): CKUserIdentityLookupInfo(emailAddress: email)
    case .phone(let phone): CKUserIdentityLookupInfo(phoneNumber: phone)
    case .userRecordName(let name): userRecordID(name).map(CKUserIdentityLookupInfo.init(userRecordID:))
    }
  }

  package func metadata(_ metadata: ShareMetadata) throws(ServiceError) -> CKShareMetadata {
    let root = try metadata.root.map { (root) throws(ServiceError) in try recordID(root) }
    let rootRecord = try metadata.rootRecord.map { (root) throws(ServiceError) in try record(root) }
    return CKShareMetadata(
      containerIdentifier: metadata.container, share: try share(metadata.share),
      acceptanceURL: metadata.link.flatMap(URL.init(string:)), hierarchicalRootRecordID: root,
      rootRecord: rootRecord, participantRole: role(metadata.role), participantStatus: status(metadata.status),
      participantPermission: permission(metadata.permission), ownerIdentity: identity(metadata.owner))
  }

  // MARK: To the service

  func share(_ share: ShareState, isNew: Bool) -> ShareSave {
    ShareSave(
      root: isNew ? share.rootRecordID.map { ExactName($0.recordName) } : nil,
      publicPermission: SharePermission(number: share.publicPermission.rawValue) ?? .unknown,
      participants: share.participants.map { serviceParticipant($0.state) },
      accessRequests: accessRequests(share))
  }

  private func accessRequests(_ share: ShareState) -> AccessRequests {
    var requests = AccessRequests()
    requests.areAllowed = share.allowsAccessRequests
    requests.requesters = share.requesters.map { serviceIdentity($0.userIdentity) }
    requests.blocked = share.blockedIdentities.map { serviceIdentity($0.userIdentity) }
    return requests
  }

  private func serviceParticipant(_ state: ParticipantState) -> Participant {
    Participant(
      participantID: state.participantID,
      identity: serviceIdentity(state.userIdentity),
      role: ParticipantRole(number: state.role.rawValue) ?? .unknown,
      acceptance: AcceptanceStatus(number: state.acceptanceStatus.rawValue) ?? .unknown,
      permission: SharePermission(number: state.permission.rawValue) ?? .unknown)
  }

  private func serviceIdentity(_ identity: CKUserIdentity) -> UserIdentity {
    UserIdentity(
      userRecordName: identity.userRecordID.map { serviceUserName($0.recordName) },
      lookup: identity.lookupInfo.flatMap(serviceLookup))
  }

  func serviceLookup(_ info: CKUserIdentityLookupInfo) -> LookupInfo? {
    if let email = info.emailAddress { return .email(email) }
    if let phone = info.phoneNumber { return .phone(phone) }
    return info.userRecordID.map { .userRecordName(serviceUserName($0.recordName)) }
  }

  // MARK: Apple's numbers

  private func permission(_ permission: SharePermission) -> CKShare.ParticipantPermission {
    CKShare.ParticipantPermission(rawValue: permission.number) ?? .unknown
  }

  private func role(_ role: ParticipantRole) -> CKShare.ParticipantRole {
    CKShare.ParticipantRole(rawValue: role.number) ?? .unknown
  }

  private func status(_ status: AcceptanceStatus) -> CKShare.ParticipantAcceptanceStatus {
    CKShare.ParticipantAcceptanceStatus(rawValue: status.number) ?? .unknown
  }
}

extension PersonNameComponents {
  /// Nil if no part of the name is known.
  fileprivate init?(_ name: PersonName) {
    guard name != PersonName() else { return nil }
    self.init()
    givenName = name.given
    familyName = name.family
    middleName = name.middle
    namePrefix = name.prefix
    nameSuffix = name.suffix
    nickname = name.nickname
  }
}
