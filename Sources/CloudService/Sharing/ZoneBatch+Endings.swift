import CloudModel
import CloudStore
import Storage

/// Shares that end, and people who leave or are taken off.
extension ZoneBatch {
  /// The owner's way: nobody sees the records any more, and the data stays ([share-end-1]).
  func endShare(_ name: ExactName, deletingRoot: (ExactName) -> Bool) throws {
    guard let (stored, details) = try transaction.share(name) else { return }
    for participant in details.accepted {
      if let gone = try self.account(participant.identity.userRecordName) { try revoke(name, from: gone, details) }
    }
    removeLinks(of: stored, details)
    try keyPlan.exposeWhatOpens(name, details)
    try transaction.endLog(of: name)
    affectedShares.remove(name)
    if let root = details.root, !deletingRoot(root), var record = try transaction.record(root) {
      record.object["share"] = nil
      record.object["modified"] = stampValue
      try transaction.put(record)
    }
  }

  /// What people were sent leads nowhere from now on.
  ///
  /// - Assumption: when the root is shared again its old link works, in a private share only for people who were added
  ///   again.
  func removeLinks(of share: StoredRecord, _ details: ShareDetails) {
    for guid in details.links(of: share) { transaction.setFile(service.sharing.shareFile(guid), nil) }
  }

  /// A participant's way: they go, the share stays ([share-leave-1]).
  ///
  /// - Assumption: administrators, and people who may only read, leave by deleting the share or its root as others do.
  func leave(_ name: ExactName) throws {
    guard let (record, details) = try transaction.share(name) else { return }
    var stored = record
    guard details.participant(account.userRecordName)?.acceptance == .accepted else { return }
    try revoke(name, from: account, details)
    try keyPlan.leave(name, account)
    try put(details.leaving(account.userRecordName), of: &stored)
  }

  /// A share's record with another list, changed now.
  func put(_ details: ShareDetails, of share: inout StoredRecord) throws {
    share.apply(details)
    share.object["modified"] = stampValue
    try transaction.put(share)
  }

  /// Windows of those whom an edited list lets in no more, or anew.
  func followReaders(of share: ExactName, from before: ShareDetails, to after: ShareDetails) throws {
    func readers(_ details: ShareDetails) -> Set<String> {
      Set(details.joined.compactMap(\.identity.userRecordName))
    }
    for user in readers(before).subtracting(readers(after)).sorted() {
      if let gone = try account(user) { try revoke(share, from: gone, before) }
    }
    for user in readers(after).subtracting(readers(before)).sorted() {
      // The share itself is still to be written.
      if let raised = try account(user) { try grant(share, to: raised, at: transaction.sequence + 1) }
    }
  }

  /// Puts a share into an account's window. `isRejoining`: to the person the zone was gone.
  func grant(_ share: ExactName, to account: Account, at sequence: Int64, isRejoining: Bool = false) throws {
    let incarnation = "\(properties.incarnation)-\(sequence)"
    var window =
      try service.sharing.window(of: account.name, address, transaction)
      ?? SharedZonePointer(zone: address.identifier, ownerAccount: address.ownerAccount ?? "", incarnation: incarnation)
    if isRejoining { window.incarnation = incarnation }
    window.grants.removeAll { $0.share == share }
    window.grants.append(SharedZonePointer.Grant(share: share, sequence: sequence))
    transaction.setFile(service.sharing.windowPath(account.name, address), window.bytes)
    affectedAccounts.insert(account.name)
  }

  /// Takes a share out of an account's window.
  func revoke(_ share: ExactName, from account: Account, _ details: ShareDetails) throws {
    guard var window = try service.sharing.window(of: account.name, address, transaction),
      let grant = window.grants.first(where: { $0.share == share })
    else { return }
    affectedAccounts.insert(account.name)
    window.grants.removeAll { $0.share == share }
    if window.grants.isEmpty {
      transaction.setFile(service.sharing.windowPath(account.name, address), nil)
      return
    }
    // The share's log will not be read for this account any more: what had left it since they came in is told here, too.
    let view = transaction.view
    var records: [(name: ExactName, type: String)] = []
    for event in try view.events(of: share.loggedShare, after: 0, goneAfter: grant.sequence, limit: .max).list {
      switch event.kind {
      case .live: if let record = try view.record(event.record) { records.append((event.record, record.type)) }
      case .gone(let type): records.append((event.record, type))
      }
    }
    window.forgotten = try max(window.forgotten, view.forgotten(of: share.loggedShare))
    window.revoke(
      SharedZonePointer.Revocation(sequence: transaction.sequence + 1, records: records),
      horizon: transaction.sequence - transaction.zone.limits.retainedChanges)
    transaction.setFile(service.sharing.windowPath(account.name, address), window.bytes)
  }
}
