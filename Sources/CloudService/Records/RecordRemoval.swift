import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Deletes records together with the records that must be deleted with them.
struct RecordRemoval {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// The existing records among `names`, and all records that are deleted with them: records that refer to them with
  /// `deleteSelf`, and the shares with one of them as root. Transitive.
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

  /// Deletes the records of a closure that ``closure(of:)`` returned.
  func delete(_ names: [ExactName]) throws {
    let all = Set(names)
    // Shares end first: ending a share changes its root, and the root may be deleted next.
    for name in names where try transaction.record(name)?.type == Record.shareType {
      try change.shareAccess.end(name, deletingRoot: all.contains)
    }
    for name in names { try transaction.delete(name) }
  }
}

extension ZoneChange {
  var removal: RecordRemoval { RecordRemoval(change: self) }
}
