import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Changes of the access to a zone through its shares: granting, revoking and leaving, and the end of shares.
struct ShareAccess {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }
  private var sharing: SharingService { change.service.sharing }

  // MARK: Shares

  /// Ends a share, as its owner: all participants lose access, and the records stay ([share-end-1]).
  func end(_ name: ExactName, deletingRoot: (ExactName) -> Bool) throws {
    guard let (stored, details) = try transaction.share(name) else { return }
    for participant in details.accepted {
      if let gone = try change.account(participant.identity.userRecordName) { try revoke(name, from: gone, details) }
    }
    removeLinks(of: stored, details)
    try change.keyPlan.exposeWhatOpens(name, details)
    try transaction.endLog(of: name)
    change.affectedShares.remove(name)
    if let root = details.root, !deletingRoot(root), var record = try transaction.record(root) {
      record.object["share"] = nil
      record.object["modified"] = change.stampValue
      try transaction.put(record)
    }
  }

  /// Ends a share that is deleted with its zone; the zone's logs and keys are deleted as well.
  func endWithZone(_ name: ExactName) throws {
    guard let (stored, details) = try transaction.view.share(name) else { return }
    for participant in details.accepted {
      guard let account = try change.account(participant.identity.userRecordName),
        try sharing.pointer(of: account.name, change.address, transaction) != nil
      else { continue }
      transaction.setFile(sharing.pointerPath(account.name, change.address), nil)
      change.affectedAccounts.insert(account.name)
    }
    removeLinks(of: stored, details)
  }

  /// Removes the files of the share's links. The links no longer work from then on.
  ///
  /// - Assumption: when the root is shared again its old link works, in a private share only for people after they are
  ///   added again.
  private func removeLinks(of share: StoredRecord, _ details: ShareDetails) {
    for guid in details.links(of: share) { transaction.setFile(sharing.shareFile(guid), nil) }
  }

  /// The participant leaves the share; the share stays ([share-leave-1]).
  ///
  /// - Assumption: administrators, and participants with read access, leave by deleting the share or its root as others
  ///   do.
  func leave(_ name: ExactName) throws {
    guard let (record, details) = try transaction.share(name) else { return }
    var stored = record
    let account = change.account
    guard details.participant(account.userRecordName)?.acceptance == .accepted else { return }
    try revoke(name, from: account, details)
    try change.keyPlan.leave(name, account)
    try put(details.leaving(account.userRecordName), of: &stored)
  }

  /// Puts the share with new details into the transaction, with the stamp of this change.
  func put(_ details: ShareDetails, of share: inout StoredRecord) throws {
    share.apply(details)
    share.object["modified"] = change.stampValue
    try transaction.put(share)
  }

  // MARK: People

  /// Updates the pointers of participants that get or lose access by an edited list.
  func updatePointers(of share: ExactName, from before: ShareDetails, to after: ShareDetails) throws {
    func readers(_ details: ShareDetails) -> Set<String> {
      Set(details.joined.compactMap(\.identity.userRecordName))
    }
    for user in readers(before).subtracting(readers(after)).sorted() {
      if let gone = try change.account(user) { try revoke(share, from: gone, before) }
    }
    for user in readers(after).subtracting(readers(before)).sorted() {
      // The share is written after this, at the next sequence.
      if let raised = try change.account(user) { try grant(share, to: raised, at: transaction.sequence + 1) }
    }
  }

  /// Adds a share to an account's pointer to the zone. `isRejoining`: the account had lost the zone, so tokens from
  /// before expire.
  func grant(_ share: ExactName, to account: Account, at sequence: Int64, isRejoining: Bool = false) throws {
    let address = change.address
    let incarnation = "\(change.properties.incarnation)-\(sequence)"
    var pointer =
      try sharing.pointer(of: account.name, address, transaction)
      ?? SharedZonePointer(zone: address.identifier, ownerAccount: address.ownerAccount ?? "", incarnation: incarnation)
    if isRejoining { pointer.incarnation = incarnation }
    pointer.grants.removeAll { $0.share == share }
    pointer.grants.append(SharedZonePointer.Grant(share: share, sequence: sequence))
    transaction.setFile(sharing.pointerPath(account.name, address), pointer.bytes)
    change.affectedAccounts.insert(account.name)
  }

  /// Removes a share from an account's pointer to the zone.
  func revoke(_ share: ExactName, from account: Account, _ details: ShareDetails) throws {
    let path = sharing.pointerPath(account.name, change.address)
    guard var pointer = try sharing.pointer(of: account.name, change.address, transaction),
      let grant = pointer.grants.first(where: { $0.share == share })
    else { return }
    change.affectedAccounts.insert(account.name)
    pointer.grants.removeAll { $0.share == share }
    if pointer.grants.isEmpty {
      transaction.setFile(path, nil)
      return
    }
    // The share's log will no longer be read for this account, so the revocation also lists records that left the share
    // since the account accepted it.
    let view = transaction.view
    var records: [(name: ExactName, type: String)] = []
    for event in try view.events(of: share.loggedShare, after: 0, goneAfter: grant.sequence, limit: .max).list {
      switch event.kind {
      case .live: if let record = try view.record(event.record) { records.append((event.record, record.type)) }
      case .gone(let type): records.append((event.record, type))
      }
    }
    pointer.forgotten = try max(pointer.forgotten, view.forgotten(of: share.loggedShare))
    pointer.revoke(
      SharedZonePointer.Revocation(sequence: transaction.sequence + 1, records: records),
      horizon: transaction.sequence - transaction.zone.limits.retainedChanges)
    transaction.setFile(path, pointer.bytes)
  }
}

extension ZoneChange {
  var shareAccess: ShareAccess { ShareAccess(change: self) }
}
