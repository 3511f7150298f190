import LocalCloudPlatform
import LocalCloudStorage

/// Checks the invariants of one zone using only its files: log, records, index and share logs must agree.
///
/// Of each record it holds some digests and positions, about 50 bytes: records, lines and keys are read again if they
/// are needed again.
package struct ZoneChecker {
  let view: ZoneView
  private var problems: [Problem] = []
  /// Whether everything could be read: only then can the index be checked.
  private var isComplete = true
  /// Whether a file could not be read, for a reason that does not depend on its contents. Data that seems to be missing
  /// may then exist.
  package private(set) var hasUnread = false
  private var lines = ZoneLogLines()
  /// The lines that shares' logs must have according to the zone's log; and whether that log can be trusted.
  private var shared = SharedChanges(holdsSaves: false)
  private var isLogSound = false
  /// The zone's sequence according to its log.
  private var end: Int64 = 0
  private var keys = KeyDigests()
  /// The fields that the index has keys for, and the keys that it should have for them.
  private var coverage = FieldCoverage.none
  private var values: [IndexedField: KeyDigests] = [:]
  /// The assets, each with a record that refers to it; and whether these are all.
  private var held: [ContentName: ExactName] = [:]
  private var knowsHolders = true
  /// The existing assets with bytes still to be compared with their names: that takes long, and needs no lock.
  private(set) var contents: [AssetContent] = []
  /// The problems that the rules of higher layers find in single records.
  package private(set) var recordProblems: [Problem] = []
  /// The indexes of the latest lines of records with a parent, and of those that the rules of higher layers compare
  /// with others.
  private var children: [Int] = []
  private var linked: [Int] = []
  private let known = KnownRecords()

  package init(_ view: ZoneView) { self.view = view }

  /// The result of the rules of higher layers for a record by itself.
  package struct Finding {
    /// The text of its problem; nil if there is none.
    package var text: String?
    /// Whether other rules compare it with other records.
    package var isLinked: Bool

    package init(text: String?, isLinked: Bool) { (self.text, self.isLinked) = (text, isLinked) }
  }

  private var zone: ZoneStore { view.zone }

  private mutating func report(_ name: String, in directory: Directory, _ text: String) {
    problems.append(Problem(path: directory.path(of: name), text: text))
  }

  /// - Parameter inspect: called with each record that exists and that the log knows.
  package mutating func run(_ inspect: (StoredRecord) -> Finding) throws -> [Problem] {
    let properties: ZoneProperties
    do { properties = try view.properties() } catch let error where Self.isListed(error) {
      if let error = error as? SystemError, error.leavesUnread { throw error }
      return [Problem(path: zone.directory.path(of: "zone.json"), text: Self.text(error))]
    }
    try noting { checker in
      for stray in try checker.zone.files.strays() { checker.problems.append(stray.problem) }
    }
    try checkLog(properties)
    // Without the log there is no data to compare with.
    if hasUnread { return problems }
    // Damage of the index is reported below.
    try noting { checker in do { checker.coverage = try checker.view.coverage() } catch is IndexDamage {} }
    try noting { try $0.checkRecords(properties, inspect) }
    try noting { try $0.checkAssets() }
    try noting { try $0.checkShareLogs() }
    try noting { try $0.checkIndex() }
    return problems
  }

  private mutating func noting(_ look: (inout ZoneChecker) throws -> Void) throws {
    do { try look(&self) } catch let error as SystemError where error.leavesUnread { recordUnread(error) }
  }

  private mutating func recordUnread(_ error: SystemError) {
    problems.append(Problem(error))
    isComplete = false
    if error.leavesUnread { hasUnread = true }
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case StorageError.damaged(_, let reason): reason
    case let error as SystemError: error.reason
    default: "\(error)"
    }
  }

  private static func isListed(_ error: any Error) -> Bool {
    error is StorageError || error is StoreError || (error as? SystemError)?.isStopped == false
  }

  /// The contents of a file; nil if it is missing or unreadable. An unreadable file is reported.
  private mutating func contents(_ name: String, in directory: Directory) throws -> [UInt8]? {
    do { return try directory.contents(name) } catch  where !(error as SystemError).isStopped {
      recordUnread(error)
      return nil
    }
  }

  // MARK: Log

  private mutating func checkLog(_ properties: ZoneProperties) throws {
    let suffixes = Set(properties.histories.map(\.tagSuffix))
    var strange: [Int] = []
    guard let log = try readLog(properties, suffixes, &strange) else {
      return isComplete ? report("changes.jsonl", in: zone.directory, "it is missing") : ()
    }
    for offset in strange {
      guard let line = try lines.line(atOffset: offset) else { continue }
      let before = try lines.line(before: line, at: offset)
      if line.kind == .touch, line.tag == before?.tag { continue }
      // A touch that only changes the access to the record keeps the tag. That may be the tag of a touch that
      // compaction removed.
      let isLeft = Self.sequences(ofTag: line.tag, suffixes).contains {
        before?.sequence ?? 0 < $0 && $0 < line.sequence && $0 <= log.header.horizon
      }
      if line.kind == .touch, isLeft { continue }
      report("changes.jsonl", in: zone.directory, "the tag \(line.tag) at sequence \(line.sequence)")
    }
    for damage in log.damage { report("changes.jsonl", in: zone.directory, damage) }
    if !log.damage.isEmpty { isLogSound = false }
    shared.horizon = log.header.horizon
    end = max(log.end, properties.base)
  }

  /// Nil if there is no log, or if it is unreadable. `strange`: the offsets of lines with a tag that is not their own.
  private mutating func readLog(
    _ properties: ZoneProperties, _ suffixes: Set<String>, _ strange: inout [Int]
  ) throws -> IndependentLog? {
    do throws(SystemError) {
      guard let file = try zone.directory.fileIfPresent("changes.jsonl") else { return nil }
      lines = ZoneLogLines(file)
      isLogSound = true
      let log = try IndependentLog(zoneLog: file, base: properties.base) { addLine($0, suffixes, &strange) }
      lines.sort()
      return log
    } catch {
      if error.isStopped { throw error }
      (lines, isLogSound) = (ZoneLogLines(), false)
      recordUnread(error)
      return nil
    }
  }

  private static func sequences(ofTag tag: String, _ suffixes: Set<String>) -> [Int64] {
    suffixes.filter(tag.hasSuffix).compactMap { Int64(tag.dropLast($0.count), radix: 36) }
  }

  private mutating func addLine(_ entry: IndependentLog.Line, _ suffixes: Set<String>, _ strange: inout [Int]) {
    guard let line = ChangeLine(entry.value) else {
      isLogSound = false
      return report("changes.jsonl", in: zone.directory, "the line of sequence \(entry.sequence) is not a change")
    }
    if line.kind == .delete { keys.add(IndexKey.keys(ofRemoval: line)) }
    if !suffixes.contains(where: { line.tag == String(line.sequence, radix: 36) + $0 }) { strange.append(entry.offset) }
    lines.add(line, at: entry.offset)
    shared.add(line)
  }

  // MARK: Records

  private mutating func checkRecords(_ properties: ZoneProperties, _ inspect: (StoredRecord) -> Finding) throws {
    for entry in try zone.records.entries() where !entry.name.hasPrefix(".") {
      guard entry.kind == .file, entry.name.hasSuffix(".json") else {
        report(entry.name, in: zone.records, "not a record's file")
        knowsHolders = false
        continue
      }
      guard let bytes = try contents(entry.name, in: zone.records) else {
        knowsHolders = false
        continue
      }
      if try !checkRecord(bytes, file: entry.name, properties, inspect) { (knowsHolders, isComplete) = (false, false) }
    }
    // Data that seems to be missing may be in an unreadable file.
    if hasUnread { return }
    for index in lines.indices where lines.isLatest(index) && !lines.isLive(index) {
      guard let line = try lines.line(at: index), line.kind != .delete else { continue }
      let name = line.record
      report(
        FileName.document(name.string), in: zone.records, "the record '\(name)' is in the log and not here")
    }
    var orphans: [Problem] = []
    try forEachRecord(children) { record in
      guard let parent = record.parent, !lines.isLive(parent) else { return }
      orphans.append(Problem(path: zone.recordPath(record.name), text: "its parent '\(parent)' does not exist"))
    }
    problems += orphans
  }

  /// Checks a record's file; returns whether it is a record.
  private mutating func checkRecord(
    _ bytes: [UInt8], file: String, _ properties: ZoneProperties, _ inspect: (StoredRecord) -> Finding
  ) throws -> Bool {
    let path = zone.records.path(of: file)
    let record: StoredRecord
    do {
      guard let name = try JSONValue(parsing: bytes)["recordName"]?.string else {
        report(file, in: zone.records, "it holds no recordName")
        return false
      }
      record = try .parse(bytes, path: path, expecting: ExactName(name))
    } catch {
      report(file, in: zone.records, error is StorageError ? Self.text(error) : "not JSON: \(error)")
      return false
    }
    for asset in record.assets { held[asset] = record.name }
    try compareWithLog(record, bytes, file: file, properties, inspect)
    return true
  }

  private mutating func compareWithLog(
    _ record: StoredRecord, _ bytes: [UInt8], file: String, _ properties: ZoneProperties,
    _ inspect: (StoredRecord) -> Finding
  ) throws {
    let name = record.name
    if FileName.document(name.string) != file {
      return report(file, in: zone.records, "it holds the record '\(name)', whose file has another name")
    }
    guard let index = lines.latest(name), let line = try lines.line(at: index), line.record == name,
      line.kind != .delete
    else { return report(file, in: zone.records, "the log knows no such record") }
    lines.setLive(index)
    if record.parent != nil { children.append(index) }
    let finding = inspect(record)
    if finding.isLinked { linked.append(index) }
    if let text = finding.text { recordProblems.append(Problem(path: zone.recordPath(name), text: text)) }
    keys.add(IndexKey.keys(of: record))
    for field in coverage.fields(of: record.type) {
      values[field, default: KeyDigests()].add(
        zone.fieldEncoding.keys(of: record, [field]), areNeeded: coverage[field]?.includes(name) ?? false)
    }
    // The error must not be reported for shares' logs as well.
    if !line.type.hasSameBytes(as: record.type) { isLogSound = false }
    let state = RecordFileState(record, bytes, in: properties)
    let lastSave = line.kind == .save ? line : try lines.lastSave(upTo: index)
    if let text = state.disagreement(with: line, lastSave: lastSave?.sequence) ?? state.fault {
      report(file, in: zone.records, text)
    }
  }

  /// A record that exists and that the log knows.
  package func record(_ name: ExactName) throws -> StoredRecord? {
    try lines.isLive(name) ? known.record(name, in: view) : nil
  }

  /// Calls `body` with the records that are linked according to the inspection.
  package func forEachLinked(_ body: (StoredRecord) throws -> Void) throws { try forEachRecord(linked, body) }

  private func forEachRecord(_ indexes: [Int], _ body: (StoredRecord) throws -> Void) throws {
    for index in indexes {
      if let line = try lines.line(at: index), let record = try known.record(line.record, in: view) { try body(record) }
    }
  }

  // MARK: Assets

  /// Checks that every asset that a record refers to exists, and that no other assets exist.
  private mutating func checkAssets() throws {
    var found: Set<ContentName> = []
    for (folder, entry) in try zone.files.assetEntries() {
      guard entry.kind == .file, let name = ContentName(entry.name) else {
        report(entry.name, in: folder, "not an asset's file")
        continue
      }
      found.insert(name)
      if held[name] != nil {
        contents.append(try zone.files.content(of: name))
      } else if knowsHolders {
        report(entry.name, in: folder, "no record holds it")
      }
    }
    for (asset, holder) in held.sorted(by: { $0.key < $1.key }) where !found.contains(asset) {
      report(FileName.document(holder.string), in: zone.records, "its asset \(asset) is missing")
    }
  }

  // MARK: Shares

  /// The live members of each share, according to its log.
  package private(set) var members: [ExactName: Set<ExactName>] = [:]

  /// The maximum number of differences reported per log.
  private static let mostDifferences = 5

  private mutating func checkShareLogs() throws {
    for entry in try zone.shares.entries() where !entry.name.hasPrefix(".") {
      guard entry.kind == .file, entry.name.hasSuffix(".jsonl") else {
        report(entry.name, in: zone.shares, "not a share's log")
        continue
      }
      guard let bytes = try contents(entry.name, in: zone.shares) else { continue }
      let log = IndependentShareLog(bytes, file: entry.name, end: end)
      for damage in log.damage.prefix(Self.mostDifferences) { report(entry.name, in: zone.shares, damage) }
      guard log.damage.isEmpty, let share = log.share else { continue }
      members[share] = Set(log.newest.values.lazy.filter { $0.kind == .inside }.map(\.record))
      for line in log.indexedLines { keys.add(IndexKey.keys(of: line, in: share)) }
      let differences = isLogSound ? try shared.differences(from: log, of: share, lastSave: lastSave) : []
      for difference in differences.prefix(Self.mostDifferences) {
        report(entry.name, in: zone.shares, difference.text)
      }
      let more = differences.count - Self.mostDifferences
      if more > 0 { report(entry.name, in: zone.shares, "so it is with \(more) more records") }
    }
  }

  private func lastSave(of name: ExactName) throws -> SharedChanges.Change? {
    let line = try lines.latest(name).flatMap { try lines.lastSave(upTo: $0) }
    return line.map { SharedChanges.Change(sequence: $0.sequence, type: $0.type) }
  }

  // MARK: Index

  private mutating func checkIndex() throws {
    let path = zone.directory.path(of: ".index")
    do {
      let index = try view.index()
      try index.verify()
      guard isComplete else { return }
      try compare(keys, with: index, path, prefix: []) { !IndexKey.isOfFields($0) }
      // Beyond the field's extent, only some records have theirs.
      for field in coverage.fields {
        try compare(values[field] ?? KeyDigests(), with: index, path, prefix: IndexKey.values(of: field)) { _ in true }
      }
    } catch let error as IndexDamage {
      problems.append(Problem(path: path, text: "damaged: \(error.reason)"))
    }
  }

  private static let mostKeys = 5

  private mutating func compare(
    _ expected: KeyDigests, with index: IndexFile, _ path: String, prefix: [UInt8], where isMeant: ([UInt8]) -> Bool
  ) throws {
    var found: [UInt64] = []
    try index.scan(prefix: prefix) { key in
      if isMeant(key) { found.append(KeyDigests.digest(key)) }
      return true
    }
    let (lacking, needless) = expected.differences(from: found)
    if lacking.isEmpty, needless.isEmpty { return }
    for key in try expectedKeys(lacking) { report(key, path) { "it lacks \($0)" } }
    var left = Self.mostKeys
    try index.scan(prefix: prefix) { key in
      if isMeant(key), needless.contains(KeyDigests.digest(key)) {
        report(key, path) { "it has \($0) without reason" }
        left -= 1
      }
      return left > 0
    }
  }

  private mutating func report(_ key: [UInt8], _ path: String, _ text: (String) -> String) {
    let shown = String(decoding: key.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
    problems.append(Problem(path: path, text: text(shown)))
  }

  /// The first keys with these digests among those that the index should have.
  private func expectedKeys(_ digests: Set<UInt64>) throws -> [[UInt8]] {
    if digests.isEmpty { return [] }
    var result: [[UInt8]] = []
    func add(_ keys: [[UInt8]]) {
      for key in keys where digests.contains(KeyDigests.digest(key)) && !result.contains(key) { result.append(key) }
    }
    for index in lines.indices where result.count < Self.mostKeys {
      guard let line = try lines.line(at: index) else { continue }
      if line.kind == .delete { add(IndexKey.keys(ofRemoval: line)) }
      guard lines.isLive(index), let record = try view.record(line.record) else { continue }
      add(IndexKey.keys(of: record) + zone.fieldEncoding.keys(of: record, coverage.fields(of: record.type)))
    }
    for entry in try zone.shares.entries() where result.count < Self.mostKeys && entry.name.hasSuffix(".jsonl") {
      guard let bytes = try zone.shares.contents(entry.name) else { continue }
      let log = IndependentShareLog(bytes, file: entry.name, end: end)
      if let share = log.share { for line in log.indexedLines { add(IndexKey.keys(of: line, in: share)) } }
    }
    return Array(result.prefix(Self.mostKeys))
  }
}

/// Records that were read lately: many records have the same parents.
private final class KnownRecords {
  private var records: [ExactName: StoredRecord] = [:]

  func record(_ name: ExactName, in view: ZoneView) throws -> StoredRecord? {
    if let known = records[name] { return known }
    let record = try view.record(name)
    if records.count == 1000 { records = [:] }
    records[name] = record
    return record
  }
}
