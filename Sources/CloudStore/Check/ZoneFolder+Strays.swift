import LocalCloudPlatform
import LocalCloudStorage

/// Entries in a zone's folders that belong to no zone ([check-9]).
extension ZoneFolder {
  /// The stray entries. A file that a killed process left is not stray: by its name, another process overwrites or
  /// removes it.
  func strays() throws -> [Stray] {
    let known: [String: Directory.Kind] = [
      ".index": .directory, ".journal": .directory, Self.assetsName: .directory, "changes.jsonl": .file,
      StorePath.keys: .directory, "lock": .file, "records": .directory, "shares": .directory, "zone.json": .file,
    ]
    var result = try directory.entries().filter { known[$0.name] != $0.kind }.map {
      Stray(folder: directory, name: $0.name, text: "nothing of a zone's")
    }
    func look(in folder: Directory?, _ text: String, _ isKnown: (String) -> Bool) throws {
      for entry in try folder?.entries() ?? [] where !entry.name.hasPrefix(".") && !isKnown(entry.name) {
        if let folder { result.append(Stray(folder: folder, name: entry.name, text: text)) }
      }
    }
    // `TreeShape` reports an entry that has one of these names and is of another kind.
    try look(in: readable(".index", directory), "nothing of an index's") {
      [JournaledFolder.indexName, JournaledFolder.indexName + ".new"].contains($0)
    }
    try look(in: journalDirectory, "nothing of a journal's") {
      [JournaledFolder.journalName, JournaledFolder.gateName, "staged", Self.uploadsName].contains($0)
    }
    try look(in: readable("staged", journalDirectory), "no commit stages a file of this name", Self.isStaged)
    try look(in: readable(Self.uploadsName, journalDirectory), "no upload has this name", Self.isUnderWay)
    return result
  }

  private func readable(_ name: String, _ folder: Directory) throws -> Directory? {
    try folder.kind(of: name) == .directory ? folder.directory(name) : nil
  }

  /// Whether a name is an effect's number, that of a file that repair stages, or that of a file that a compaction
  /// without the lock stages.
  private static func isStaged(_ name: String) -> Bool {
    ["zone.json", "changes.jsonl"].contains(name) || isNumber(name[...]) || StagedCompaction.isName(name)
  }

  /// Whether a name is that of a lease, or of one of its files.
  private static func isUnderWay(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 1 || parts.count == 2 && isNumber(parts[1])
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
