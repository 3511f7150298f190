import LocalCloudModel
import LocalCloudService

/// Computes how to save an imported share over an existing share or as a new one: the people that it invites, and the
/// parts that can't be restored.
///
/// People are invited again, by address or user record; an import cannot join for them ([share-join-1]). People that
/// joined by a public link and people that requested access cannot be put on a list by another person.
struct ShareImport {
  private(set) var save: ShareSave
  private(set) var isChanged: Bool
  private(set) var invited = 0
  private(set) var leftOut: [String] = []
  private let target: ZoneTarget

  init(_ share: PortableShare, _ present: ShareDetails?, _ target: ZoneTarget, _ policy: ImportPolicy) throws {
    self.target = target
    var details = present ?? ShareDetails()
    save = ShareSave(details)
    isChanged = present == nil
    if let permission = share.publicPermission { details.setPublicPermission(permission) }
    try invite(share.participants, &details, mayRemove: policy == .replace)
    try applyAccessRequests(share, &details)
    save = ShareSave(details)
    // The service refuses a change of the root.
    if present?.root != share.root { save.root = share.root }
    isChanged = isChanged || details != present || present?.root != share.root
  }

  // MARK: Participants

  private mutating func invite(_ people: [PortablePerson]?, _ details: inout ShareDetails, mayRemove: Bool) throws {
    guard let people else { return }
    var matched: Set<Int> = []
    var new: [Participant] = []
    for person in people {
      let identity = try known(person)
      let index = details.participants.indices.first { index in
        !matched.contains(index) && details.participants[index].isEntry(of: person, identity)
      }
      if let index {
        matched.insert(index)
        edit(&details.participants[index], person)
      } else if let participant = participant(person, identity, isPublic: details.publicPermission != .none) {
        new.append(participant)
      }
    }
    if mayRemove {
      let remaining = details.participants.enumerated().filter { $1.role == .owner || matched.contains($0) }
      details.participants = remaining.map(\.element)
    }
    details.participants += new
    invited += new.count
  }

  private func edit(_ entry: inout Participant, _ person: PortablePerson) {
    let named: Set<ParticipantRole> = [.privateUser, .administrator]
    if named.isSuperset(of: [entry.role, person.role]) { entry.role = person.role }
    // The share's public permission determines the permission of public users.
    if entry.role != .owner, entry.role != .publicUser { entry.permission = person.permission }
  }

  /// The participant to invite. Returns nil for a person that can't be invited; `leftOut` gets the reason, unless it is
  /// the caller.
  private mutating func participant(
    _ person: PortablePerson, _ identity: UserIdentity?, isPublic: Bool
  ) -> Participant? {
    let own = try? target.service.accounts.userRecordName(by: target.caller)
    if person.role == .owner {
      // The caller that imports a share owns it.
      if identity?.userRecordName == nil || identity?.userRecordName != own {
        leftOut.append("\(person.name) owned the share, and is not invited to this one")
      }
      return nil
    }
    if person.role == .publicUser {
      leftOut.append("\(person.name) came by the share's link, and has to use it again")
      return nil
    }
    guard let identity else {
      leftOut.append("\(person.name) has no account here, and can't be invited")
      return nil
    }
    if identity.userRecordName != nil, identity.userRecordName == own { return nil }
    if isPublic {
      leftOut.append("\(person.name) can't be invited to a share that is open to everybody with its link")
      return nil
    }
    return Participant(
      participantID: target.session.newRecordName().string, identity: identity, role: person.role,
      acceptance: .pending, permission: person.permission)
  }

  /// The person's identity in this cloud, looked up by address, account and user record, in this order. Nil if this
  /// cloud does not know the person. Empty for an entry without an identity: any person can take that entry.
  private func known(_ person: PortablePerson) throws -> UserIdentity? {
    if person.isNobody { return UserIdentity() }
    for lookup in lookups(person) {
      if let found = try? target.service.sharing.participants(for: [lookup], by: target.caller)[0].get() {
        return found.identity
      }
    }
    return nil
  }

  private func lookups(_ person: PortablePerson) -> [LookupInfo] {
    var lookups: [LookupInfo] = []
    switch person.identity.lookup {
    case .email, .phone: lookups.append(contentsOf: [person.identity.lookup].compactMap { $0 })
    case .userRecordName, nil: break
    }
    if let account = person.account, let found = try? target.service.accounts.account(account) {
      lookups.append(.userRecordName(found.userRecordName))
    }
    if case .userRecordName(let name)? = person.identity.lookup { lookups.append(.userRecordName(name)) }
    if let name = person.identity.userRecordName { lookups.append(.userRecordName(name)) }
    return lookups
  }

  // MARK: Requests for access

  private mutating func applyAccessRequests(_ share: PortableShare, _ details: inout ShareDetails) throws {
    if let allowed = share.areRequestsAllowed { details.accessRequests.areAllowed = allowed }
    for person in share.blocked ?? [] {
      guard let identity = try known(person), identity.hasAccount else {
        leftOut.append("\(person.name) has no account here, and can't be blocked")
        continue
      }
      if !details.accessRequests.blocked.contains(where: { $0.isSamePerson(as: identity) }) {
        details.accessRequests.blocked.append(identity)
      }
    }
    for person in share.requesters {
      let identity = try known(person)
      let lists = details.accessRequests.requesters + details.participants.map(\.identity)
      if let identity, lists.contains(where: { $0.isSamePerson(as: identity) }) { continue }
      leftOut.append("\(person.name) has to ask for access again")
    }
  }
}

extension Participant {
  fileprivate func isEntry(of person: PortablePerson, _ known: UserIdentity?) -> Bool {
    // A participant sees neither the addresses of others nor their one-time links. An entry without an identity
    // therefore matches any other one.
    if person.isNobody { return !identity.hasAccount && identity.lookup == nil }
    return known.map(identity.isSamePerson) ?? false
  }
}
