import LocalCloudPlatform
import LocalCloudStorage

extension ZoneTransaction {
  /// The commit's effects. Call last: a large commit's files are still being made then.
  func effects() throws -> [JournalEntry.Effect] {
    var effects: [JournalEntry.Effect] = []
    var digests: [Int: String] = [:]
    let contents = try stager?.contents(of: writes.changed.count) ?? [:]
    for write in writes.changed {
      switch write.version {
      case .new(let record):
        let bytes = contents[write.effect]?.bytes ?? record.bytes
        if let line = write.line { digests[line] = contents[write.effect]?.digest ?? Digest.hex64(bytes) }
        effects.append(.replace(.record(write.name), bytes))
      case .gone:
        effects.append(.remove(.record(write.name)))
      case .same:
        break
      }
    }
    for (path, bytes) in files {
      // A path that can't be read back must not get into the journal.
      guard StorePath(text: path.text) == path else {
        throw StorageError.damaged(path: path.text, reason: "no file of the cloud can have this name")
      }
      effects.append(bytes.map { .replace(path, $0) } ?? .remove(path))
    }
    var text = JSONWriter(isPretty: false)
    for (index, line) in lines.enumerated() {
      var line = line
      // The digest is that of the final version; a version that the same commit replaces again was never written to a
      // file.
      if let digest = digests[index] {
        line.digest = digest
      } else if line.kind != .delete, latestLine(of: line.record) == index {
        line.digest = try digest(line.record)
      }
      if index == lines.count - 1 { line.superseded = superseded }
      if line.kind != .touch { (line.operation, line.stamp) = (operation, stamp) }
      line.encode(into: &text)
    }
    if !text.isEmpty { effects.append(.append(.changeLog, offset: try view.folder.logEnd(), text.bytes)) }
    let byShare = Dictionary(grouping: shareLines, by: \.share)
    for (share, lines) in byShare.sorted(by: { $0.key < $1.key }) {
      var text = JSONWriter(isPretty: false)
      for line in lines.map(\.line).sorted(by: { $0.sequence < $1.sequence }) { line.encode(into: &text) }
      let offset = endedShareLogs.contains(share) ? 0 : try view.folder.end(ofLog: .shareLog(share))
      effects.append(.append(.shareLog(share), offset: offset, text.bytes))
    }
    for share in endedShareLogs.sorted() where byShare[share] == nil {
      effects.append(.remove(.shareLog(share)))
    }
    return effects
  }

  /// The digest of a record that has a line but no new version.
  private func digest(_ name: ExactName) throws -> String? {
    try view.file(.record(name)).map(Digest.hex64)
  }
}
