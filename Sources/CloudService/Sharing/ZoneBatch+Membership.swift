import CloudModel
import CloudStore
import Storage

/// After the records: the shares' own logs, the links' files, and who is to be told.
extension ZoneBatch {
  /// One line in a share's log for every record that entered, left or changed inside it.
  func followMembership() throws {
    var moved: [ExactName] = []
    let after = try Membership(transaction)
    for name in changedNames() {
      let (from, to) = (try before.share(of: name), try after.share(of: name))
      if from == nil, to == nil { continue }
      let type = try (transaction.record(name) ?? transaction.view.record(name))?.type ?? ""
      transaction.annotate(name, shareBefore: from?.loggedShare, shareAfter: to?.loggedShare)
      try log(name, type, from: from, to: to)
      if from?.loggedShare != to?.loggedShare, try transaction.record(name) != nil { moved.append(name) }
    }
    for name in moved { try followSubtree(name, after) }
    for save in saves where save.request.type == Record.shareType {
      guard case .success(let record) = save.result, let guid = record.shortGUID else { continue }
      try followLinks(of: record, before: save.stored)
      if record.name.isZoneWideShare, properties.shortGUID != guid {
        var properties = properties
        properties.shortGUID = guid
        transaction.setFile(.zoneProperties, properties.bytes)
      }
    }
  }

  /// A file for every link that leads to the share: its own, and those for one person.
  private func followLinks(of share: StoredRecord, before stored: StoredRecord?) throws {
    func links(_ share: StoredRecord) throws -> Set<String> {
      Set(try ShareDetails(share, in: transaction).links(of: share))
    }
    let (before, after) = (try stored.map(links) ?? [], try links(share))
    for guid in before.subtracting(after).sorted() { transaction.setFile(service.sharing.shareFile(guid), nil) }
    for guid in after.subtracting(before).sorted() {
      transaction.setFile(service.sharing.shareFile(guid), service.sharing.shareFileContents(share, guid, address))
    }
  }

  private func changedNames() -> [ExactName] {
    transaction.changedRecords.filter { !transaction.isTouchedOnly($0) }
  }

  private func log(_ name: ExactName, _ type: String, from: ExactName?, to: ExactName?) throws {
    if let from, from != to, try transaction.record(from) != nil {
      if let share = from.loggedShare { try transaction.log(.outside, name, type: type, in: share) }
      affectedShares.insert(from)
    }
    if let to {
      affectedShares.insert(to)
      guard let to = to.loggedShare else { return }
      if try transaction.record(name) == nil {
        try transaction.log(.outside, name, type: type, in: to)
      } else {
        try transaction.log(.inside, name, type: type, in: to)
      }
    }
  }

  /// Records below one that moved: they did not change, but who sees them did.
  private func followSubtree(_ root: ExactName, _ after: Membership) throws {
    for name in try after.subtree(of: root).dropFirst() {
      guard !transaction.changes(name) || transaction.isTouchedOnly(name), let record = try transaction.record(name)
      else {
        continue
      }
      let (from, to) = (try before.share(of: name), try after.share(of: name))
      guard from != to else { continue }
      transaction.advance(record)
      transaction.annotate(name, shareBefore: from, shareAfter: to)
      try log(name, record.type, from: from, to: to)
    }
  }

  /// Says in the databases' logs that this zone changed: the owner's, and those of everybody who sees a change.
  func mention() throws {
    guard !transaction.isEmpty, address.isMentioned, address.role != .publicUser else { return }
    transaction.mention(in: address.path.database, as: address.path.zone)
    var accounts = affectedAccounts
    for share in affectedShares.sorted() {
      guard let found = try transaction.share(share) ?? transaction.view.share(share) else { continue }
      for participant in found.details.joined {
        if let account = try self.account(participant.identity.userRecordName) { accounts.insert(account.name) }
      }
    }
    viewers = accounts
    for account in accounts.sorted() {
      transaction.mention(
        in: address.path.database.beside(.shared, of: account), as: address.path.zone,
        owner: address.identifier.owner.map { ExactName($0) })
    }
  }
}
