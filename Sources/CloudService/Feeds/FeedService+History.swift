import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Histories of records. No app can ask for them: they are for the tool and for tests.
extension FeedService {
  /// Returns the versions of a record that the zone's log has. Costs a read of the whole log.
  ///
  /// - Assumption: a participant gets the versions since the record entered a share that they joined, of a record that
  ///   they may read now. In the public database the grants decide about each record that had the name. iCloud has no
  ///   such request.
  ///
  /// - Throws: `unknownItem` if the log has no version that the caller may see; `permissionFailure` for an existing
  ///   record of the public database that the caller may not read; errors of the zone and the account.
  package func history(
    of record: RecordIdentifier, in scope: DatabaseScope, by caller: Caller
  ) throws(ServiceError) -> RecordHistory {
    try perform(.administration, by: nil) {
      let account = try service.accounts.account(of: caller, reading: scope)
      let address = try service.zones.address(record.zone, in: scope, as: account, caller)
      let store = try service.zones.store(address, caller)
      // A snapshot may be from a time when the participant could not read the record.
      let older =
        address.role == .participant
        ? [] : try cloud.contents(ofRecord: record.name, in: address.path, waitPolicy(caller))
      return try service.records.reading(store, address, account, caller) { view, keys in
        let name = record.name
        let access = try service.sharing.access(ofParticipant: account, address, view)
        let present = try view.record(name)
        if let access, try present == nil || !access.shows(name, view) { throw ServiceError.unknownItem(name) }
        let grants = try service.schemas.grants(address, caller)
        func mayRead(_ record: StoredRecord) -> Bool { grants.allowReading(record, by: account, caller) }
        if let present, !mayRead(present) { throw ServiceError.notPermitted("READ") }
        var reader = try RecordHistoryReader(name, address, access, view, keys)
        try reader.addContents([view.file(.record(name))].compactMap(\.self) + older)
        return try reader.history(present, mayRead)
      }
    }
  }
}

/// Makes a record's history from its lines in the zone's log.
private struct RecordHistoryReader {
  private let address: ZoneAddress
  /// The permissions of a participant; nil for other callers.
  private let access: ParticipantAccess?
  private let keys: ZoneKeys
  private var result: RecordHistory
  private var lines: [ChangeLine] = []
  /// The record as it was after each line, where the tree still has it.
  private var contents: [StoredRecord?] = []
  /// The sequence with which the zone was last shared as a whole; 0 if the log has none.
  private var zoneWideSince: Int64 = 0

  init(
    _ name: ExactName, _ address: ZoneAddress, _ access: ParticipantAccess?, _ view: ZoneView, _ keys: ZoneKeys
  ) throws {
    (self.address, self.access, self.keys) = (address, access, keys)
    let horizon = try view.logHorizon()
    var since: Int64?
    var (lines, zoneWideSince): ([ChangeLine], Int64) = ([], 0)
    var isZoneWide = false
    try view.forEachChange(after: .min) { line in
      if horizon > 0, line.sequence > horizon, since == nil { since = line.stamp?.milliseconds }
      if line.record == Record.zoneWideShareName, line.type == Record.shareType {
        if line.kind != .delete, !isZoneWide { zoneWideSince = line.sequence }
        isZoneWide = line.kind != .delete
      }
      if line.record == name { lines.append(line) }
      return true
    }
    (self.lines, self.zoneWideSince) = (lines, zoneWideSince)
    contents = Array(repeating: nil, count: lines.count)
    result = RecordHistory(
      record: RecordIdentifier(name: name, zone: address.identifier), versions: [], horizon: horizon,
      completeSince: since)
  }

  /// Adds the contents of files that held the record. A line's digest says whose version a file has.
  mutating func addContents(_ files: [[UInt8]]) throws {
    for bytes in files {
      let digest = Digest.hex64(bytes)
      for index in lines.indices where lines[index].digest == digest {
        contents[index] = (try? JSONValue(parsing: bytes))?.object.map(StoredRecord.init)
      }
    }
    // A touch does not change the fields.
    for index in lines.indices.dropFirst() where lines[index].kind == .touch {
      contents[index] = contents[index] ?? contents[index - 1]
    }
    for index in lines.indices.dropFirst().reversed() where lines[index].kind == .touch {
      contents[index - 1] = contents[index - 1] ?? contents[index]
    }
  }

  /// The versions that the caller may see.
  ///
  /// - Parameters:
  ///   - present: the record; nil if it does not exist.
  ///   - mayRead: the permission to read a record, according to the grants of the public database.
  func history(_ present: StoredRecord?, _ mayRead: (StoredRecord) -> Bool) throws -> RecordHistory {
    let start = if let access { firstVisible(to: access) } else { firstReadable(present, mayRead) }
    guard start < lines.count else { throw missing() }
    var history = result
    // Nil: the log does not say whether the record existed. A compaction removes the version before its horizon, too.
    var exists: Bool? = result.horizon == 0 ? false : nil
    for index in lines.indices {
      let version = try version(at: index, existed: exists, isFirst: index == start)
      if index >= start { history.versions.append(version) }
      exists = lines[index].kind != .delete
    }
    return history
  }

