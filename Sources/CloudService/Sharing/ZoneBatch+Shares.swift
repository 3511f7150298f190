import CloudStore

/// Shares in a batch: made, edited, ended, left.
extension ZoneBatch {
  // MARK: Checks

  func planShares() throws {
    for place in saves.indices where saves[place].request.type == Record.shareType {
      guard case .success(let record) = saves[place].result else { continue }
      do {
        saves[place].result = .success(
          saves[place].stored == nil
            ? try newShare(record, saves[place].request) : try editedShare(record, saves[place].request))
      } catch let error as ServiceError {
        saves[place].result = .failure(error)
      }
    }
    try checkMoves()
  }

  private func newShare(_ record: StoredRecord, _ request: RecordSave) throws -> StoredRecord {
    guard address.role == .owner else { throw ServiceError.notPermitted("CREATE") }
    guard let share = request.share else { throw ServiceError.missingRoot }
    guard record.name.isZoneWideShare == (share.root == nil) else {
      throw ServiceError.invalid(
        "Only the share of a whole zone is named '\(Record.zoneWideShareName)', and only a share with a root is not")
    }
    guard properties.capabilities & (share.root == nil ? 8 : 4) != 0 else {
      throw ServiceError.invalid("The zone '\(address.identifier.name)' does not support sharing")
    }
    guard let root = share.root else { return try newZoneWideShare(record, share) }
    guard try !Membership.isZoneWide(planned) else {
      throw ServiceError(
        .serverRejectedRequest, "The zone '\(address.identifier.name)' is shared as a whole", internalCode: 2027)
    }
    guard let rootPlace = saves.firstIndex(where: { $0.request.id.name == root }) else {
      throw ServiceError.missingRoot
    }
    guard case .success(var rootRecord) = saves[rootPlace].result else { throw ServiceError.batchFailed }
    guard rootRecord.type != Record.shareType else { throw ServiceError.invalid("A share can't be a share's root") }
    try checkNotShared(rootRecord)

    let guid = rootRecord.shortGUID ?? newShortGUID()
    rootRecord.object["shortGUID"] = .string(guid)
    rootRecord.object["share"] = [
      "recordName": .string(record.name.string), "zoneID": .object(address.identifier.object),
    ]
    saves[rootPlace].result = .success(rootRecord)
    var result = try owned(record, share, guid)
    result.setLocal("root", .string(root.string))
    return result
  }

  /// Its link belongs to the zone, as a hierarchical one's does to the root.
  ///
  /// - Assumption: the link of a zone-wide share stays the same when the zone is shared again.
  private func newZoneWideShare(_ record: StoredRecord, _ share: ShareSave) throws -> StoredRecord {
    let isTaken =
      try saves.contains { $0.request.type == Record.shareType && $0.request.id.name != record.name }
      || !transaction.view.records(ofType: Record.shareType, after: nil, limit: 1).isEmpty
    guard !isTaken else {
      throw ServiceError.invalid(
        "The zone '\(address.identifier.name)' holds a share of some of its records and can't be shared as a whole")
    }
    let known = properties.shortGUID.flatMap { ShareDetails.isShortGUID($0) ? $0 : nil }
    return try owned(record, share, known ?? newShortGUID())
  }

  /// A new share as its owner has it.
  private func owned(_ record: StoredRecord, _ share: ShareSave, _ guid: String) throws -> StoredRecord {
    let owner = Participant(
      participantID: share.participants.first { $0.role == .owner }?.participantID ?? service.newIdentifier(),
      identity: account.identity, role: .owner, acceptance: .accepted, permission: .readWrite)
    let details = ShareDetails(publicPermission: share.publicPermission, participants: [owner])
    var result = record
    result.object["shortGUID"] = .string(guid)
    result.apply(try edited(details, share, isNew: true))
    return result
  }

