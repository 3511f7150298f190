import CloudModel
import CloudStore
import Storage

/// The end of a zone, by its owner.
struct ZoneEnding {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// The zone goes; a default zone can't, and loses its records ([zone-delete-4]), the user's own among them where it is
  /// not spared.
  func clear(_ reason: DatabaseChanges.DeletionReason = .deleted, sparingUser: Bool = true) throws {
    guard change.address.isDefault else { return try remove(reason) }
    for name in try transaction.view.allRecords()
    where !sparingUser || name.string != change.account.userRecordName { try transaction.delete(name) }
    try change.keyPlan.followRecords([])
    try PushPlanner(change).plan()
  }

  /// The whole zone goes, and its shares with it.
  ///
  /// - Assumption: with a zone its shares go: everybody's access ends, and the links are dead.
  func remove(_ reason: DatabaseChanges.DeletionReason) throws {
    for share in try transaction.view.records(ofType: Record.shareType, after: nil, limit: .max) {
      try change.shareAccess.endWithZone(share)
    }
    let address = change.address
    let tombstone: JSONObject = [
      "deleted": .string(Timestamp.text(milliseconds: change.stamp.timestamp)),
      "reason": .string(reason.rawValue),
      "sequence": .integer(transaction.sequence),
      "zoneID": .object(address.identifier.object),
    ]
    transaction.setFile(
      DatabaseFolder.tombstonePath(address.path.database, address.path.zone), JSONValue.object(tombstone).pretty())
    transaction.removeZone()
    try change.mention()
    try PushPlanner(change).plan(removingZone: true)
  }

  /// A participant's way: they leave all shares of the zone, which stays.
  func leave() throws {
    for grant in change.access?.window.grants ?? [] { try change.shareAccess.leave(grant.share) }
    try change.follow()
  }
}
