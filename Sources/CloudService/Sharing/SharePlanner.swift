import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Plans the saves of shares, new and edited, and refuses records that would move a share into another one.
struct SharePlanner {
  let change: ZoneChange

  private var account: Account { change.account }
  private var address: ZoneAddress { change.address }
  private var service: CloudService { change.service }
  private var transaction: ZoneTransaction { change.transaction }

  func planShares(_ plan: inout ModifyRecordsPlan) throws {
    for index in plan.saves.indices where plan.saves[index].request.type == Record.shareType {
      guard case .success(let record) = plan.saves[index].result else { continue }
      do {
        plan.saves[index].result = .success(
          plan.saves[index].stored == nil
            ? try newShare(record, plan.saves[index].request, &plan)
            : try editedShare(record, plan.saves[index].request))
      } catch let error as ServiceError {
        plan.saves[index].result = .failure(error)
      }
    }
    try checkMoves(&plan)
  }

  /// A new share, together with the changes to its root in the plan.
  ///
  /// - Assumption: a new share in a zone without `.sharing`, for example the default zone, is `invalidArguments`; Apple
  ///   says only that it is not supported.
  /// - Assumption: creating a share in a zone of another owner is `permissionFailure`.
  private func newShare(
    _ record: StoredRecord, _ request: RecordSave, _ plan: inout ModifyRecordsPlan
  ) throws -> StoredRecord {
    guard address.role == .owner else { throw ServiceError.notPermitted("CREATE") }
    guard let share = request.share else { throw ServiceError.missingRoot }
    guard record.name.isZoneWideShare == (share.root == nil) else {
      throw ServiceError.invalid(
        "Only the share of a whole zone is named '\(Record.zoneWideShareName)', and only a share with a root is not")
    }
    guard change.properties.capabilities & (share.root == nil ? 8 : 4) != 0 else {
      throw ServiceError.noSharing(in: address.identifier)
    }
    guard let root = share.root else { return try newZoneWideShare(record, share, plan) }
    guard try !Membership.isZoneWide({ try plan.record($0, in: transaction.view) }) else {
      throw ServiceError(
        .serverRejectedRequest, "The zone '\(address.identifier.name)' is shared as a whole", internalCode: 2027)
    }
    guard let rootIndex = plan.indexes[root] else { throw ServiceError.missingRoot }
    guard case .success(var rootRecord) = plan.saves[rootIndex].result else { throw ServiceError.batchFailed }
    guard rootRecord.type != Record.shareType else { throw ServiceError.invalid("A share can't be a share's root") }
    try checkNotShared(rootRecord, plan)

    let guid = rootRecord.shortGUID ?? service.newShortGUID()
    rootRecord.object["shortGUID"] = .string(guid)
    rootRecord.object["share"] = [
      "recordName": .string(record.name.string), "zoneID": .object(address.identifier.object),
    ]
    plan.saves[rootIndex].result = .success(rootRecord)
    var result = try owned(record, share, guid)
    result.setLocal("root", .string(root.string))
    return result
  }

  /// A new zone-wide share. Its link belongs to the zone, as the link of a hierarchical share belongs to its root.
  ///
  /// - Assumption: the link of a zone-wide share stays the same when the zone is shared again.
  private func newZoneWideShare(
    _ record: StoredRecord, _ share: ShareSave, _ plan: ModifyRecordsPlan
  ) throws -> StoredRecord {
    let isTaken =
      try plan.saves.contains { $0.request.type == Record.shareType && $0.request.id.name != record.name }
      || !transaction.view.records(ofType: Record.shareType, after: nil, limit: 1).isEmpty
    guard !isTaken else {
      throw ServiceError.invalid(
        "The zone '\(address.identifier.name)' holds a share of some of its records and can't be shared as a whole")
    }
    let known = change.properties.shortGUID.flatMap { ShareDetails.isShortGUID($0) ? $0 : nil }
    return try owned(record, share, known ?? service.newShortGUID())
  }

  /// A new share with its owner as participant and with its link.
  private func owned(_ record: StoredRecord, _ share: ShareSave, _ guid: String) throws -> StoredRecord {
    let owner = Participant(
      participantID: share.participants.first { $0.role == .owner }?.participantID ?? service.newIdentifier(),
      identity: account.identity, role: .owner, acceptance: .accepted, permission: .readWrite)
    let present = ShareDetails(publicPermission: share.publicPermission)
    var result = record
    result.object["shortGUID"] = .string(guid)
    result.apply(try edit(present, share).first(owner: owner))
    return result
  }

  private func edit(_ present: ShareDetails, _ wanted: ShareSave) -> ShareEdit {
    ShareEdit(service: service, present: present, wanted: wanted, time: change.stamp.timestamp)
  }