  private func checkNotShared(_ root: StoredRecord) throws {
    let alreadyShared = ServiceError.alreadyShared(root.name)
    if root.share != nil { throw alreadyShared }
    if let parent = root.parent, try plannedShare(of: parent) != nil { throw alreadyShared }
    if try before.hasSharedDescendant(root.name) { throw alreadyShared }
  }

  /// The share that a record will be in, as far as the batch's saves go.
  private func plannedShare(of name: ExactName) throws -> ExactName? {
    try Membership.share(of: name, record: planned)
  }

  private func planned(_ name: ExactName) throws -> StoredRecord? {
    if let save = saves.first(where: { $0.request.id.name == name }), case .success(let record) = save.result {
      return record
    }
    return try transaction.view.record(name)
  }

  /// About 25 characters that need no escaping in a URL.
  private func newShortGUID() -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)
    return "0" + String(decoding: service.settings.identifiers(24).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
  }

  private func editedShare(_ record: StoredRecord, _ request: RecordSave) throws -> StoredRecord {
    guard let share = request.share else { return record }
    var record = record
    let details = try ShareDetails(record)
    if address.role == .participant {
      try checkParticipantEdit(request, share, details)
      if share.participants.contains(where: {
        $0.participantID == details.participant(account.userRecordName)?.participantID
      }) {
        return record
      }
      try revoke(record.name, from: account, details)
      record.apply(details.leaving(account.userRecordName))
      return record
    }
    let wanted = try edited(details, share)
    record.apply(wanted)
    for participant in details.joined {
      guard !wanted.participants.contains(where: { $0.participantID == participant.participantID }) else { continue }
      if let gone = try self.account(participant.identity.userRecordName) {
        try revoke(record.name, from: gone, details)
      }
    }
    return record
  }

  /// A participant may take themselves off the list, and nothing else (sharing.md 4.3). The list is what they see of it.
  ///
  /// - Assumption: participants change neither a share's title nor its list, whatever their permission.
  private func checkParticipantEdit(_ request: RecordSave, _ wanted: ShareSave, _ present: ShareDetails) throws {
    let visible = present.presented(to: account).participants
    let others = visible.filter { $0.identity.userRecordName != account.userRecordName }
    let isUnchanged = wanted.participants.allSatisfy { participant in
      guard let entry = visible.first(where: { $0.participantID == participant.participantID }) else { return false }
      return entry.permission == participant.permission && entry.role == participant.role
    }
    let hasOthers = others.allSatisfy { other in
      wanted.participants.contains { $0.participantID == other.participantID }
    }
    guard isUnchanged, hasOthers, wanted.publicPermission == present.publicPermission, request.fields.isEmpty else {
      throw ServiceError.notPermitted("WRITE")
    }
  }

  /// The list as the client wants it, matched against the one there is.
  private func edited(_ present: ShareDetails, _ wanted: ShareSave, isNew: Bool = false) throws -> ShareDetails {
    guard wanted.publicPermission != .unknown else {
      throw ServiceError.invalid("A share's public permission can't be unknown")
    }
    var result = present
    result.publicPermission = wanted.publicPermission
    result.participants = []
    for participant in wanted.participants {
      if let entry = present.participants.first(where: { $0.participantID == participant.participantID }) {
        result.participants.append(try edited(entry, participant))
      } else {
        result.participants.append(try invited(participant, present, wanted))
      }
    }
    guard let owner = present.participants.first(where: { $0.role == .owner }) else { return result }
    result.participants.removeAll { $0.role == .owner }
    if !isNew, !wanted.participants.contains(where: { $0.role == .owner }) {
      throw ServiceError.invalid("The owner can't be removed from a share")
    }
    result.participants.insert(owner, at: 0)
    result.settlePublicPermission(before: present.publicPermission)
    if result.participants.count > NameRules.maximumParticipants + 1 {
      throw ServiceError.tooManyParticipants
    }
    return result
  }

  private func edited(_ entry: Participant, _ wanted: Participant) throws -> Participant {
    var entry = entry
    guard entry.role != .owner else { return entry }
    if wanted.role == .administrator { throw ServiceError.notYet("the administrator role") }
    if wanted.role != .unknown, wanted.role != entry.role {
      throw ServiceError.invalid("The role of a participant can't be changed to \(wanted.role.rawValue)")
    }
    try checkPermission(of: wanted)
    entry.permission = wanted.permission
    return entry
  }

  private func checkPermission(of participant: Participant) throws {
    guard participant.permission != .unknown else {
      throw ServiceError.invalid("A participant's permission can't be unknown")
    }
  }

  private func invited(_ wanted: Participant, _ present: ShareDetails, _ share: ShareSave) throws -> Participant {
    var entry = wanted
    switch wanted.role {
    case .owner: return entry
    case .administrator: throw ServiceError.notYet("the administrator role")
    case .publicUser: throw ServiceError.invalid("Public users join by themselves")
    case .privateUser, .unknown: entry.role = .privateUser
    }
    guard share.publicPermission == .none else {
      throw ServiceError.invalid("Participants can't be added to a share with a public permission")
    }
    try checkPermission(of: wanted)
    let lookup = entry.identity.lookup ?? entry.identity.userRecordName.map(LookupInfo.userRecordName)
    guard let lookup else { throw ServiceError.notYet("participants without an address (one-time URLs)") }
    let match = try service.account(matching: lookup)
    entry.identity = UserIdentity(userRecordName: match?.userRecordName, name: match?.person, lookup: lookup)
    entry.acceptance = .pending
    let isKnown = present.participants.contains { other in
      if let user = match?.userRecordName, other.identity.userRecordName == user { return true }
      return other.identity.lookup == lookup
    }
    if isKnown { throw ServiceError.invalid("The person is on the share's list already") }
    return entry
  }

  /// Records that a changed parent carries into or across shares must not bring a share of their own along.
  private func checkMoves() throws {
    if try Membership.isZoneWide(planned) { return }
    for place in saves.indices {
      let stored = saves[place].stored
      guard case .success(let record) = saves[place].result, record.type != Record.shareType,
        let parent = record.parent, parent != stored?.parent || record.share != stored?.share,
        try plannedShare(of: parent) != nil
      else { continue }
      if record.share != stored?.share {
        // It is the new share that is one too many.
        for share in saves.indices where saves[share].request.id.name == record.share {
          saves[share].result = .failure(.alreadyShared(record.name))
        }
        continue
      }
      let hasOwn = try record.share != nil || before.hasSharedDescendant(record.name)
      guard hasOwn else { continue }
      saves[place].result = .failure(
        ServiceError(
          .alreadyShared, "Record '\(record.name)', or one below it, has a share of its own", internalCode: 2037))
    }
  }
}