  /// The index of the first line that a participant may see: the one with which the record last entered a share that
  /// they may read, or the record's last one from before the zone was shared as a whole. If a compaction removed that
  /// line, all are later.
  private func firstVisible(to access: ParticipantAccess) -> Int {
    if access.isZoneWide {
      let last = lines.lastIndex { $0.sequence < zoneWideSince }
      return last.map { lines[$0].kind == .delete ? $0 + 1 : $0 } ?? 0
    }
    let entry = lines.lastIndex { !access.mayRead($0.shareBefore) && access.mayRead($0.shareAfter) }
    // Without a compaction only a repair of the share leaves no such line: the present version is visible all the same.
    return entry ?? (result.horizon > 0 ? 0 : max(0, lines.count - 1))
  }

  /// The index of the first line that the grants let the caller see: of the last record that had the name, and of
  /// earlier ones up to one that the caller may not read.
  private func firstReadable(_ present: StoredRecord?, _ mayRead: (StoredRecord) -> Bool) -> Int {
    var start = lines.count
    while start > 0 {
      let first = lines[..<(start - 1)].lastIndex { $0.kind == .delete }.map { $0 + 1 } ?? 0
      let isPresent = start == lines.count && lines[start - 1].kind != .delete
      guard mayRead((isPresent ? present : nil) ?? record(of: first..<start)) else { break }
      start = first
    }
    return start
  }

  /// A record that had the name, with its type and creator: from a file, or from the line of its creation. After a
  /// compaction the creator may be unknown.
  private func record(of range: Range<Int>) -> StoredRecord {
    if let record = range.lazy.compactMap({ contents[$0] }).first { return record }
    let line = lines[range.lowerBound]
    var object: JSONObject = ["recordType": .string(line.type)]
    if line.kind == .save, range.lowerBound > 0 || result.horizon == 0, let stamp = line.stamp {
      object["created"] = Stamp(stamp, in: address).map { .object($0.object) }
    }
    return StoredRecord(object)
  }

  private func missing() -> ServiceError {
    var error = ServiceError.unknownItem(result.record.name)
    if result.horizon > 0 {
      let since = result.completeSince.map { " before \(Timestamp.text(milliseconds: $0))" } ?? ""
      error.hint = "the zone's log was compacted: it no longer has records that were deleted\(since)"
    }
    return error
  }

  private func version(at index: Int, existed: Bool?, isFirst: Bool) throws -> RecordHistory.Version {
    let line = lines[index]
    let change: RecordHistory.Version.Change
    switch line.kind {
    case .delete: change = .deleted
    case .touch: change = .touched
    case .save: change = existed.map { $0 ? .changed : .created } ?? .saved
    }
    let (before, after) = (existed == true && !isFirst ? contents[index - 1] : nil, contents[index])
    let hasBefore = existed == false || before != nil
    let isMove = line.shareBefore != line.shareAfter
    // A participant must not learn the name of a share that they may not read.
    func name(of share: ExactName?) -> String? {
      isMove && access?.mayRead(share) != false ? share?.string : nil
    }
    return RecordHistory.Version(
      change: change, sequence: line.sequence, changeTag: line.tag, type: line.type,
      stamp: line.stamp.flatMap { Stamp($0, in: address) },
      fields: try fields(of: line, before, after, hasBefore: hasBefore), members: line.members ?? [],
      shareBefore: name(of: line.shareBefore), shareAfter: name(of: line.shareAfter),
      hasBefore: hasBefore, hasAfter: after != nil)
  }

  private func fields(
    of line: ChangeLine, _ before: StoredRecord?, _ after: StoredRecord?, hasBefore: Bool
  ) throws -> [RecordHistory.Field]? {
    guard line.kind == .save else { return [] }
    let compared = hasBefore ? after.map { StoredRecord.difference(before?.object, $0.object).fields } : nil
    return try (line.fields ?? compared)?.map { key in
      RecordHistory.Field(key: key, before: try value(key, in: before), after: try value(key, in: after))
    }
  }

  private func value(_ key: String, in record: StoredRecord?) throws -> RecordHistory.Value? {
    guard let record, let field = record.object["fields"]?[key]?.object else { return nil }
    if !field.isEncryptedField { return try FieldValue.parse(field, key: key).map(RecordHistory.Value.plain) }
    // Also a key that was lost, or is not this account's.
    let opened = try? keys.open(record) { $0 == key }
    return opened?[key].map(RecordHistory.Value.opened) ?? .sealed
  }
}
