import Platform

/// Compacted logs that are staged, and on the disk, while others append to the old ones.
///
/// One process at a time makes one. Used by one thread.
struct StagedCompaction {
  struct Log {
    var effect: JournalEntry.Compaction
    /// Under which it is staged.
    var name: String
    fileprivate var isDropped = false
    /// What tells the old log from any other one.
    fileprivate var mark: Mark
  }

  /// No two states of a log have the same: a compaction changes the header, and a sequence is given once.
  fileprivate struct Mark: Equatable {
    var header: LogHeader
    var last: Int64?
    var end: Int

    init(_ log: LogFile, upTo end: Int) throws {
      let tail = try LogFile(log.file, limit: end).tail()
      (header, last, self.end) = (try log.header(), tail.last?.sequence, tail.end)
    }
  }

  private let zone: ZoneStore
  private let lock: File
  private var logs: [Log] = []
  /// Files that are to be removed if nothing comes of them.
  private var names: [String] = []
  private var folder: Directory { zone.staged }

  /// Nil where another process is at it. `ends`: up to which byte of each log; all of them are in the files.
  init?(of ends: [(path: FilePath, end: Int)], in zone: ZoneStore, _ plan: CompactionPlan) throws {
    self.zone = zone
    // What a killed process left is nobody's.
    lock = try zone.staged.createFile(Self.name(0))
    guard try lock.tryLock(.exclusive) else { return nil }
    do {
      guard try zone.staged.identity(of: Self.name(0)) == lock.identity() else {
        lock.unlock()
        return nil
      }
      for (place, (path, end)) in ends.enumerated() { try stage(path, end, Self.name(place), plan) }
    } catch {
      discard()
      throw error
    }
  }

  /// No effect of a commit has such a name.
  private static func name(_ place: Int) -> String { "compacted-\(place)" }

  private mutating func stage(_ path: FilePath, _ end: Int, _ name: String, _ plan: CompactionPlan) throws {
    guard let log = try zone.log(path) else { return }
    let mark = try Mark(log, upTo: end)
    guard let compacted = try CompactedLog(of: path, end, in: zone, plan) else { return }
    names.append(name)
    try zone.stageDurably(compacted.bytes, as: name)
    logs.append(Log(effect: compacted.effect, name: name, mark: mark))
  }

  /// Appends what came meanwhile, and drops logs that others ended or compacted; all of them, if they compacted the
  /// zone's. Call with the zone's lock, and what was committed in the files.
  mutating func takeOverTails() throws {
    for place in logs.indices {
      let (log, effect) = (logs[place], logs[place].effect)
      guard let old = try zone.log(effect.path), try old.file.size() >= effect.from,
        try Mark(old, upTo: effect.from) == log.mark
      else {
        logs[place].isDropped = true
        continue
      }
      logs[place].effect.tail = try old.end() - effect.from
      let tail = try old.file.read(at: effect.from, count: logs[place].effect.tail)
      if !tail.isEmpty { try folder.file(log.name, .readWrite).write(tail, at: effect.size) }
    }
  }

  /// Hands out the logs that are to be put in place by now; they are the caller's.
  mutating func take() -> [Log] {
    guard let first = logs.first, !first.isDropped, first.effect.path == .changeLog else { return [] }
    for log in logs where log.isDropped { _ = try? folder.remove(log.name) }
    names = []
    return logs.filter { !$0.isDropped }
  }

  /// Removes what was not taken.
  func discard() {
    for name in names { _ = try? folder.remove(name) }
    lock.unlock()
  }
}