  private func checkNotShared(_ root: StoredRecord, _ plan: ModifyRecordsPlan) throws {
    let alreadyShared = ServiceError.alreadyShared(root.name)
    if root.share != nil { throw alreadyShared }
    if let parent = root.parent, try plan.chains.share(of: parent, { try plan.record($0, in: transaction.view) }) != nil
    {
      throw alreadyShared
    }
    if try change.before.hasSharedDescendant(root.name) { throw alreadyShared }
  }

  private func editedShare(_ record: StoredRecord, _ request: RecordSave) throws -> StoredRecord {
    guard var share = request.share else { return record }
    let details = try ShareDetails(record, in: transaction)
    let own = details.participant(account.userRecordName)
    let isLeaving =
      address.role == .participant && !share.participants.contains { $0.participantID == own?.participantID }
    var wanted = details
    if address.role == .owner || details.isManaged(by: account) {
      // A leaving participant stays on the edited list here; `leaving(_:)` handles them below.
      if isLeaving, let own, let index = details.participants.firstIndex(of: own) {
        share.participants.insert(own, at: min(index, share.participants.count))
      }
      guard share.root == nil || share.root == details.root else {
        throw ServiceError.invalid("The root of a share can't be changed")
      }
      wanted = try edit(details, share).result()
      try change.shareAccess.updatePointers(of: record.name, from: details, to: wanted)
    } else {
      try checkParticipantEdit(request, share, details)
    }
    if isLeaving {
      try change.shareAccess.revoke(record.name, from: account, details)
      wanted = wanted.leaving(account.userRecordName)
    }
    var record = record
    record.apply(wanted)
    return record
  }

  /// Checks the save of a share by a participant: they may only remove themselves from the list ([share-manage-2]). The
  /// list is compared with the part that the participant sees.
  ///
  /// - Assumption: participants change neither a share's title nor its list, with any permission: they get
  ///   `permissionFailure`.
  private func checkParticipantEdit(_ request: RecordSave, _ wanted: ShareSave, _ present: ShareDetails) throws {
    let presented = present.presented(to: account)
    let visible = presented.participants
    let others = visible.filter { $0.identity.userRecordName != account.userRecordName }
    let isUnchanged = wanted.participants.allSatisfy { participant in
      guard let entry = visible.first(where: { $0.participantID == participant.participantID }) else { return false }
      return entry.permission == participant.permission && entry.role == participant.role
        && entry.acceptance == participant.acceptance
    }
    let hasOthers = others.allSatisfy { other in
      wanted.participants.contains { $0.participantID == other.participantID }
    }
    let hasRoot = wanted.root == nil || wanted.root == present.root
    guard isUnchanged, hasOthers, hasRoot, wanted.hasDistinctEntries,
      wanted.publicPermission == present.publicPermission, request.fields.isEmpty,
      wanted.accessRequests == nil || wanted.accessRequests == presented.accessRequests
    else { throw ServiceError.notPermitted("WRITE") }
  }

  /// Refuses records with a share of their own, or a descendant with one, if their changed parent moves them into a
  /// shared tree.
  ///
  /// - Assumption: moving a record into a shared tree is `alreadyShared` if it, or one below it, has a share of its
  ///   own.
  private func checkMoves(_ plan: inout ModifyRecordsPlan) throws {
    if try Membership.isZoneWide({ try plan.record($0, in: transaction.view) }) { return }
    for index in plan.saves.indices {
      let stored = plan.saves[index].stored
      guard case .success(let record) = plan.saves[index].result, record.type != Record.shareType,
        let parent = record.parent, parent != stored?.parent || record.share != stored?.share,
        try plan.chains.share(of: parent, { try plan.record($0, in: transaction.view) }) != nil
      else { continue }
      if record.share != stored?.share {
        // The record got a new share in this batch: that share fails.
        if let share = record.share.flatMap({ plan.indexes[$0] }) {
          plan.saves[share].result = .failure(.alreadyShared(record.name))
        }
        continue
      }
      let hasOwn = try record.share != nil || change.before.hasSharedDescendant(record.name)
      guard hasOwn else { continue }
      plan.saves[index].result = .failure(
        ServiceError(
          .alreadyShared, "Record '\(record.name)', or one below it, has a share of its own", internalCode: 2037))
    }
  }
}

extension ServiceError {
  static let shareInPublicDatabase = ServiceError(
    .badDatabase, "Shares can't be saved in the public database", internalCode: 1027)

  static func noSharing(in zone: ZoneIdentifier) -> ServiceError {
    .invalid("The zone '\(zone.name)' does not support sharing")
  }
}

extension StoredRecord {
  mutating func apply(_ details: ShareDetails) {
    var details = details
    details.url = nil
    for key in ShareDetails.optionalKeys { object[key] = nil }
    for (key, value) in details.object { object[key] = value }
  }

  mutating func setLocal(_ key: String, _ value: JSONValue?) {
    var local = object["x-local"]?.object ?? [:]
    local[key] = value
    object["x-local"] = .object(local)
  }
}
