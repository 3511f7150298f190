import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The consequences of changed records for shares: lines in the shares' logs, and the files of their links.
struct MembershipChanges {
  private let change: ZoneChange
  private let after: Membership

  /// Create it after all records are in the transaction.
  init(_ change: ZoneChange) throws {
    self.change = change
    after = try Membership(change.transaction)
  }

  private var transaction: ZoneTransaction { change.transaction }

  /// Logs each record that entered or left a share or changed inside it, and updates the files of changed shares'
  /// links.
  func write() throws {
    var (moved, shares): ([ExactName], [StoredRecord]) = ([], [])
    for name in transaction.changedRecords where !transaction.isTouchedOnly(name) {
      let (from, to) = (try change.before.share(of: name), try after.share(of: name))
      if from == nil, to == nil { continue }
      let record = try transaction.record(name)
      let type = try (record ?? transaction.view.record(name))?.type ?? ""
      transaction.annotate(name, shareBefore: from?.loggedShare, shareAfter: to?.loggedShare)
      try log(name, type, from: from, to: to)
      guard let record else { continue }
      if from?.loggedShare != to?.loggedShare { moved.append(name) }
      // A share's own record is in the share.
      if type == Record.shareType { shares.append(record) }
    }
    for name in moved { try logSubtree(name) }
    for share in shares { try updateLinkFiles(of: share) }
  }

  /// Updates the files of the links that lead to the share: its own link, and those for one person.
  private func updateLinkFiles(of share: StoredRecord) throws {
    guard let own = share.shortGUID else { return }
    func links(_ share: StoredRecord) throws -> Set<String> {
      Set(try ShareDetails(share, in: transaction).links(of: share))
    }
    let sharing = change.service.sharing
    let (before, after) = (try transaction.view.record(share.name).map(links) ?? [], try links(share))
    for guid in before.subtracting(after).sorted() { transaction.setFile(sharing.shareFile(guid), nil) }
    for guid in after.subtracting(before).sorted() {
      transaction.setFile(sharing.shareFile(guid), sharing.shareFileContents(share, guid, change.address))
    }
    if share.name.isZoneWideShare, change.properties.shortGUID != own {
      var properties = change.properties
      properties.shortGUID = own
      transaction.setFile(.zoneProperties, properties.bytes)
    }
  }

  private func log(_ name: ExactName, _ type: String, from: ExactName?, to: ExactName?) throws {
    if let from, from != to, try transaction.record(from) != nil {
      if let share = from.loggedShare { try transaction.log(.outside, name, type: type, in: share) }
      change.affectedShares.insert(from)
    }
    if let to {
      change.affectedShares.insert(to)
      guard let to = to.loggedShare else { return }
      let isThere = try transaction.record(name) != nil
      try transaction.log(isThere ? .inside : .outside, name, type: type, in: to)
    }
  }

  /// Logs the descendants of a moved record that are in another share now, although they did not change themselves.
  private func logSubtree(_ root: ExactName) throws {
    for name in try after.subtree(of: root).dropFirst() {
      guard !transaction.changes(name) || transaction.isTouchedOnly(name), let record = try transaction.record(name)
      else { continue }
      let (from, to) = (try change.before.share(of: name), try after.share(of: name))
      guard from != to else { continue }
      transaction.advance(record)
      transaction.annotate(name, shareBefore: from, shareAfter: to)
      try log(name, record.type, from: from, to: to)
    }
  }
}