extension ShareDetails {
  /// What a change of the public permission does to the list (sharing.md 4.1).
  mutating func settlePublicPermission(before: SharePermission) {
    if publicPermission == .none {
      participants.removeAll { $0.role == .publicUser }
    } else if before != publicPermission {
      participants.removeAll { $0.role == .privateUser && $0.acceptance != .accepted }
      for place in participants.indices where participants[place].role == .publicUser {
        participants[place].permission = publicPermission
      }
    }
  }

  /// The list without somebody who left.
  ///
  /// - Assumption: invited people are pending again and may come back by the same link; public users vanish.
  func leaving(_ userRecordName: String) -> ShareDetails {
    var result = self
    guard let place = result.participants.firstIndex(where: { $0.identity.userRecordName == userRecordName }) else {
      return result
    }
    if result.participants[place].role == .publicUser {
      result.participants.remove(at: place)
    } else {
      result.participants[place].acceptance = .pending
    }
    return result
  }
}

extension StoredRecord {
  mutating func apply(_ details: ShareDetails) {
    var details = details
    details.url = nil
    for (key, value) in details.object { object[key] = value }
  }

  mutating func setLocal(_ key: String, _ value: JSONValue?) {
    var local = object["x-local"]?.object ?? [:]
    local[key] = value
    object["x-local"] = .object(local)
  }
}
