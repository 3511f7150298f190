import LocalCloudPlatform
import LocalCloudStorage

/// The log of a database or of one account's shared database: it lists the zones that changed.
///
/// A line is written *before* the commit that it mentions, so that no commit goes unmentioned. A line with a failed
/// commit is harmless, because readers examine the zone itself. Lines are not synced, so a power cut may lose the last
/// ones: the first writer on another boot keeps the whole lines, and begins a new era by mentioning every zone again. A
/// position holds era and sequence; one beyond its era's end is moved back to that end. A log that was lost entirely
/// begins again with the time as its era, so that no era is ever used twice.
///
/// Compaction retains the last mention of each zone up to a horizon, so it never invalidates a position.
package struct DatabaseChangeLog {
  package static let fileName = "changes.jsonl"

  package struct Position: Sendable, Hashable {
    package var era: Int64
    package var sequence: Int64

    package init(era: Int64, sequence: Int64) {
      self.era = era
      self.sequence = sequence
    }
  }

  package struct Mention: Sendable, Hashable {
    package var zone: String
    package var owner: String?
    package var sequence: Int64
  }

  /// Returns every zone that a new era has to mention, and its owner in a shared database.
  package typealias AllZones = () throws -> [(ExactName, ExactName?)]

  let directory: Directory
  let limits: StorageLimits

  package init(in directory: Directory, limits: StorageLimits = StorageLimits()) {
    self.directory = directory
    self.limits = limits
  }

  private var boot: String { Digest.hex64(Array(directory.fileSystem.bootIdentifier.utf8)) }

  // MARK: Writing

  /// Mentions zones. Begins a new era first, if the last line is of another boot. Compacts the log if that is due.
  ///
  /// - Parameters:
  ///   - mentions: the zones; `owner` is nil except in a shared database, `fields` are more members of the line.
  ///   - isReplay: the mentions were made before, on another boot.
  ///   - all: called only if a new era begins.
  package func append(
    _ mentions: [(zone: ExactName, owner: ExactName?, fields: JSONObject)], isReplay: Bool = false, all: AllZones,
    _ waitPolicy: LockWaitPolicy
  ) throws {
    let held = try locked(waitPolicy)
    defer { held.release() }
    let file = held.file
    var (position, end) = try present(file, isReplay: isReplay, all: all)
    var bytes: [UInt8] = []
    for mention in mentions {
      position.sequence += 1
      bytes += line(position, zone: mention.zone, owner: mention.owner, mention.fields)
    }
    try file.write(bytes, at: end)
    // Below this length no compaction is due, and the header is not read.
    guard position.sequence >= 2 * limits.retainedChanges else { return }
    let header = try LogFile(file).header()
    guard header.isDue(worthless: position.sequence - header.horizon, retaining: limits.retainedChanges) else { return }
    held.release()
    // The mentions are written; a failed compaction is retried next time.
    let horizon = position.sequence - limits.retainedChanges
    _ = try? LogReplacement(directory, file, name: Self.fileName) { try Self.compacted($0, horizon) }.run(waitPolicy)
  }

  /// Locks the log's own file.
  private func locked(_ waitPolicy: LockWaitPolicy) throws -> HeldLock {
    try FairLock.leaf(directory, Self.fileName).acquireMakingFile(waitPolicy)
  }

  private func line(_ position: Position, zone: ExactName, owner: ExactName?, _ fields: JSONObject) -> [UInt8] {
    var object = fields
    object["sequence"] = .integer(position.sequence)
    object["era"] = .integer(position.era)
    object["boot"] = .string(boot)
    object["zone"] = .string(zone.string)
    if let owner { object["owner"] = .string(owner.string) }
    return JSONValue.object(object).compact() + [0x0A]
  }

  /// The last position, on this boot; begins a new era if the last line is of another boot.
  private func present(_ file: File, isReplay: Bool = false, all: AllZones) throws -> (Position, end: Int) {
    let log = LogFile(file)
    let tail: LogFile.Tail
    do { tail = try log.tail() } catch StorageError.damaged {
      // A power cut doesn't cause this on the same boot, so a copy of the damaged log is stored for examination.
      try directory.writeStaged(Self.fileName + ".damaged", try file.readAll())
      return try beginEra(file, all: all)
    }
    guard let last = tail.last else { return (Position(era: isReplay ? systemTimeMilliseconds() : 1, sequence: 0), 0) }
    guard let position = Self.position(last), isOfThisBoot(last) else { return try beginEra(file, all: all) }
    if !tail.isWhole { try file.truncate(to: tail.end) }
    return (position, tail.end)
  }

  private static func position(_ line: LogFile.Line) -> Position? {
    guard let era = line.value["era"]?.integer, LogFile.sequences.contains(era) else { return nil }
    return Position(era: era, sequence: line.sequence)
  }

  private func isOfThisBoot(_ line: LogFile.Line) -> Bool { line.value["boot"]?.string == boot }

  private func beginEra(_ file: File, all: AllZones) throws -> (Position, end: Int) {
    let bytes = try file.readAll()
    var position = Position(era: 0, sequence: 0)
    var end = 0
    var horizon: Int64 = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard end + line.count < bytes.count, let value = try? JSONValue(parsing: Array(line)) else { break }
      if end == 0, let header = LogHeader(value) {
        horizon = header.horizon
      } else {
        guard let era = value["era"]?.integer, LogFile.sequences.contains(era),
          let sequence = value["sequence"]?.integer,
          sequence == position.sequence + 1 || position.sequence < sequence && sequence <= horizon + 1
        else { break }
        position = Position(era: era, sequence: sequence)
      }
      end += line.count + 1
    }
    position.sequence = max(position.sequence, horizon)
    position.era += 1
    var added: [UInt8] = []
    for (zone, owner) in try all() {
      position.sequence += 1
      added += line(position, zone: zone, owner: owner, [:])
    }
    try file.truncate(to: end)
    try file.write(added, at: end)
    return (position, end + added.count)
  }

  /// For repair: begins a new log, after the caller moved the old one away.
  func begin(above era: Int64, all zones: [(ExactName, ExactName?)], _ waitPolicy: LockWaitPolicy) throws {
    let held = try locked(waitPolicy)
    defer { held.release() }
    var position = Position(era: era + 1, sequence: 0)
    var bytes: [UInt8] = []
    for (zone, owner) in zones {
      position.sequence += 1
      bytes += line(position, zone: zone, owner: owner, [:])
    }
    try held.file.write(bytes, at: 0)
    try held.file.sync()
    try directory.sync()
  }

  // MARK: Reading

  /// The log's present position; a fetch without a token begins with it. Begins a new era first, if the last line is of
  /// another boot.
  ///
  /// - Parameter all: called only if a new era begins.
  package func position(all: AllZones, _ waitPolicy: LockWaitPolicy) throws -> Position {
    guard let file = try directory.fileIfPresent(Self.fileName) else {
      return Position(era: 1, sequence: 0)
    }
    if let last = try? LogFile(file).last(), let position = Self.position(last), isOfThisBoot(last) {
      return position
    }
    let held = try locked(waitPolicy)
    defer { held.release() }
    return try present(held.file, all: all).0
  }

  /// The mentions after a position, in order; nil if the position was never in this log.
  package func mentions(after position: Position) throws -> [Mention]? {
    guard let log = try LogFile.open(Self.fileName, in: directory), let last = try log.last() else {
      return position.sequence == 0 ? [] : nil
    }
    guard let present = Self.position(last) else { return nil }
    var start = position.sequence
    if position.era < present.era {
      start = min(start, try end(of: position.era, in: log))
    } else if position.era == present.era + 1, !isOfThisBoot(last) {
      // An era of this boot that has no line yet continues from the last line.
      start = min(start, last.sequence)
    } else if position.era > present.era || start > last.sequence {
      return nil
    }
    var result: [Mention] = []
    try log.forEach(after: start) { line in
      if let mention = Self.mention(line) { result.append(mention) }
      return true
    }
    return result
  }

  static func mention(_ line: LogFile.Line) -> Mention? {
    line.value["zone"]?.string.map {
      Mention(zone: $0, owner: line.value["owner"]?.string, sequence: line.sequence)
    }
  }

  /// The sequence of an era's last line that remains after a power cut; 0 if no line remains.
  private func end(of wanted: Int64, in log: LogFile) throws -> Int64 {
    var end: Int64 = 0
    try log.forEach(after: 0) { line in
      guard let era = line.value["era"]?.integer, era <= wanted else { return false }
      if era == wanted { end = line.sequence }
      return true
    }
    return end
  }
}
extension DatabaseChangeLog {
  /// The contents of the log with only the last mention of each zone up to a horizon.
  static func compacted(_ log: LogFile, _ horizon: Int64) throws -> [UInt8] {
    var last: [Mention: Int64] = [:]
    try log.forEach(after: .min) { line in
      guard line.sequence <= horizon else { return false }
      if var mention = mention(line) {
        mention.sequence = 0
        last[mention] = line.sequence
      }
      return true
    }
    let kept = Set(last.values)
    var bytes = LogHeader(horizon: horizon, kept: Int64(kept.count)).bytes
    try log.forEach(after: .min) { line in
      if line.sequence > horizon || kept.contains(line.sequence) { bytes += line.bytes + [0x0A] }
      return true
    }
    return bytes
  }
}
