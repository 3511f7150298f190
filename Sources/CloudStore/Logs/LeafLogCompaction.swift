import Platform

/// Writes a database's log anew, with just the last mention of each zone up to a horizon.
///
/// The new file is synced before it takes the log's place, and outside the log's lock, which is never held during a
/// sync; lines that come meanwhile are copied and synced after.
struct LeafLogCompaction {
  private static let stagedName = ".changes.jsonl.new"

  private let directory: Directory
  private let file: File

  init(_ directory: Directory, _ file: File) {
    self.directory = directory
    self.file = file
  }

  func run(horizon: Int64, _ patience: LockPatience) throws {
    let staged = try directory.createFile(Self.stagedName)
    // One at a time; what a killed process left is nobody's.
    guard try staged.tryLock(.exclusive) else { return }
    defer { staged.unlock() }
    guard try directory.identity(of: Self.stagedName) == staged.identity() else { return }
    var copied = try LogFile(file).end()
    var bytes = try compacted(LogFile(file, limit: copied), horizon)
    var size = 0
    try staged.truncate(to: 0)
    for _ in 0..<8 {
      try staged.write(bytes, at: size)
      try staged.sync()
      size += bytes.count
      let held = try FairLock(directory, LeafLog.fileName).acquire(.exclusive, patience)
      defer { held.release() }
      guard try directory.identity(of: LeafLog.fileName) == file.identity() else { return }
      bytes = try file.read(at: copied, count: max(0, file.size() - copied))
      if bytes.isEmpty { return try directory.rename(Self.stagedName, to: directory, as: LeafLog.fileName) }
      copied += bytes.count
    }
  }

  private func compacted(_ log: LogFile, _ horizon: Int64) throws -> [UInt8] {
    var last: [LeafLog.Mention: Int64] = [:]
    try log.forEach(after: .min) { line in
      guard line.sequence <= horizon else { return false }
      if var mention = LeafLog.mention(line) {
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
