import Platform

/// Commits that writers left in the journal to be completed: what a folder is with them, whether or not somebody is about
/// to bring them into the files.
///
/// Only a writer with the folder's lock goes by them. None need be durable yet; nobody is told what is planned upon them
/// before they are.
struct PendingCommits {
  let frames: Journal.Frames
  private var files: [StorePath: [UInt8]?] = [:]
  private var logEnds: [StorePath: Int] = [:]
  /// Where the main log stands with them.
  let head: (sequence: Int64, superseded: Int64, offset: Int)

  var entries: [JournalEntry] { frames.entries }
  /// The folder's sequence before them.
  var start: Int64 { entries[0].previous }

  /// Nil for entries that can't be planned upon.
  init?(_ frames: Journal.Frames, _ client: any FolderClient) {
    guard !frames.entries.isEmpty, frames.entries.allSatisfy({ $0.isJoinable(client) }) else { return nil }
    var text: [UInt8] = []
    for effect in frames.entries.flatMap(\.effects) {
      switch effect {
      case .replace(let path, let bytes): files[path] = .some(bytes)
      case .remove(let path): files[path] = .some(nil)
      case .append(let path, let offset, let bytes):
        logEnds[path] = offset + bytes.count
        if path == client.mainLog { text = bytes }
      case .compact, .place, .removeFolder: return nil
      }
    }
    let lines = text.dropLast()
    guard let value = try? JSONValue(parsing: lines[(lines.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)...]),
      let sequence = value["sequence"]?.integer, sequence == frames.entries.last?.sequence
    else { return nil }
    self.frames = frames
    head = (sequence, value["superseded"]?.integer ?? 0, logEnds[client.mainLog] ?? 0)
  }

  /// Nil where they leave the file alone; else its bytes, if it is there.
  func contents(_ path: StorePath) -> [UInt8]?? { files[path] }

  /// Where a log ends, if they write to it.
  func end(of log: StorePath) -> Int? { logEnds[log] }

  /// Hands out the keys with a prefix, from `lower` on, that there are after them, until `body` answers false. It does not
  /// matter which of them the index has already.
  func scan(
    _ index: IndexFile, prefix: [UInt8], from lower: [UInt8]?, _ body: ([UInt8]) throws -> Bool
  ) throws {
    var own = keys(prefix, from: lower)[...]
    var isOver = false
    /// Those before `bound`; answers what is said of the bound itself.
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

  /// Those that they change, in order, and whether each is there afterwards.
  private func keys(_ prefix: [UInt8], from lower: [UInt8]?) -> [(key: [UInt8], isThere: Bool)] {
    var result: [[UInt8]: Bool] = [:]
    func note(_ key: [UInt8], _ isThere: Bool) {
      if key.starts(with: prefix), lower.map({ ByteOrder.compare(key, $0) >= 0 }) ?? true { result[key] = isThere }
    }
    for entry in entries {
      for key in entry.indexRemovals { note(key, false) }
      for key in entry.indexInsertions { note(key, true) }
    }
    return result.map { ($0.key, $0.value) }.sorted { ByteOrder.compare($0.0, $1.0) < 0 }
  }
}

extension JournalEntry {
  /// Whether others may plan upon it before it is in the files: it changes documents, and the logs that tell of it.
  func isJoinable(_ client: any FolderClient) -> Bool {
    effects.allSatisfy { effect in
      switch effect {
      case .replace, .remove, .append: true
      case .compact, .place, .removeFolder: false
      }
    }
      && effects.contains { if case .append(client.mainLog, _, _) = $0 { true } else { false } }
      && client.isJoinable(self)
  }

  /// What joinable entries do, one after another: each file is written once.
  init(merging entries: [JournalEntry], _ client: any FolderClient) {
    self.init(previous: entries.first?.previous ?? 0, sequence: entries.last?.sequence ?? 0, effects: [])
    var places: [StorePath: Int] = [:]
    func put(_ path: StorePath, _ effect: Effect, _ effects: inout [Effect]) {
      if let place = places[path] {
        effects[place] = effect
      } else {
        places[path] = effects.count
        effects.append(effect)
      }
    }
    var keys: [[UInt8]: Bool] = [:]
    extra = client.merged(entries.map(\.extra))
    for entry in entries {
      for effect in entry.effects {
        switch effect {
        case .replace(let path, _), .remove(let path):
          put(path, effect, &effects)
        case .append(let path, let offset, let bytes):
          if offset > 0, let place = places[path], case .append(_, let start, let earlier) = effects[place],
            start + earlier.count == offset
          {
            effects[place] = .append(path, offset: start, earlier + bytes)
          } else {
            put(path, effect, &effects)
          }
        case .compact, .place, .removeFolder:
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
