import LocalCloudPlatform
import LocalCloudStorage

/// Checks the invariants of one zone using only its files: log, records, index and share logs must agree.
package struct ZoneChecker {
  let view: ZoneView
  private var problems: [Problem] = []
  /// Whether everything could be read: only then can the index be checked.
  private var isComplete = true
  /// Whether a file could not be read, for a reason that does not depend on its contents. Data that seems to be missing
  /// may then exist.
  package private(set) var hasUnread = false
  /// Each record's latest line.
  private var latest: [ExactName: ChangeLine] = [:]
  /// The lines that shares' logs must have according to the zone's log; and whether that log can be trusted.
  private var shared = SharedChanges()
  private var isLogSound = false
  /// The zone's sequence according to its log.
  private var end: Int64 = 0
  private var keys: Set<[UInt8]> = []
  /// The fields that the index has keys for, and the keys that it should have for them.
  private var coverage = FieldCoverage.none
  private var values: [IndexedField: [(key: [UInt8], name: ExactName)]] = [:]
  /// The assets, each with a record that refers to it; and whether these are all.
  private var held: [ContentName: ExactName] = [:]
  private var knowsHolders = true
  /// The existing assets with bytes still to be compared with their names: that takes long, and needs no lock.
  private(set) var contents: [AssetContent] = []
  package private(set) var live: [ExactName: StoredRecord] = [:]

  package init(_ view: ZoneView) { self.view = view }

  private var zone: ZoneStore { view.zone }

  private mutating func report(_ name: String, in directory: Directory, _ text: String) {
    problems.append(Problem(path: directory.path(of: name), text: text))
  }

  package mutating func run() throws -> [Problem] {
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
    try noting { try $0.checkRecords(properties) }
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
    guard let bytes = try contents("changes.jsonl", in: zone.directory) else {
      return isComplete ? report("changes.jsonl", in: zone.directory, "it is missing") : ()
    }
    let suffixes = Set(properties.histories.map(\.tagSuffix))
    isLogSound = true
    var strange: [(line: ChangeLine, before: Int64)] = []
    let log = IndependentLog(zoneLog: bytes, base: properties.base) { addLine($0, suffixes, &strange) }
    for (line, before) in strange {
      // A touch that only changes the access to the record keeps the tag. That may be the tag of a touch that
      // compaction removed.
      let isLeft = Self.sequences(ofTag: line.tag, suffixes).contains {
        before < $0 && $0 < line.sequence && $0 <= log.header.horizon
      }
      if line.kind == .touch, isLeft { continue }
      report("changes.jsonl", in: zone.directory, "the tag \(line.tag) at sequence \(line.sequence)")
    }
    for damage in log.damage { report("changes.jsonl", in: zone.directory, damage) }
    if !log.damage.isEmpty { isLogSound = false }
    shared.horizon = log.header.horizon
    end = max(log.end, properties.base)
  }

  private static func sequences(ofTag tag: String, _ suffixes: Set<String>) -> [Int64] {
    suffixes.filter(tag.hasSuffix).compactMap { Int64(tag.dropLast($0.count), radix: 36) }
  }

  /// `strange`: lines with a tag that is not their own, each with the sequence of the record's line before.
  private mutating func addLine(
    _ entry: IndependentLog.Line, _ suffixes: Set<String>, _ strange: inout [(line: ChangeLine, before: Int64)]
  ) {
    guard let line = ChangeLine(entry.value) else {
      isLogSound = false
      return report("changes.jsonl", in: zone.directory, "the line of sequence \(entry.sequence) is not a change")
    }
    if line.kind == .delete { keys.formUnion(IndexKey.keys(ofRemoval: line)) }
    let isOwnTag = suffixes.contains { line.tag == String(line.sequence, radix: 36) + $0 }
    if !isOwnTag, line.kind != .touch || line.tag != latest[line.record]?.tag {
      strange.append((line, latest[line.record]?.sequence ?? 0))
    }
    latest[line.record] = line
    shared.add(line)
  }

  // MARK: Records

  private mutating func checkRecords(_ properties: ZoneProperties) throws {
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
      if !checkRecord(bytes, file: entry.name, properties) { (knowsHolders, isComplete) = (false, false) }
    }
    // Data that seems to be missing may be in an unreadable file.
    if hasUnread { return }
    for (name, line) in latest where line.kind != .delete && live[name] == nil {
      report(
        FileName.document(name.string), in: zone.records, "the record '\(name)' is in the log and not here")
    }
    for (name, record) in live {
      if let parent = record.parent, live[parent] == nil {
        report(FileName.document(name.string), in: zone.records, "its parent '\(parent)' does not exist")
      }
    }
  }

  /// Checks a record's file; returns whether it is a record.
  private mutating func checkRecord(_ bytes: [UInt8], file: String, _ properties: ZoneProperties) -> Bool {
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
    compareWithLog(record, bytes, file: file, properties)
    return true
  }

  private mutating func compareWithLog(
    _ record: StoredRecord, _ bytes: [UInt8], file: String, _ properties: ZoneProperties
  ) {
    if FileName.document(record.name.string) != file {
      return report(file, in: zone.records, "it holds the record '\(record.name)', whose file has another name")
    }
    guard let line = latest[record.name], line.kind != .delete else {
      return report(file, in: zone.records, "the log knows no such record")
    }
    live[record.name] = record
    keys.formUnion(IndexKey.keys(of: record))
    for field in coverage.fields(of: record.type) {
      values[field, default: []] += zone.fieldEncoding.keys(of: record, [field]).map { ($0, record.name) }
    }
    // The error must not be reported for shares' logs as well.
    if !line.type.hasSameBytes(as: record.type) { isLogSound = false }
    let state = RecordFileState(record, bytes, in: properties)
    if let text = state.disagreement(with: line, lastSave: shared.saves[record.name]?.sequence) ?? state.fault {
      report(file, in: zone.records, text)
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
      for line in log.indexedLines { keys.formUnion(IndexKey.keys(of: line, in: share)) }
      let differences = isLogSound ? shared.differences(from: log, of: share) : []
      for difference in differences.prefix(Self.mostDifferences) {
        report(entry.name, in: zone.shares, difference.text)
      }
      let more = differences.count - Self.mostDifferences
      if more > 0 { report(entry.name, in: zone.shares, "so it is with \(more) more records") }
    }
  }

  // MARK: Index

  private mutating func checkIndex() throws {
    let path = zone.directory.path(of: ".index")
    do {
      let index = try view.index()
      try index.verify()
      guard isComplete else { return }
      var found: Set<[UInt8]> = []
      try index.scan(prefix: []) { key in
        if !IndexKey.isOfFields(key) { found.insert(key) }
        return true
      }
      report(lacking: keys.subtracting(found), needless: found.subtracting(keys), in: path)
      for field in coverage.fields { try checkValues(of: field, index, path) }
    } catch let error as IndexDamage {
      problems.append(Problem(path: path, text: "damaged: \(error.reason)"))
    }
  }

  /// Checks a field's keys. Beyond the field's extent, only some records have theirs.
  private mutating func checkValues(of field: IndexedField, _ index: IndexFile, _ path: String) throws {
    guard let extent = coverage[field] else { return }
    let expected = values[field] ?? []
    var found: Set<[UInt8]> = []
    try index.scan(prefix: IndexKey.values(of: field)) { key in
      found.insert(key)
      return true
    }
    let needed = expected.filter { extent.includes($0.name) }.map(\.key)
    report(
      lacking: Set(needed).subtracting(found), needless: found.subtracting(expected.map(\.key)), in: path)
  }

  private mutating func report(lacking: Set<[UInt8]>, needless: Set<[UInt8]>, in path: String) {
    func text(_ key: [UInt8]) -> String {
      String(decoding: key.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
    }
    problems += lacking.prefix(5).map { Problem(path: path, text: "it lacks \(text($0))") }
    problems += needless.prefix(5).map { Problem(path: path, text: "it has \(text($0)) without reason") }
  }
}
