/// Entries that are applied again may find the files in a later state already, if the files are those of another boot.
extension [JournalEntry] {
  /// The entries without the effects that must not be repeated, because later ones supersede them.
  func withoutSuperseded() -> [JournalEntry] {
    let (restarts, outcomes) = (restarts(), outcomes())
    return enumerated().map { index, entry in
      var entry = entry
      entry.effects.removeAll { effect in
        switch effect {
        case .append(let path, _, _): restarts[path].map { index < $0 } ?? false
        case .compact(let compaction): restarts[compaction.path].map { index < $0 } ?? false
        case .move(let path, _): index < outcomes[path, default: index]
        case .remove(let path): outcomes[path].map { index < $0 } ?? false
        default: false
        }
      }
      return entry
    }
  }

  /// For each path, the last entry that moves a synced file there, or removes one that another entry moves there. A
  /// replay skips earlier effects: on another boot the file may be in its later state already, and then the source no
  /// longer exists.
  private func outcomes() -> [StorePath: Int] {
    var moved: Set<StorePath> = []
    for case .move(let path, _) in lazy.flatMap(\.effects) { moved.insert(path) }
    if moved.isEmpty { return [:] }
    var result: [StorePath: Int] = [:]
    for (index, entry) in enumerated() {
      for effect in entry.effects {
        switch effect {
        case .move(let path, _): result[path] = index
        case .remove(let path) where moved.contains(path): result[path] = index
        default: break
        }
      }
    }
    return result
  }

  /// For each path, the last entry that removes the log or begins it again. A replay skips earlier appends and
  /// compactions: on another boot the log may be in its later state already, and the bytes before the append are lost.
  private func restarts() -> [StorePath: Int] {
    var result: [StorePath: Int] = [:]
    for (index, entry) in enumerated() {
      for effect in entry.effects {
        switch effect {
        case .remove(let path), .append(let path, offset: 0, _): result[path] = index
        default: break
        }
      }
    }
    return result
  }
}
