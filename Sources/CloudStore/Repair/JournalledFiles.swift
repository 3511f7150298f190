import Storage

/// A zone's files beside a journal of which some entries are lost. What a lost entry had brought to a file must not be
/// undone by an older one that is whole.
struct JournalledFiles {
  private let zone: ZoneFolder
  private var deletions: [ExactName: Int64] = [:]

  init(of zone: ZoneFolder) throws {
    self.zone = zone
    let log = IndependentLog(zoneLog: (try? zone.directory.contents("changes.jsonl")) ?? [])
    for line in log.lines.compactMap({ ChangeLine($0.value) }) {
      deletions[line.record] = line.kind == .delete ? line.sequence : nil
    }
  }

  /// Whether the disk is behind this effect of the entry of that sequence.
  func lacks(_ effect: JournalEntry.Effect, of sequence: Int64) throws -> Bool {
    switch effect {
    case .replace(let path, let bytes):
      if let name = (try? JSONValue(parsing: bytes))?["recordName"]?.string,
        let deleted = deletions[ExactName(name)], deleted >= sequence
      {
        return false
      }
      if path.isKey { return try Self.sequence(zone.contents(path)) < Self.sequence(bytes) }
      guard let present = try present(path) else { return true }
      return isRecord(path) && present < sequence
    case .remove(let path):
      guard let present = try present(path) else { return false }
      return isRecord(path) && present < sequence
    case .place(let path, _):
      return try !(path.asset.map(zone.hasAsset) ?? true)
    case .append, .compact, .removeFolder:
      // Logs are made to fit the records.
      return false
    }
  }

  /// Of a key's file; -1 for what is missing or no JSON.
  private static func sequence(_ bytes: [UInt8]?) -> Int64 {
    bytes.flatMap { try? JSONValue(parsing: $0) }?["sequence"]?.integer ?? -1
  }

  private func isRecord(_ path: StorePath) -> Bool { path.base == .zone && path.components.first == "records" }

  /// The sequence of the last commit that wrote a record; nil for what is missing or no JSON.
  private func present(_ path: StorePath) throws -> Int64? {
    guard let bytes = try zone.contents(path), let object = (try? JSONValue(parsing: bytes))?.object else { return nil }
    let record = StoredRecord(object)
    // A touch leaves the sequence and changes the tag.
    return max(record.sequence, Int64(record.tag.prefix { $0 != "-" }, radix: 36) ?? 0)
  }
}
