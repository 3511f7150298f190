import CloudStore

/// People who join a share, and who ask to.
extension ZoneBatch {
  func accept(_ link: CloudService.Link) throws {
    let name = link.share
    guard var stored = try transaction.record(name), try link.leads(to: stored) else {
      throw ServiceError.shareNotFound
    }
    var details = try ShareDetails(stored)
    if var entry = details.entry(for: account, by: link.guid) {
      if entry.role == .owner {
        throw ServiceError.invalid("The owner participant tried to accept the share")
      }
      if entry.acceptance == .accepted { return }
      entry.acceptance = .accepted
      entry.identity.userRecordName = account.userRecordName
      entry.identity.name = account.person
      if let place = details.participants.firstIndex(where: { $0.participantID == entry.participantID }) {
        details.participants[place] = entry
      }
    } else {
      guard details.publicPermission != .none else {
        throw ServiceError(
          .permissionFailure, "The account \(account.name) is not invited to this share", internalCode: 2007)
      }
      if details.participants.count > NameRules.maximumParticipants {
        throw ServiceError.tooManyParticipants
      }
      var newcomer = Participant(
        participantID: service.newIdentifier(), identity: account.identity, role: .publicUser, acceptance: .accepted,
        permission: details.publicPermission)
      newcomer.added = stamp.timestamp
      details.participants.append(newcomer)
    }
    details.accessRequests.requesters.removeAll { $0.isSamePerson(as: account.identity) }
    try put(details, of: &stored)
    var window =
      try service.window(of: account.name, address, transaction)
      ?? Window(
        zone: address.identifier, ownerAccount: address.ownerAccount ?? "",
        incarnation: "\(properties.incarnation)-\(transaction.sequence)")
    window.grants.append(Window.Grant(share: name, sequence: transaction.sequence))
    transaction.setFile(service.windowPath(account.name, address), window.bytes)
    affectedAccounts.insert(account.name)
    try finish()
  }

  func request(_ link: CloudService.Link) throws {
    guard var stored = try transaction.record(link.share), try link.leads(to: stored) else { return }
    var details = try ShareDetails(stored)
    if details.entry(for: account) != nil {
      throw ServiceError(
        .participantAlreadyInvited, "The account \(account.name) is on the share's list already", internalCode: 2007)
    }
    let requests = details.accessRequests
    let person = account.contact
    guard requests.areAllowed, details.publicPermission == .none, !person.isAmong(requests.blocked),
      !person.isAmong(requests.requesters), requests.requesters.count < NameRules.maximumParticipants
    else { return }
    details.accessRequests.requesters.append(person)
    try put(details, of: &stored)
    try finish()
  }

  private func put(_ details: ShareDetails, of share: inout StoredRecord) throws {
    share.apply(details)
    share.object["modified"] = stampValue
    try transaction.put(share)
  }

  private func finish() throws {
    try followMembership()
    try mention()
    try transaction.commit(service.patience(caller))
  }
}
