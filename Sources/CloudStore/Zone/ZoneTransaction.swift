import LocalCloudPlatform
import LocalCloudStorage

/// A commit that is being planned. Its reads include its pending writes. Nothing takes effect before ``commit()``; a
/// transaction that is dropped has no effect.
///
/// Used with the zone's exclusive lock, by one thread.
package final class ZoneTransaction: ZoneReader {
  package let zone: ZoneStore
  package let view: ZoneView
  package let start: Int64
  package private(set) var sequence: Int64
  /// The long-lived operation that makes these changes.
  package var operation: String?
  /// The time and the author of the changes.
  package var stamp: ChangeStamp?
  /// For repair: called with the entry that is about to be committed.
  var whenPlanned: ((JournalEntry) throws -> Void)?

  var writes = WriteSet()
  var lines: [ChangeLine] = []
  var shareLines: [(share: ExactName, line: ShareLine)] = []
  /// The sequence of a member's line in this transaction, by share.
  private var memberLines: [ExactName: [ExactName: Int64]] = [:]
  var endedShareLogs: Set<ExactName> = []
  var files: [(StorePath, [UInt8]?)] = []
  private var mentions: [ZoneMention] = []
  /// The requests to the cloud's observer, performed once this is committed.
  package var observerEffects = ObserverEffects()
  private var keys = IndexDelta()
  /// Keys that only queries read.
  private var values = IndexDelta()
  private var coverage: FieldCoverage?
  private var removesZone = false
  private let history: ZoneHistory
  var stager: ParallelStager?
  private var assets = AssetChanges()
  /// The number of superseded lines, including those of earlier commits.
  var superseded: Int64

  init(_ view: ZoneView) throws {
    zone = view.zone
    self.view = view
    history = try view.properties().history
    start = try view.head()
    sequence = start
    superseded = try view.folder.superseded()
  }

  // MARK: Reading

  package func record(_ name: ExactName) throws -> StoredRecord? {
    try writes.index(of: name).map(version) ?? view.record(name)
  }

  private func version(at index: Int) throws -> StoredRecord? {
    switch writes[index].version {
    case .same: try view.record(writes[index].name)
    case .new(let record): record
    case .gone: nil
    }
  }

  package func children(of parent: ExactName) throws -> [ExactName] {
    overlay(try view.children(of: parent), IndexKey.children(parent))
  }

  package func referrers(of target: ExactName) throws -> [ExactName] {
    overlay(try view.referrers(of: target), IndexKey.referrers(target))
  }

  package func validators(of target: ExactName) throws -> [ExactName] {
    overlay(try view.validators(of: target), IndexKey.validators(target))
  }

  package func members(of share: ExactName) throws -> [ExactName] {
    var names = Set(try view.members(of: share))
    for (name, line) in shareLines where name == share {
      if line.kind == .inside { names.insert(line.record) } else { names.remove(line.record) }
    }
    return names.sorted()
  }

  private func overlay(_ stored: [ExactName], _ prefix: [UInt8]) -> [ExactName] {
    var names = Set(stored)
    for key in keys.removed where key.starts(with: prefix) { names.remove(IndexKey.name(in: key, after: prefix)) }
    for key in keys.inserted where key.starts(with: prefix) { names.insert(IndexKey.name(in: key, after: prefix)) }
    return names.sorted()
  }

  /// Whether the transaction already holds a new version of this record.
  package func changes(_ name: ExactName) -> Bool {
    switch writes[name]?.version {
    case nil, .same?: false
    case .new?, .gone?: true
    }
  }

  /// Records that have a new version or are deleted, in the order of their first change.
  package var changedRecords: [ExactName] { writes.changed.map(\.name) }

  /// Whether only the record's tag changed.
  package func isTouchedOnly(_ name: ExactName) -> Bool {
    writes[name].map { $0.line != nil && $0.isTouchedOnly } ?? false
  }

  package var isEmpty: Bool {
    lines.isEmpty && files.isEmpty && shareLines.isEmpty && endedShareLogs.isEmpty && !removesZone
  }

  // MARK: Writing

  /// Announces the records that are about to be put. Those of a large commit are read and encoded on other threads
  /// during the planning; for a few files a thread would cost more.
  package func expect(_ names: [ExactName]) throws {
    guard names.count >= 64, stager == nil else { return }
    // A process that applies pending commits to the files stages under the same names.
    try view.folder.requireFiles()
    stager = ParallelStager(in: zone.folder)
    writes.reserve(names.count)
    lines.reserveCapacity(names.count)
    keys.reserve(3 * names.count)
    view.readAhead(names)
  }

  /// Call when the transaction is over. Ends the work on other threads, unless a commit has taken it over.
  func end() {
    stager?.end()
    stager = nil
    view.stopReadingAhead()
  }

  /// Announces that a record is about to be put, in the order of these calls; the caller may put another version. A
  /// large commit's documents are encoded concurrently.
  package func stageEarly(_ record: StoredRecord) throws {
    guard let stager, isEmpty else { return }
    let (index, before) = try write(of: record.name)
    let effect = stager.indexes.count
    let version = tagged(record, earlySequence(effect), touch: false)
    writes[index].stagedEarly = RecordWrite.StagedEarly(record: record, version: version, effect: effect)
    stager.put(index: effect, isNew: before == nil) { version.bytes }
  }

  private func earlySequence(_ effect: Int) -> Int64 { start + Int64(effect) + 1 }

  private func tagged(_ record: StoredRecord, _ sequence: Int64, touch: Bool) -> StoredRecord {
    var record = record
    record.object["recordChangeTag"] = .string(tag(sequence))
    if !touch { record.sequence = sequence }
    return record
  }

  /// Puts a record's new version. It gets the next sequence, and with it a tag that this zone never used.
  ///
  /// - Parameters:
  ///   - touch: only the tag changes, because a child was saved; feeds do not report the record.
  ///   - encoding: gives the same bytes for the record as the zone's encoding, with less work.
  /// - Returns: the record with its new tag and sequence.
  @discardableResult
  package func put(
    _ record: StoredRecord, touch: Bool = false, encoding: FieldEncoding? = nil
  ) throws -> StoredRecord {
    sequence += 1
    let name = record.name
    let (index, before) = try write(of: name)
    let stagedEarly = writes[index].stagedEarly.flatMap {
      !touch && earlySequence($0.effect) == sequence && $0.record.isSameObject(as: record) ? $0 : nil
    }
    let record = stagedEarly?.version ?? tagged(record, sequence, touch: touch)
    // No key depends on the tag.
    if !touch {
      keys.replace(before.map(IndexKey.keys(of:)) ?? [], with: IndexKey.keys(of: record))
      try replaceValues(of: before, with: record, encoding)
    }
    // A new record's line supersedes no other.
    if before == nil { superseded -= 1 }
    writes.change(index, to: .new(record))
    if stagedEarly?.effect != writes[index].effect {
      stager?.put(index: writes[index].effect, isNew: !writes[index].wasThere) { record.bytes }
    }
    var line = ChangeLine(
      sequence: sequence, kind: touch ? .touch : .save, record: name, type: record.type, tag: record.tag,
      device: record.creatingDevice, parent: record.parent)
    if !touch { line.recordDifference(from: before, to: record) }
    append(line, at: index)
    return record
  }

  /// Removes a record.
  ///
  /// - Returns: the removed record, or nil if there was none.
  @discardableResult
  package func delete(_ name: ExactName) throws -> StoredRecord? {
    guard let record = try record(name) else { return nil }
    sequence += 1
    keys.replace(IndexKey.keys(of: record), with: [])
    try replaceValues(of: record, with: nil)
    let (index, _) = try write(of: name)
    writes.change(index, to: .gone)
    let line = ChangeLine(
      sequence: sequence, kind: .delete, record: name, type: record.type, tag: tag(sequence),
      device: record.creatingDevice, parent: record.parent)
    for key in IndexKey.keys(ofRemoval: line) { keys.insert(key) }
    append(line, at: index)
    return record
  }

  /// The index of the record's write, and the record's present version.
  private func write(of name: ExactName) throws -> (index: Int, version: StoredRecord?) {
    if let index = writes.index(of: name) { return (index, try version(at: index)) }
    let stored = try view.record(name)
    return (writes.add(name, wasThere: stored != nil), stored)
  }

  /// For repair: logs the deletion of a record that the log has and the disk lacks.
  func recordLoss(of lost: ChangeLine) {
    recordLoss(of: lost.record, type: lost.type, device: lost.device, parent: lost.parent)
  }

  /// For repair: logs the deletion of a record that does not exist, although a reader may assume that it does.
  ///
  /// - Parameters:
  ///   - device: the name of the device that made the record; empty if unknown.
  ///   - parent: the name of the record's parent.
  package func recordLoss(of name: ExactName, type: String, device: String = "", parent: ExactName? = nil) {
    sequence += 1
    let line = ChangeLine(
      sequence: sequence, kind: .delete, record: name, type: type, tag: tag(sequence), device: device, parent: parent)
    for key in IndexKey.keys(ofRemoval: line) { keys.insert(key) }
    append(line)
  }

  private func append(_ line: ChangeLine) {
    append(line, at: writes.index(of: line.record) ?? writes.add(line.record, wasThere: true))
  }

  private func append(_ line: ChangeLine, at index: Int) {
    superseded += line.kind == .delete ? 2 : 1
    writes[index].line = lines.count
    if line.kind != .touch { writes[index].isTouchedOnly = false }
    lines.append(line)
  }

  /// Writes to the record's latest line the share that it was in, and the share that it is in now.
  package func annotate(_ record: ExactName, shareBefore: ExactName?, shareAfter: ExactName?) {
    guard let index = latestLine(of: record) else { return }
    lines[index].shareBefore = shareBefore
    lines[index].shareAfter = shareAfter
  }

  func latestLine(of record: ExactName) -> Int? { writes[record]?.line }

  /// Adds a line to a share's own log, with the sequence of the record's latest line.
  package func log(_ kind: ShareLine.Kind, _ record: ExactName, type: String, in share: ExactName) throws {
    let sequence = latestLine(of: record).map { lines[$0].sequence } ?? sequence
    let earlier = try memberLines[share]?.removeValue(forKey: record) ?? view.memberSequence(record, of: share)
    if let earlier {
      let line = ShareLine(sequence: earlier, kind: .inside, record: record, type: type)
      for key in IndexKey.keys(of: line, in: share) { keys.remove(key) }
    }
    let line = ShareLine(sequence: sequence, kind: kind, record: record, type: type)
    shareLines.append((share, line))
    for key in IndexKey.keys(of: line, in: share) { keys.insert(key) }
    if kind == .inside { memberLines[share, default: [:]][record] = sequence }
  }

  /// Ends a share: removes its log, and the index's keys of it.
  package func endLog(of share: ExactName) throws {
    for prefix in [IndexKey.members(share), IndexKey.live(share), IndexKey.gone(share)] {
      try view.scan(prefix: prefix) { key in
        keys.remove(key)
        return true
      }
      for key in keys.inserted where key.starts(with: prefix) { keys.remove(key) }
    }
    shareLines.removeAll { $0.share == share }
    memberLines[share] = nil
    endedShareLogs.insert(share)
  }

  /// Takes a sequence for a member that enters or leaves a share without being changed itself.
  package func advance(_ record: StoredRecord) {
    sequence += 1
    append(
      ChangeLine(
        sequence: sequence, kind: .touch, record: record.name, type: record.type, tag: record.tag,
        device: record.creatingDevice, parent: record.parent))
  }

  /// The name of an upload as an asset, to be written into the record that refers to it. The upload becomes an asset if
  /// a record refers to it at the end.
  package func asset(_ upload: AssetUpload) throws -> ContentName { try assets.name(of: upload, in: zone.files) }

  /// Writes a file with the commit, or removes it if `bytes` is nil. The last call for a path counts.
  package func setFile(_ path: StorePath, _ bytes: [UInt8]?) {
    files.removeAll { $0.0 == path }
    files.append((path, bytes))
  }

  /// The contents that ``setFile(_:_:)`` is about to write, otherwise those on the disk.
  package func file(_ path: StorePath) throws -> [UInt8]? {
    if let staged = files.last(where: { $0.0 == path }) { return staged.1 }
    return try view.file(path)
  }

  /// Mentions this zone in a database's log.
  ///
  /// - Parameters:
  ///   - database: the zone's own database, or the shared database of a participant.
  ///   - zone: the zone's name.
  ///   - owner: the user record name of the zone's owner, for a shared database.
  ///   - fields: more members for the line.
  package func mention(
    in database: DatabasePath, as zone: ExactName, owner: ExactName? = nil, _ fields: JSONObject = [:]
  ) {
    mentions.append(ZoneMention(database: database, zone: zone, owner: owner, fields: fields))
  }

  /// Removes the zone with this commit. Its folder is removed after all other effects.
  package func removeZone() {
    removesZone = true
    // The effects of a zone's deletion are applied in their order, one by one.
    end()
  }

  private func replaceValues(
    of before: StoredRecord?, with after: StoredRecord?, _ encoding: FieldEncoding? = nil
  ) throws {
    let coverage = try coverage ?? view.writersCoverage()
    self.coverage = coverage
    if coverage.isEmpty { return }
    func entries(_ record: StoredRecord?, _ encoding: FieldEncoding) -> [[UInt8]] {
      record.map { encoding.keys(of: $0, coverage.fields(of: $0.type)) } ?? []
    }
    values.replace(entries(before, zone.fieldEncoding), with: entries(after, encoding ?? zone.fieldEncoding))
  }

  /// `1`, `2`, … `z`, `10`: a base-36 counter, like iCloud's tags.
  private func tag(_ sequence: Int64) -> String { String(sequence, radix: 36) + history.tagSuffix }

  // MARK: Commit

  /// Commits the changes; when ``ZoneStore/write(_:_:)`` returns, they can no longer be lost. An error means that they
  /// are not committed, except for ``StorageError/uncertain(path:reason:)``. A large commit runs `meanwhile` while the
  /// disk is busy; the caller discards its results if this throws.
  package func commit(_ waitPolicy: LockWaitPolicy, meanwhile: () -> Void = {}) throws {
    guard !isEmpty else { return }
    var entry = JournalEntry(previous: start, sequence: sequence, effects: [])
    entry.indexInsertions = keys.inserted.union(values.inserted).sorted { $0.lexicographicallyPrecedes($1) }
    entry.indexRemovals = keys.removed.union(values.removed).sorted { $0.lexicographicallyPrecedes($1) }
    // The zone's deletion has no sequence of its own, and no sequence follows it.
    entry.extra = observerEffects.members(
      of: CommitMark(history: history.id, sequence: removesZone ? sequence + 1 : sequence))
    entry.extra.setMentions(mentions)
    let assets = try assets.effects(inserting: keys.inserted, removing: keys.removed, view)
    // The effects come last: a large commit's files are still being made then.
    entry.effects = try effects() + assets.effects
    if removesZone { entry.effects.append(.removeFolder) }
    try whenPlanned?(entry)
    // From here on the journal may name the uploads.
    for upload in assets.uploads { upload.isCommitted = true }
    do {
      try zone.folder.commit(entry, in: view.folder, staged: stager, waitPolicy, meanwhile: meanwhile)
    } catch {
      // If the outcome is uncertain, the journal may name them.
      if case StorageError.uncertain = error { throw error }
      for upload in assets.uploads { upload.isCommitted = false }
      throw error
    }
    stager = nil
  }

  /// For repair: commits, and writes the mentions even if there is nothing to commit.
  func commitMentioning(_ waitPolicy: LockWaitPolicy) throws {
    if !isEmpty { return try commit(waitPolicy) }
    var entry = JournalEntry(previous: start, sequence: start, effects: [])
    entry.extra.setMentions(mentions)
    try zone.files.mention(entry, waitPolicy)
  }
}
