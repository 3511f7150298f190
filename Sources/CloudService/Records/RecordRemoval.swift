import CloudModel
import CloudStore
import Storage

/// Records that go, with all that their deletion takes along.
struct RecordRemoval {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// The records, as far as there are any, and what their deletion takes along: what refers to them with `deleteSelf`, and
  /// the shares that they are the roots of.
  func closure(of names: [ExactName]) throws -> [ExactName] {
    var result = try names.filter { try transaction.record($0) != nil }
    var visited = Set(result)
    var position = 0
    while position < result.count {
      for referrer in try transaction.referrers(of: result[position]) where visited.insert(referrer).inserted {
        result.append(referrer)
      }
      if let share = try transaction.record(result[position])?.share, visited.insert(share).inserted {
        result.append(share)
      }
      position += 1
    }
    return result
  }

  /// Deletes a closure.
  func delete(_ names: [ExactName]) throws {
    let all = Set(names)
    // Shares first: ending one changes its root, which may be next.
    for name in names where try transaction.record(name)?.type == Record.shareType {
      try change.shareAccess.end(name, deletingRoot: all.contains)
    }
    for name in names { try transaction.delete(name) }
  }
}

extension ZoneChange {
  var removal: RecordRemoval { RecordRemoval(change: self) }
}
