import LocalCloudPlatform
import LocalCloudStorage

/// Makes the files of a zone consistent again, under its exclusive lock.
///
/// Records matter most to users, so they are trusted: journal, log and index are made to match them. A file that is not
/// a record is set aside. If the log can't be trusted, a new log lists every record's present state, in a new history,
/// so that old tokens expire and tags are never used twice.
struct ZoneRepair {
  let zone: ZoneStore
  let aside: Quarantine
  let waitPolicy: LockWaitPolicy
  /// The identifier of the new history, if one begins.
  let history: String
  /// The properties for a zone that has lost its own.
  let fallback: ZoneProperties
  private(set) var done: [Problem] = []
  private var needsHistory = false

  init(_ zone: ZoneStore, _ aside: Quarantine, _ waitPolicy: LockWaitPolicy, history: String, fallback: ZoneProperties)
  {
    self.zone = zone
    self.aside = aside
    self.waitPolicy = waitPolicy
    self.history = history
    self.fallback = fallback
  }

  /// After this the zone can be opened and its index matches its files. Returns the differences that the log still has
  /// to record.
  mutating func run() throws -> ZoneDifferences {
    try repairJournal()
    try repairFolders()
    try repairProperties()
    let records = try repairRecords()
    try repairAssets(of: records.values.map(\.record))
    let log = try repairLog(records)
    try repairShareLogs(end: max(log.end, try zone.properties().base))
    if needsHistory { try branch(after: log.last ?? log.header.horizon) }
    try zone.journal.checkpoint()
    try zone.folder.rebuildIndex()
    return ZoneDifferences(records: records, log: log)
  }

  private mutating func report(_ path: String, _ text: String) { done.append(Problem(path: path, text: text)) }

  // MARK: Journal

  private mutating func repairJournal() throws {
    let problem = try zone.folder.repairJournal(aside, waitPolicy) { entries in
      // Whole entries are commits: their files are restored, and the log is made to match below.
      let files = try JournalledFiles(of: zone.files)
      for entry in entries { try salvage(entry, files) }
    }
    guard let problem else { return }
    needsHistory = true
    done.append(problem)
  }

  /// Restores the missing files of a whole entry.
  ///
  /// - Parameter files: the files before any entry of the journal was salvaged.
  private mutating func salvage(_ entry: JournalEntry, _ files: JournalledFiles) throws {
    if entry.effects.last != .removeFolder { try zone.files.notifyObserver(of: entry, isReplay: true, waitPolicy) }
    var entry = entry
    try entry.effects.removeAll { try !files.lacks($0, of: entry.sequence) }
    done += try zone.keepFormer(of: entry, aside).map { $0.problem }
    try zone.folder.apply(entry, staged: false)
  }

  /// Sets aside the entries that belong to no zone.
  private mutating func repairFolders() throws {
    for stray in try zone.files.strays() {
      let problem = try aside.move(stray)
      report(problem.path, problem.text)
    }
  }

  // MARK: Properties

  private mutating func repairProperties() throws {
    do { _ = try zone.properties() } catch {
      guard error is StorageError || error is StoreError else { throw error }
      let path = zone.directory.path(of: "zone.json")
      var moved = "it was missing"
      if try zone.directory.exists("zone.json") {
        moved = "what was there is in " + (try aside.move("zone.json", in: zone.directory))
      }
      try zone.folder.put(fallback.bytes, as: "zone.json")
      report(path, "made anew; \(moved)")
    }
  }

  private mutating func branch(after sequence: Int64) throws {
    var properties = try zone.properties()
    let copy = try aside.copy("zone.json", in: zone.directory)
    report(zone.directory.path(of: "zone.json"), "a history begins; what was there is in \(copy)")
    properties.branch(history, after: logIsNew ? properties.base : sequence)
    try zone.folder.put(properties.bytes, as: "zone.json")
  }

  // MARK: Records

