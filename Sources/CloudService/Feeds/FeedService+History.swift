import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Histories of records. No app can ask for them: they are for the tool and for tests.
extension FeedService {
  /// Returns the versions of a record that the zone's log has. Costs a read of the whole log.
  ///
  /// - Assumption: a participant gets the versions since the record entered a share that they joined, of a record that
  ///   they may read now. iCloud has no such request.
  ///
  /// - Throws: `unknownItem` if the log has no version that the caller may see; `permissionFailure` for a record of the
  ///   public database that the caller may not read; errors of the zone and the account.
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
        if let present, try !service.schemas.grants(address, caller).allowReading(present, by: account, caller) {
          throw ServiceError.notPermitted("READ")
        }
        var reader = try RecordHistoryReader(name, address, view, keys)
        try reader.addContents([view.file(.record(name))].compactMap(\.self) + older)
        return try reader.history(for: access)
      }
    }
  }
}

/// Makes a record's history from its lines in the zone's log.
private struct RecordHistoryReader {
  private let address: ZoneAddress
  private let keys: ZoneKeys
  private var result: RecordHistory
  private var lines: [ChangeLine] = []
  /// The record as it was after each line, where the tree still has it.
  private var contents: [StoredRecord?] = []

  init(_ name: ExactName, _ address: ZoneAddress, _ view: ZoneView, _ keys: ZoneKeys) throws {
    (self.address, self.keys) = (address, keys)
    let horizon = try view.logHorizon()
    var since: Int64?
    var lines: [ChangeLine] = []
    try view.forEachChange(after: .min) { line in
      if horizon > 0, line.sequence > horizon, since == nil { since = line.stamp?.milliseconds }
      if line.record == name { lines.append(line) }
      return true
    }
    self.lines = lines
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

  func history(for access: ParticipantAccess?) throws -> RecordHistory {
    let start = firstVisible(to: access)
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

  /// The index of the first line that the caller may see: for a participant, the one with which the record last entered
  /// a share that they may read. If a compaction removed that line, all are later.
  private func firstVisible(to access: ParticipantAccess?) -> Int {
    guard let access, !access.isZoneWide else { return 0 }
    return lines.lastIndex { !access.mayRead($0.shareBefore) && access.mayRead($0.shareAfter) } ?? 0
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
    return RecordHistory.Version(
      change: change, sequence: line.sequence, changeTag: line.tag, type: line.type,
      stamp: line.stamp.flatMap { Stamp($0, in: address) },
      fields: try fields(of: line, before, after, hasBefore: hasBefore), members: line.members ?? [],
      shareBefore: isMove ? line.shareBefore?.string : nil, shareAfter: isMove ? line.shareAfter?.string : nil,
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
