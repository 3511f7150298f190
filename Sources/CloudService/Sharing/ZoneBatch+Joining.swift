import CloudModel
import CloudStore
import Storage

/// People who join a share, and who ask to.
extension ZoneBatch {
  func accept(_ link: SharingService.Link) throws {
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
        lostKey = try service.sharing.hasLostKey(account, link.share, address, transaction)
        if !lostKey { return }
      }
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
    try receiveKey(link, stored)
    try put(details, of: &stored)
    try grant(link.share, to: account, at: transaction.sequence, isRejoining: lostKey)
    try finish()
  }

  /// The share as who joined sees it.
  func accepted(_ share: ExactName) throws -> Record? {
    try transaction.record(share).map { try service.records.present($0, address, to: account, keyPlan.keys) }
  }

  /// The share's key, where it has one: by the link, or from the owner's device.
  private func receiveKey(_ link: SharingService.Link, _ share: StoredRecord) throws {
    guard try keyPlan.hasKeys else { return }
    if let owner = try address.ownerAccount.flatMap(service.accountFiles.account(_:)) {
      keyPlan.keys.helper = PrivateKeyProvider(service, owner, link.caller.by(owner))
    }
    try keyPlan.join(link.share, by: link.guid, isForOne: share.shortGUID != link.guid, account)
  }

  func request(_ link: SharingService.Link) throws {
    guard var (stored, details) = try link.target(in: transaction) else { return }
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

  private func finish() throws {
    isWritten = true
    try followMembership()
    try followKeys()
    try mention()
    try planPushes()
    try transaction.commit(service.patience(caller))
  }
}
