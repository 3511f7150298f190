import CloudModel
import CloudStore
import Storage

/// Keys that follow the records of a change.
extension KeyWrapPlan {
  /// Keys of records that are gone go; those of records that moved, or came into another share, follow them; and keys
  /// that somebody has who went are replaced. To be called once the transaction has all records.
  func followRecords(_ affectedShares: Set<ExactName>) throws {
    guard try hasKeys else { return }
    for name in transaction.changedRecords where try transaction.record(name) == nil { try drop(name) }
    if keys.isOwner {
      for name in try newlyShared() {
        // What can't be read can't be sealed anew either.
        do { try follow(name) } catch is ZoneKeys.Lost {}
      }
      for name in unsettled.sorted() { try settle(name) }
      for share in affectedShares.sorted() {
        if let record = try transaction.record(share) { try renewIfStale(record) }
      }
    }
    try write()
  }

  /// A share whose root, or zone, has a key since.
  func settle(_ name: ExactName) throws {
    if let share = try record(name) { try settle(share, before: share, isManager: false) }
  }

  /// Records that came into a share with this change, by a move or with the share itself.
  private func newlyShared() throws -> [ExactName] {
    var result: [ExactName] = []
    let after = try Membership(transaction)
    for name in transaction.changedRecords where !transaction.isTouchedOnly(name) {
      guard let record = try transaction.record(name) else { continue }
      let stored = try transaction.view.record(name)
      if record.type == Record.shareType {
        if stored == nil, name.isZoneWideShare { return try transaction.view.allRecords() }
        continue
      }
      guard let stored, stored.parent != record.parent || stored.share != record.share,
        try after.share(of: name) != nil
      else { continue }
      result += try after.subtree(of: name)
    }
    return result
  }
}
