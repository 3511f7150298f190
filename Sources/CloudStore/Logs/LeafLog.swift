import Platform

/// The log of a database or of one account's shared database: which zones changed.
///
/// A line is written *before* the commit it speaks of, so that no commit can go unmentioned; one whose commit failed is
/// harmless, as readers look at the zone itself. Lines are not synced. A power cut may therefore lose the last ones:
/// the first one to open the log on another boot keeps what is whole, and begins a new era by mentioning every zone
/// again. A token holds era and sequence; one from beyond its era's end is taken back to that end.
package struct LeafLog {
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

  let directory: Directory

  package init(in directory: Directory) { self.directory = directory }

  private var boot: String { Digest.hex64(Array(directory.fileSystem.bootIdentifier.utf8)) }

  private func open() throws -> File {
    try directory.createFile(Self.fileName)
  }

  /// Mentions zones. `all` names every zone that a new era has to mention.
  package func append(
    _ mentions: [(zone: ExactName, owner: ExactName?, fields: JSONObject)], all: () throws -> [(ExactName, ExactName?)],
    _ patience: LockPatience
  ) throws {
    let file = try open()
    let held = try FairLock(directory, Self.fileName).acquire(.exclusive, patience)
    defer { held.release() }
    var (position, end) = try present(file, all: all)
    var bytes: [UInt8] = []
    for mention in mentions {
      position.sequence += 1
      bytes += line(position, zone: mention.zone, owner: mention.owner, mention.fields)
    }
    try file.write(bytes, at: end)
    end += bytes.count
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

  /// The last position, on this boot; begins a new era if the last line is from another.
  private func present(
    _ file: File, all: () throws -> [(ExactName, ExactName?)]
  ) throws -> (Position, end: Int) {
    let log = LogFile(file)
    let last: LogFile.Line?
    do { last = try log.last() } catch StoreError.damaged { return try beginEra(file, all: all) }
    guard let last else { return (Position(era: 1, sequence: 0), 0) }
    guard let era = last.value["era"]?.integer, LogFile.sequences.contains(era),
      last.value["boot"]?.string == boot
    else {
      return try beginEra(file, all: all)
    }
    let end = try log.end()
    if try file.size() > end { try file.truncate(to: end) }
    return (Position(era: era, sequence: last.sequence), end)
  }

  private func beginEra(
    _ file: File, all: () throws -> [(ExactName, ExactName?)]
  ) throws -> (Position, end: Int) {
    let bytes = try file.readAll()
    var position = Position(era: 0, sequence: 0)
    var end = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard end + line.count < bytes.count, let value = try? JSONValue(parsing: Array(line)),
        let era = value["era"]?.integer, LogFile.sequences.contains(era), let sequence = value["sequence"]?.integer,
        sequence == position.sequence + 1
      else { break }
      position = Position(era: era, sequence: sequence)
      end += line.count + 1
    }
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

  /// Where the log stands now: what a walk from nil begins with.
  package func position(all: () throws -> [(ExactName, ExactName?)], _ patience: LockPatience) throws -> Position {
    guard let file = try directory.fileIfPresent(Self.fileName) else { return Position(era: 1, sequence: 0) }
    if let last = try? LogFile(file).last(), last.value["boot"]?.string == boot,
      let era = last.value["era"]?.integer
    {
      return Position(era: era, sequence: last.sequence)
    }
    let held = try FairLock(directory, Self.fileName).acquire(.exclusive, patience)
    defer { held.release() }
    return try present(try directory.file(Self.fileName, .readWrite), all: all).0
  }

  /// Lines after a position, in order; nil if the position was never in this log.
  package func mentions(after position: Position) throws -> [Mention]? {
    guard let log = try LogFile.open(Self.fileName, in: directory) else { return position.sequence == 0 ? [] : nil }
    var start = position.sequence
    if let last = try log.last() {
      guard let era = last.value["era"]?.integer, position.era <= era else { return nil }
      if position.era < era {
        // Lines of the token's era that a power cut took: go back to where that era ends.
        var firstOfNext: Int64?
        try log.forEach(after: 0) { line in
          guard let lineEra = line.value["era"]?.integer, lineEra > position.era else { return true }
          firstOfNext = line.sequence
          return false
        }
        if let firstOfNext { start = min(start, firstOfNext - 1) }
      } else if start > last.sequence {
        return nil
      }
    } else if start > 0 {
      return nil
    }
    var result: [Mention] = []
    try log.forEach(after: start) { line in
      if let zone = line.value["zone"]?.string {
        result.append(Mention(zone: zone, owner: line.value["owner"]?.string, sequence: line.sequence))
      }
      return true
    }
    return result
  }
}
