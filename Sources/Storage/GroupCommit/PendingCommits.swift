import LocalCloudPlatform

/// Commits that writers left in the journal, and the folder's state including them. Another process may apply them to
/// the files concurrently; the result is the same.
///
/// Only a writer with the folder's lock uses them. They need not be durable yet. A result that relies on them is
/// reported only after they are durable.
struct PendingCommits {
  let frames: Journal.Frames
  private let files: UnappliedFiles
  /// The main log's sequence, superseded lines and end, including these commits.
  let head: (sequence: Int64, superseded: Int64, offset: Int)

  var entries: [JournalEntry] { frames.entries }
  /// The folder's sequence before these commits.
  var start: Int64 { entries[0].previous }

  /// Nil if there are no frames, or no commit may be planned on top of one of the entries.
  init?(_ frames: Journal.Frames, _ observer: any FolderObserver) {
    guard !frames.entries.isEmpty, frames.entries.allSatisfy({ $0.isJoinable(observer) }) else { return nil }
    files = UnappliedFiles(frames.entries)
    var text: [UInt8] = []
    for case .append(observer.mainLog, _, let bytes) in frames.entries.lazy.flatMap(\.effects) { text = bytes }
    let lines = text.dropLast()
    guard let value = try? JSONValue(parsing: lines[(lines.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)...]),
      let sequence = value["sequence"]?.integer, sequence == frames.entries.last?.sequence
    else { return nil }
    self.frames = frames
    head = (sequence, value["superseded"]?.integer ?? 0, files.end(of: observer.mainLog) ?? 0)
  }

  /// The contents of a file after these commits. The outer value is nil if they don't change it, the inner one if they
  /// remove it.
  func contents(_ path: StorePath) -> [UInt8]?? { files.contents(path) }

  /// The end of a log after these commits; nil if they don't append to it.
  func end(of log: StorePath) -> Int? { files.end(of: log) }

  /// Calls `body` with the keys that have the prefix, from `lower` on, after these commits, in order, until it returns
  /// false. The index may include some of the commits already.
  func scan(
    _ index: IndexFile, prefix: [UInt8], from lower: [UInt8]?, _ body: ([UInt8]) throws -> Bool
  ) throws {
    var own = keys(prefix, from: lower)[...]
    var isOver = false
    /// Passes on the changed keys before `bound`. Returns whether `bound` itself is present, or nil if it is not
    /// changed.
    func hand(before bound: [UInt8]?) throws -> Bool? {
      while !isOver, let (key, isThere) = own.first {
        let order = bound.map { ByteOrder.compare(key, $0) } ?? -1
        if order > 0 { return nil }
        own.removeFirst()
        if order == 0 { return isThere }
        if isThere { isOver = try !body(key) }
      }
      return nil
    }
    try index.scan(prefix: prefix, from: lower) { key in
      let isThere = try hand(before: key) ?? true
      if !isOver, isThere { isOver = try !body(key) }
      return !isOver
    }
    _ = try hand(before: nil)
  }

  /// The keys that these commits change, in order, and whether each is present afterwards.
  private func keys(_ prefix: [UInt8], from lower: [UInt8]?) -> [(key: [UInt8], isThere: Bool)] {
    var result: [[UInt8]: Bool] = [:]
    func add(_ key: [UInt8], _ isThere: Bool) {
      if key.starts(with: prefix), lower.map({ ByteOrder.compare(key, $0) >= 0 }) ?? true { result[key] = isThere }
    }
    for entry in entries {
      for key in entry.indexRemovals { add(key, false) }
      for key in entry.indexInsertions { add(key, true) }
    }
    return result.map { ($0.key, $0.value) }.sorted { ByteOrder.compare($0.0, $1.0) < 0 }
  }
}

extension JournalEntry {
  /// Whether other commits may be planned on top of the entry before it is applied to the files: it changes only
  /// documents and logs, including the main log.
  func isJoinable(_ observer: any FolderObserver) -> Bool {
    effects.allSatisfy { effect in
      switch effect {
      case .replace, .remove, .append: true
      case .compact, .move, .removeFolder: false
      }
    }
      && effects.contains { if case .append(observer.mainLog, _, _) = $0 { true } else { false } }
      && observer.isJoinable(self)
  }

  /// Merges joinable entries, given in their order, into one that writes each file once.
  init(merging entries: [JournalEntry], _ observer: any FolderObserver) {
    self.init(previous: entries.first?.previous ?? 0, sequence: entries.last?.sequence ?? 0, effects: [])
    var indexes: [StorePath: Int] = [:]
    func put(_ path: StorePath, _ effect: Effect, _ effects: inout [Effect]) {
      if let index = indexes[path] {
        effects[index] = effect
      } else {
        indexes[path] = effects.count
        effects.append(effect)
      }
    }
    var keys: [[UInt8]: Bool] = [:]
    extra = observer.merged(entries.map(\.extra))
    for entry in entries {
      for effect in entry.effects {
        switch effect {
        case .replace(let path, _), .remove(let path):
          put(path, effect, &effects)
        case .append(let path, let offset, let bytes):
          if offset > 0, let index = indexes[path], case .append(_, let start, let earlier) = effects[index],
            start + earlier.count == offset
          {
            effects[index] = .append(path, offset: start, earlier + bytes)
          } else {
            put(path, effect, &effects)
          }
        case .compact, .move, .removeFolder:
          effects.append(effect)
        }
      }
      for key in entry.indexRemovals { keys[key] = false }
      for key in entry.indexInsertions { keys[key] = true }
    }
    for (key, isThere) in keys {
      if isThere { indexInsertions.append(key) } else { indexRemovals.append(key) }
    }
  }
}
