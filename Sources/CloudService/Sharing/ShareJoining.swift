import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Joining a share by a link, and requesting access to it.
struct ShareJoining {
  let change: ZoneChange
  let link: SharingService.Link

  private var transaction: ZoneTransaction { change.transaction }
  private var service: CloudService { change.service }
  private var account: Account { change.account }

  /// Accepts the share. Returns false if the account accepted it before; nothing changes then.
  func accept() throws -> Bool {
    guard var (stored, details) = try link.target(in: transaction) else { throw ServiceError.shareNotFound }
    var lostKey = false
    if var entry = details.entry(for: account, by: link.guid) {
      if entry.role == .owner {
        throw ServiceError.invalid("The owner participant tried to accept the share")
      }
      guard details.mayLookIn(entry) else {
        throw ServiceError(
          .permissionFailure, "The account \(account.name) has no permission for this share", internalCode: 2007,
          hint:
            "Who manages the share can change that: `localcloud share set LINK --participant WHO --permission readOnly`."
        )
      }
      if entry.acceptance == .accepted {
        lostKey = try service.sharing.hasLostKey(account, link.share, change.address, transaction)
        if !lostKey { return false }
      }
      entry.acceptance = .accepted
      entry.identity.userRecordName = account.userRecordName
      entry.identity.name = account.person
      if let index = details.participants.firstIndex(where: { $0.participantID == entry.participantID }) {
        details.participants[index] = entry
      }
    } else {
      details.participants.append(try newcomer(to: details))
    }
    details.accessRequests.requesters.removeAll { $0.isSamePerson(as: account.identity) }
    try receiveKey(stored)
    try change.shareAccess.put(details, of: &stored)
    try change.shareAccess.grant(link.share, to: account, at: transaction.sequence, isRejoining: lostKey)
    try change.planConsequences()
    return true
  }

  /// The entry of a public user: they join only by the link.
  private func newcomer(to details: ShareDetails) throws -> Participant {
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
    newcomer.added = change.stamp.timestamp
    return newcomer
  }

  /// Gives the account the share's key, if it has one: from the link, or from the owner's device.
  private func receiveKey(_ share: StoredRecord) throws {
    let keyPlan = change.keyPlan
    guard try keyPlan.hasKeys else { return }
    if let owner = try change.address.ownerAccount.flatMap(service.accountFiles.account(_:)) {
      keyPlan.keys.helper = PrivateKeyProvider(service, owner, link.caller.by(owner))
    }
    try keyPlan.join(link.share, by: link.guid, isForOne: share.shortGUID != link.guid, account)
  }

  /// The share in the view of the account that joined.
  func accepted() throws -> Record? {
    try transaction.record(link.share).map {
      try service.records.present($0, change.address, to: account, change.keyPlan.keys)
    }
  }

  /// Adds a request for access. Returns false if the request has no effect.
  func request() throws -> Bool {
    guard var (stored, details) = try link.target(in: transaction) else { return false }
    if details.entry(for: account) != nil {
      throw ServiceError(
        .participantAlreadyInvited, "The account \(account.name) is on the share's list already", internalCode: 2007)
    }
    let requests = details.accessRequests
    let person = account.contact
    guard requests.areAllowed, details.publicPermission == .none, !person.isAmong(requests.blocked),
      !person.isAmong(requests.requesters), requests.requesters.count < NameRules.maximumParticipants
    else { return false }
    details.accessRequests.requesters.append(person)
    try change.shareAccess.put(details, of: &stored)
    try change.planConsequences()
    return true
  }
}
