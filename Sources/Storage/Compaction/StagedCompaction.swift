import LocalCloudPlatform

/// Compacted logs that are staged and durable while other processes append to the old ones.
///
/// One process at a time makes one. Not thread-safe.
package struct StagedCompaction {
  /// A log's state while the folder's lock was held.
  struct Source {
    fileprivate var path: StorePath
    fileprivate var mark: Mark

    /// Nil if there is no such log. Call with the folder's lock.
    init?(_ path: StorePath, in observer: any FolderObserver) throws {
      guard let log = try observer.log(path) else { return nil }
      self.path = path
      mark = try Mark(log, upTo: log.end())
    }
  }

  struct Log {
    var effect: JournalEntry.Compaction
    /// The name of the staged file.
    var name: String
    fileprivate var isDropped = false
    /// Identifies the old log's state.
    fileprivate var mark: Mark
  }

  /// Identifies a state of a log. No two states have equal marks: a compaction changes the header, and each sequence is
  /// assigned once.
  fileprivate struct Mark: Equatable {
    var header: LogHeader
    var last: Int64?
    var end: Int

    init(_ log: LogFile, upTo end: Int) throws {
      let tail = try LogFile(log.file, limit: end).tail()
      (header, last, self.end) = (try log.header(), tail.last?.sequence, tail.end)
    }
  }

  private let owner: JournaledFolder
  private let lock: File
  private var logs: [Log] = []
  private var folder: Directory { owner.staged }

  /// The prefix of the staged names; no effect of a commit has such a name.
  private static let prefix = "compacted-"
  private static let lockName = "compacting"

  package static func isName(_ name: String) -> Bool { name == lockName || name.hasPrefix(prefix) }

  /// Stages the compaction of `sources`, after all commits are applied to them. Nil if another process is compacting.
  init?(of sources: [Source], in owner: JournaledFolder, _ plan: CompactionPlan) throws {
    self.owner = owner
    lock = try owner.staged.createFile(Self.lockName)
    guard try lock.tryLock(.exclusive) else { return nil }
    guard try owner.staged.identity(of: Self.lockName) == lock.identity() else {
      lock.unlock()
      return nil
    }
    do {
      // Files that a killed process left have no owner.
      try removeAll()
      for (index, source) in sources.enumerated() { try stage(source, Self.prefix + String(index), plan) }
    } catch {
      discard()
      throw error
    }
  }

  private mutating func stage(_ source: Source, _ name: String, _ plan: CompactionPlan) throws {
    guard let compacted = try CompactedLog(of: source.path, source.mark.end, in: owner.observer, plan) else { return }
    try owner.stageDurably(compacted.bytes, as: name)
    logs.append(Log(effect: compacted.effect, name: name, mark: source.mark))
  }

  /// Appends the lines that were added to the old logs since then, and drops logs that other processes removed or
  /// compacted. Call with the folder's lock, after applying all commits to the files.
  mutating func takeOverTails() throws {
    for index in logs.indices {
      let (log, effect) = (logs[index], logs[index].effect)
      guard let old = try owner.observer.log(effect.path), try old.file.size() >= effect.from,
        try Mark(old, upTo: effect.from) == log.mark
      else {
        logs[index].isDropped = true
        continue
      }
      logs[index].effect.tail = try old.end() - effect.from
      let tail = try old.file.read(at: effect.from, count: logs[index].effect.tail)
      if !tail.isEmpty { try folder.file(log.name, .readWrite).write(tail, at: effect.size) }
    }
  }

  /// The logs to install; none if the main log was dropped.
  func take() -> [Log] {
    guard let first = logs.first, !first.isDropped, first.effect.path == owner.observer.mainLog else { return [] }
    return logs.filter { !$0.isDropped }
  }

  /// Removes the staged files that were not installed, and releases the lock.
  func discard() {
    try? removeAll()
    _ = try? folder.remove(Self.lockName)
    lock.unlock()
  }

  private func removeAll() throws {
    for entry in try folder.entries() where entry.name.hasPrefix(Self.prefix) { _ = try folder.remove(entry.name) }
  }
}