  private mutating func repairRecords() throws -> [ExactName: RecordFileState] {
    let properties = try zone.properties()
    var result: [ExactName: RecordFileState] = [:]
    for entry in try zone.records.entries() {
      guard entry.kind == .file, let bytes = try zone.records.contents(entry.name),
        let name = (try? JSONValue(parsing: bytes))?["recordName"]?.string,
        let record = try? StoredRecord.parse(bytes, path: entry.name, expecting: ExactName(name)),
        FileName.document(name) == entry.name
      else {
        let moved = try aside.move(entry.name, in: zone.records)
        report(zone.records.path(of: entry.name), "no record: it is in \(moved)")
        continue
      }
      result[record.name] = RecordFileState(record, bytes, in: properties)
    }
    return result
  }

  // MARK: Assets

  /// Sets aside assets that no record refers to, or with bytes that don't match their names. A user has to restore the
  /// missing assets then.
  private mutating func repairAssets(of records: [StoredRecord]) throws {
    let held = records.reduce(into: Set<ContentName>()) { $0.formUnion($1.assets) }
    for (folder, entry) in try zone.files.assetEntries() {
      var reason = "no record holds it"
      if let name = ContentName(entry.name), held.contains(name) {
        let problem: Problem?
        // The user decides about permissions.
        do { problem = try zone.files.content(of: name).problem() } catch let error as SystemError where error.isDenied
        {
          continue
        }
        guard let problem else { continue }
        reason = problem.text
      }
      let moved = try aside.move(entry.name, in: folder)
      report(folder.path(of: entry.name), "\(reason): it is in \(moved)")
    }
  }

  // MARK: Logs

  private var logIsNew = false

  private mutating func repairLog(_ records: [ExactName: RecordFileState]) throws -> IndependentLog {
    let properties = try zone.properties()
    let bytes = try zone.directory.contents("changes.jsonl")
    let log = IndependentLog(zoneLog: bytes ?? [], base: properties.base)
    let isReadable = log.lines.allSatisfy { ChangeLine($0.value) != nil }
    if bytes != nil, log.damage.isEmpty, isReadable, Self.hasOwnTags(log, properties) { return log }
    // Above every sequence that was ever used here, as far as can be determined.
    let counted =
      log.lines.map(\.sequence) + records.values.map(\.record.sequence) + [properties.base, log.header.horizon]
    let last = counted.filter { $0 < 1 << 50 }.max() ?? 0
    var moved = "it was missing"
    if bytes != nil { moved = "the old one is in " + (try aside.move("changes.jsonl", in: zone.directory)) }
    let header = LogHeader(horizon: last, forgotten: last)
    try zone.folder.put(header.bytes, as: "changes.jsonl")
    report(
      zone.directory.path(of: "changes.jsonl"),
      (log.damage.first ?? "it can't be read") + ": begun anew with every record; \(moved)")
    (needsHistory, logIsNew) = (true, true)
    return IndependentLog(zoneLog: header.bytes)
  }

  /// Whether every line's tag is its own sequence, except for touches that keep the record's tag.
  private static func hasOwnTags(_ log: IndependentLog, _ properties: ZoneProperties) -> Bool {
    let suffixes = Set(properties.histories.map(\.tagSuffix))
    var latest: [ExactName: String] = [:]
    for line in log.lines.compactMap({ ChangeLine($0.value) }) {
      let isOwn = suffixes.contains { line.tag == String(line.sequence, radix: 36) + $0 }
      if !isOwn, line.kind != .touch || line.tag != latest[line.record] { return false }
      latest[line.record] = line.tag
    }
    return true
  }

  /// `end`: the zone's sequence.
  private mutating func repairShareLogs(end: Int64) throws {
    for entry in try zone.shares.entries() where !entry.name.hasPrefix(".") {
      let bytes = entry.kind == .file ? try zone.shares.contents(entry.name) : nil
      if let bytes, IndependentShareLog(bytes, file: entry.name, end: end).damage.isEmpty { continue }
      let moved = try aside.move(entry.name, in: zone.shares)
      report(zone.shares.path(of: entry.name), "no share's log: it is in \(moved)")
      needsHistory = true
    }
  }
}
