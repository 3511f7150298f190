import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Updates keys after the records of a change.
extension KeyWrapPlan {
  /// Drops the keys of deleted records, reseals the keys of records that moved or entered a share, and replaces keys
  /// that former participants have. Call it after the transaction has all records.
  func updateKeys(_ affectedShares: Set<ExactName>) throws {
    guard try hasKeys else { return }
    for name in transaction.changedRecords where try transaction.record(name) == nil { try drop(name) }
    if keys.isOwner {
      for name in try newlyShared() {
        // An unreadable key can't be resealed.
        do { try reseal(name) } catch is ZoneKeys.Lost {}
      }
      for name in sharesToUpdate.sorted() { try updateNewShare(name) }
      for share in affectedShares.sorted() {
        if let record = try transaction.record(share) { try renewIfStale(record) }
      }
    }
    try write()
  }

  /// Creates the key of a share with a root, or a zone, that got a key in this batch.
  func updateNewShare(_ name: ExactName) throws {
    if let share = try record(name) { try updateShare(share, before: share, isManager: false) }
  }

  /// Records that entered a share in this change, by a move or with the share itself.
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
