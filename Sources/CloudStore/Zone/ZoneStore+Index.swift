import Platform
import Storage

/// The zone's index: derived, and made anew from records and logs when it can't be trusted.
extension ZoneStore {
  /// The open one, as long as nobody has made it anew. `writing`: one that might only be read is opened again.
  func openIndex(writing: Bool = false) throws -> IndexFile? {
    if let index = openedIndex.withLock({ $0 }), index.isWritable || !writing, try index.isCurrent() { return index }
    // What is neither file nor folder is replaced by an index, as a missing one is.
    let place = try directory.directoryIfPresent(".index")
    let index = try place.flatMap { place in
      try place.kind(of: Self.indexName) == .other
        ? nil : try IndexFile.openIfPresent(in: place, name: Self.indexName, of: properties().indexOwner)
    }
    openedIndex.withLock { $0 = index }
    return index
  }

  func dropIndex() throws {
    guard let place = try directory.directoryIfPresent(".index"), try place.kind(of: Self.indexName) != .directory
    else { return }
    try place.remove(Self.indexName)
  }

  /// From records and logs alone. O(records).
  func rebuildIndex() throws {
    let view = ZoneView(self)
    var keys: [[UInt8]] = []
    var unreadable: Set<String> = []
    try view.forEachChange(after: .min) { line in
      if line.kind == .delete { keys += IndexKey.keys(ofRemoval: line) }
      return true
    }
    for entry in try records.entries() where entry.kind == .file && !entry.name.hasPrefix(".") {
      // A copy that an editor left beside a record is no record; `check` tells of it.
      guard entry.name.hasSuffix(".json") else { continue }
      do {
        guard let bytes = try records.contents(entry.name) else { continue }
        let record = try storedRecord(bytes, file: entry.name)
        guard FileName.document(record.name.string) == entry.name else { continue }
        keys += IndexKey.keys(of: record)
      } catch  where Self.concernsOneRecord(error) {
        unreadable.insert(entry.name)
      }
    }
    if !unreadable.isEmpty { keys += try loggedKeys(ofFiles: unreadable, view) }
    for entry in try shares.entries() where entry.name.hasSuffix(".jsonl") {
      let (share, lines) = try latestLines(ofLog: entry.name)
      for line in lines { keys += IndexKey.keys(of: line, in: share) }
    }
    keys.sort { $0.lexicographicallyPrecedes($1) }
    try directory.makeDirectory(".index")
    _ = try IndexFile.build(
      in: try directory.directory(".index"), name: Self.indexName, of: try properties().indexOwner, sortedKeys: keys,
      sequence: try view.head())
  }

  private static func concernsOneRecord(_ error: any Error) -> Bool {
    switch error {
    case StorageError.damaged, StorageError.nameCollision: true
    case let error as SystemError: error.isUnreadable
    default: false
    }
  }

  /// What the log tells of records whose files can't be read: so they are found, and fail, alone.
  private func loggedKeys(ofFiles files: Set<String>, _ view: ZoneView) throws -> [[UInt8]] {
    var saves: [ExactName: ChangeLine] = [:]
    try view.forEachChange(after: .min) { line in
      switch line.kind {
      case .save where files.contains(FileName.document(line.record.string)): saves[line.record] = line
      case .delete: saves[line.record] = nil
      default: break
      }
      return true
    }
    return saves.values.flatMap { line in
      [IndexKey.typed(line.type, line.record), IndexKey.live(nil, line.sequence, line.record)]
        + (line.parent.map { [IndexKey.child($0, line.record)] } ?? [])
    }
  }

  /// A share's log as its index has it: the latest line of each live member, and every removal.
  func latestLines(ofLog name: String) throws -> (share: ExactName, lines: [ShareLine]) {
    let file = try shares.file(name)
    var members: [ExactName: ShareLine] = [:]
    var removals: [ShareLine] = []
    var names: Set<ExactName> = []
    var last = Int64.min
    try LogFile(file).forEach(after: .min) { line in
      guard let change = ShareLine(line.value) else {
        throw StorageError.damaged(path: file.path, reason: "the line at byte \(line.offset) is not a share's line")
      }
      guard change.sequence > last else {
        throw StorageError.damaged(path: file.path, reason: "sequence \(change.sequence) after \(last)")
      }
      last = change.sequence
      names.insert(change.record)
      if change.kind == .outside { removals.append(change) }
      members[change.record] = change.kind == .inside ? change : nil
      return true
    }
    return (try shareName(ofLog: name, members: names), members.values + removals)
  }

  private func storedRecord(_ bytes: [UInt8], file: String) throws -> StoredRecord {
    guard let value = try? JSONValue(parsing: bytes), let name = value["recordName"]?.string else {
      throw StorageError.damaged(path: records.path(of: file), reason: "not a record")
    }
    return try .parse(bytes, path: records.path(of: file), expecting: ExactName(name))
  }

  /// A log's share: by the file's name, or, where that is a digest, by the member whose file name it is.
  private func shareName(ofLog file: String, members: some Sequence<ExactName>) throws -> ExactName {
    let stem = String(file.dropLast(".jsonl".count))
    if let name = FileName.decode(stem) { return ExactName(name) }
    guard let name = members.first(where: { FileName.encode($0.string) == stem }) else {
      throw StorageError.damaged(path: shares.path(of: file), reason: "no member of this share's log is the share itself")
    }
    return name
  }
}
