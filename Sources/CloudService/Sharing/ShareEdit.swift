import LocalCloudModel

/// Computes a share from an edited copy that the owner or an administrator saves: its list of participants, matched
/// against the present one ([share-public-1], [share-list-3]), and its requests for access ([share-request-4]).
///
/// - Assumption: an administrator has the owner's rights to the list, the title and the other fields, and may make
///   others administrators; only the owner's own entry can't be changed.
struct ShareEdit {
  let service: CloudService
  let present: ShareDetails
  let wanted: ShareSave
  /// Milliseconds since 1970.
  let time: Int64

  /// The result for a new share; `owner` is the entry of its creator.
  func first(owner: Participant) throws -> ShareDetails {
    var owner = owner
    owner.added = time
    return try result(owner: owner)
  }

  /// The result for an existing share.
  ///
  /// - Assumption: a share stays after all participants were removed, with its owner as the only entry.
  func result() throws -> ShareDetails {
    guard wanted.participants.contains(where: { $0.role == .owner }) else {
      throw ServiceError.invalid("The owner can't be removed from a share")
    }
    return try result(owner: present.participants.first { $0.role == .owner })
  }

  private func result(owner: Participant?) throws -> ShareDetails {
    guard wanted.publicPermission != .unknown else {
      throw ServiceError.invalid("A share's public permission can't be unknown")
    }
    guard wanted.hasDistinctEntries else {
      throw ServiceError.invalid("Two participants of a share have the same ID")
    }
    var base = present
    base.setPublicPermission(wanted.publicPermission)
    var result = base
    result.participants = []
    // A removed participant may be invited again in the same save ([share-list-5]).
    let kept = base.participants.filter { entry in
      wanted.participants.contains { $0.participantID == entry.participantID }
    }
    for participant in wanted.participants {
      let isSameEntry = { (entry: Participant) in entry.participantID == participant.participantID }
      if let entry = base.participants.first(where: isSameEntry) {
        result.participants.append(try edited(entry, participant))
      } else if participant.acceptance == .unknown || !present.participants.contains(where: isSameEntry) {
        result.participants.append(try invited(participant, by: owner, beside: kept + result.participants))
      }
    }
    if let owner {
      result.participants.removeAll { $0.role == .owner }
      result.participants.insert(owner, at: 0)
    }
    try applyRequests(&result)
    if result.participants.count > NameRules.maximumParticipants + 1 { throw ServiceError.tooManyParticipants }
    return result
  }

  // MARK: The list

  private func edited(_ entry: Participant, _ wanted: Participant) throws -> Participant {
    var entry = entry
    guard entry.role != .owner else { return entry }
    if wanted.role != .unknown, wanted.role != entry.role {
      let named: Set<ParticipantRole> = [.privateUser, .administrator]
      guard named.isSuperset(of: [entry.role, wanted.role]) else {
        throw ServiceError.invalid("The role of a participant can't be changed to \(wanted.role.rawValue)")
      }
      entry.role = wanted.role
    }
    try checkPermission(of: wanted)
    // A change of the public permission sets the permission of public users.
    let isSetForAll = entry.role == .publicUser && self.wanted.publicPermission != present.publicPermission
    if !isSetForAll { entry.permission = wanted.permission }
    return entry
  }

  private func checkPermission(of participant: Participant) throws {
    guard participant.permission != .unknown else {
      throw ServiceError.invalid("A participant's permission can't be unknown")
    }
  }

  private func invited(
    _ wanted: Participant, by owner: Participant?, beside known: [Participant]
  ) throws -> Participant {
    var entry = wanted
    switch wanted.role {
    case .owner:
      // The owner was looked up and added to the list: the owner's entry doesn't change.
      if wanted.participantID == owner?.participantID { return entry }
      if let owner, wanted.identity.isSamePerson(as: owner.identity) { return entry }
      throw ServiceError.invalid("A share has one owner")
    case .publicUser: throw ServiceError.invalid("Public users join by themselves")
    case .privateUser, .unknown: entry.role = .privateUser
    case .administrator: break
    }
    guard self.wanted.publicPermission == .none else {
      throw ServiceError.invalid("Participants can't be added to a share with a public permission")
    }
    try checkPermission(of: wanted)
    entry.acceptance = .pending
    entry.added = time
    entry.isApprovedRequester = false
    let named = entry.identity.lookup ?? entry.identity.userRecordName.map(LookupInfo.userRecordName)
    guard let lookup = try named.map(service.accounts.normalized) else {
      entry.identity = UserIdentity()
      entry.shortGUID = service.newShortGUID()
      return entry
    }
    let match = try service.accounts.account(matching: lookup)
    entry.identity = UserIdentity(userRecordName: match?.userRecordName, name: match?.person, lookup: lookup)
    entry.shortGUID = nil
    if known.contains(where: { $0.identity.isSamePerson(as: entry.identity) }) {
      throw ServiceError.invalid("The person is on the share's list already")
    }
    entry.isApprovedRequester = present.accessRequests.requesters.contains { $0.isSamePerson(as: entry.identity) }
    return entry
  }

  // MARK: Requests for access

  /// Applies the edited requests for access. Blocking a person also removes them from the list; a person on the list is
  /// no longer a requester.
  ///
  /// - Assumption: a blocked person may still be invited; their own requests stay blocked.
  private func applyRequests(_ result: inout ShareDetails) throws {
    if let wanted = wanted.accessRequests {
      let before = present.accessRequests
      result.accessRequests.areAllowed = wanted.areAllowed
      result.accessRequests.requesters = before.requesters.filter { $0.isAmong(wanted.requesters) }
      guard wanted.requesters.allSatisfy({ $0.isAmong(before.requesters) }) else {
        throw ServiceError.invalid("Only the people themselves can ask for access")
      }
      let newlyBlocked = try wanted.blocked.filter { !$0.isAmong(before.blocked) }.map(known)
      result.accessRequests.blocked = before.blocked.filter { $0.isAmong(wanted.blocked) } + newlyBlocked
      result.accessRequests.requesters.removeAll { $0.isAmong(newlyBlocked) }
      result.participants.removeAll { $0.identity.isAmong(newlyBlocked) }
    }
    let list = result.participants.map(\.identity)
    result.accessRequests.requesters.removeAll { $0.isAmong(list) }
  }

  /// The identity to be blocked, completed from the share or the accounts.
  private func known(_ person: UserIdentity) throws -> UserIdentity {
    let owner = present.participants.first { $0.role == .owner }?.identity
    if let owner, person.isSamePerson(as: owner) { throw ServiceError.invalid("The owner can't be blocked") }
    let people = present.accessRequests.requesters + present.participants.map(\.identity)
    if let known = people.first(where: { $0.isSamePerson(as: person) }) { return known }
    guard let lookup = person.lookup ?? person.userRecordName.map(LookupInfo.userRecordName),
      let account = try service.accounts.account(matching: lookup)
    else { throw ServiceError.invalid("Only people who asked for access can be blocked") }
    return account.contact
  }
}

extension UserIdentity {
  func isAmong(_ people: [UserIdentity]) -> Bool { people.contains { isSamePerson(as: $0) } }
}
