import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Makes all data of a zone about shares consistent with the share records: roots, parents, the shares' logs, links and
/// pointers.
struct ShareRepair {
  private let service: CloudService
  private let transaction: ZoneTransaction
  private let address: ZoneAddress
  private(set) var done: [Problem] = []
  /// The types of deleted records.
  private lazy var lostTypes = Result { try readLostTypes() }

  init(_ service: CloudService, _ transaction: ZoneTransaction, _ address: ZoneAddress) {
    self.service = service
    self.transaction = transaction
    self.address = address
  }

  mutating func run() throws {
    let names = try transaction.view.allRecords()
    for name in names { try repairReferences(of: name) }
    let shares = try names.filter { try transaction.record($0)?.type == Record.shareType }
    for share in shares { try repairRoot(of: share) }
    try repairLogs(Set(shares))
    for share in shares { try repairPeople(of: share) }
    if address.isMentioned { transaction.mention(in: address.path.database, as: address.path.zone) }
  }

  private mutating func report(_ name: ExactName, _ text: String) {
    let path = transaction.zone.directory.path(of: "records/" + FileName.document(name.string))
    done.append(Problem(path: path, text: text))
  }

  private mutating func repairReferences(of name: ExactName) throws {
    guard var record = try transaction.record(name) else { return }
    var changes: [String] = []
    if let parent = record.parent, try transaction.record(parent) == nil {
      record.object["parent"] = nil
      changes.append("its parent '\(parent)' does not exist: it has none now")
    }
    if let share = record.share, try transaction.record(share)?.type != Record.shareType {
      record.object["share"] = nil
      changes.append("its share '\(share)' does not exist: it is no root now")
    }
    guard !changes.isEmpty else { return }
    try transaction.put(record)
    for change in changes { report(name, change) }
  }

  private mutating func repairRoot(of share: ExactName) throws {
    guard let stored = try transaction.record(share), let details = try? ShareDetails(stored), let root = details.root,
      var record = try transaction.record(root), record.share != share, record.share == nil
    else { return }
    record.object["share"] = ["recordName": .string(share.string), "zoneID": .object(address.identifier.object)]
    try transaction.put(record)
    report(root, "it is the root of '\(share)' again")
  }

  /// Makes each share's log list exactly the records in its tree, with each of their changes.
  private mutating func repairLogs(_ shares: Set<ExactName>) throws {
    let membership = try Membership(transaction)
    var trees: [ExactName: Set<ExactName>] = [:]
    for name in try transaction.view.allRecords() {
      if let share = try membership.share(of: name)?.loggedShare { trees[share, default: []].insert(name) }
    }
    let differences = try transaction.view.shareLogDifferences()
    for share in try shares.union(transaction.view.loggedShares()).sorted() {
      guard shares.contains(share), !share.isZoneWideShare else {
        try transaction.endLog(of: share)
        report(
          share,
          shares.contains(share)
            ? "its log is gone: a zone's share has none" : "its log is gone, as the share is")
        continue
      }
      let (members, logged) = (trees[share] ?? [], Set(try transaction.members(of: share)))
      let untold = differences[share] ?? []
      let inside = members.filter { !logged.contains($0) || untold.contains($0) || transaction.changes($0) }
      let outside = logged.union(untold).subtracting(members)
      if inside.isEmpty, outside.isEmpty { continue }
      for name in inside.sorted() { try log(.inside, name, in: share) }
      for name in outside.sorted() { try log(.outside, name, in: share) }
      report(share, "its log was brought up to its records")
    }
  }

  /// Logs a record in a share's log, together with a line in the zone's log, so that both logs agree ([log-13]).
  private mutating func log(_ kind: ShareLine.Kind, _ name: ExactName, in share: ExactName) throws {
    let record = try transaction.record(name)
    let type = try record?.type ?? lostTypes.get()[name] ?? ""
    if let record { transaction.advance(record) } else { transaction.recordLoss(of: name, type: type) }
    transaction.annotate(
      name, shareBefore: kind == .outside ? share : nil, shareAfter: kind == .inside ? share : nil)
    try transaction.log(kind, name, type: type, in: share)
  }

  private func readLostTypes() throws -> [ExactName: String] {
    var result: [ExactName: String] = [:]
    for event in try transaction.view.events(of: nil, after: 0, limit: .max).list {
      if case .gone(let type) = event.kind { result[event.record] = type }
    }
    return result
  }

  /// Restores the files of the share's links, and the pointers of participants that accepted.
  private mutating func repairPeople(of share: ExactName) throws {
    guard let stored = try transaction.record(share), let details = try? ShareDetails(stored) else { return }
    for guid in details.links(of: stored) {
      let contents = service.sharing.shareFileContents(stored, guid, address)
      if try transaction.file(service.sharing.shareFile(guid)) != contents {
        transaction.setFile(service.sharing.shareFile(guid), contents)
        report(share, "its link was made anew")
      }
    }
    for participant in details.joined {
      guard let user = participant.identity.userRecordName,
        let account = try service.repairs.readableAccount(user)
      else { continue }
      let path = service.sharing.pointerPath(account.name, address)
      transaction.mention(
        in: address.path.database.beside(.shared, of: account.name), as: address.path.zone,
        owner: address.identifier.owner.map { ExactName($0) })
      let present: SharedZonePointer?
      do { present = try service.sharing.pointer(of: account.name, address, transaction) } catch {
        // An unreadable pointer must not be overwritten.
        if let error = error as? SystemError, error.isStopped || error.leavesUnread { throw error }
        present = nil
      }
      if present?.grants.contains(where: { $0.share == share }) == true { continue }
      var pointer =
        present
        ?? SharedZonePointer(
          zone: address.identifier, ownerAccount: address.ownerAccount ?? "",
          incarnation: "\(service.newIdentifier(4))-\(transaction.sequence)")
      pointer.grants.append(SharedZonePointer.Grant(share: share, sequence: transaction.sequence))
      transaction.setFile(path, pointer.bytes)
      report(share, "\(account.name)'s pointer to it was made anew")
    }
  }
}
