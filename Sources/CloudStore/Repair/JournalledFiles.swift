import LocalCloudStorage

/// A zone's files, compared with a journal that has lost some entries. An older entry that is whole must not undo the
/// effect of a lost entry on a file.
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

  /// Whether the files lack this effect of the entry with that sequence.
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
    case .move(let path, _):
      return try !(path.asset.map(zone.hasAsset) ?? true)
    case .append, .compact, .removeFolder:
      // Logs are made to match the records afterwards.
      return false
    }
  }

  /// The sequence in a key's file; -1 if it is missing or no JSON.
  private static func sequence(_ bytes: [UInt8]?) -> Int64 {
    bytes.flatMap { try? JSONValue(parsing: $0) }?["sequence"]?.integer ?? -1
  }

  private func isRecord(_ path: StorePath) -> Bool { path.base == .zone && path.components.first == "records" }

  /// The sequence of the last commit that wrote a record; nil if it is missing or no JSON.
  private func present(_ path: StorePath) throws -> Int64? {
    guard let bytes = try zone.contents(path), let object = (try? JSONValue(parsing: bytes))?.object else { return nil }
    let record = StoredRecord(object)
    // A touch keeps the sequence and changes the tag.
    return max(record.sequence, Int64(record.tag.prefix { $0 != "-" }, radix: 36) ?? 0)
  }
}
