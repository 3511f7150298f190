import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Deletes a zone for its owner, or leaves it for a participant.
struct ZoneEnding {
  let change: ZoneChange

  private var transaction: ZoneTransaction { change.transaction }

  /// Deletes the zone. A default zone can't be deleted and loses its records instead ([zone-delete-4]), including the
  /// owner's user record unless `sparingUser` is set. One commit deletes up to 400 records;
  /// ``ZoneChange/leavesRecords`` says whether there are more.
  func clear(_ reason: DatabaseChanges.DeletionReason = .deleted, sparingUser: Bool = true) throws {
    guard change.address.isDefault else { return try remove(reason) }
    let spared = sparingUser ? ExactName(change.account.userRecordName) : nil
    change.leavesRecords = try transaction.deleteRecords(besides: spared)
    try change.keyPlan.updateKeys([])
    try PushPlanner(change).plan()
  }

  /// Deletes the whole zone and its shares.
  ///
  /// - Assumption: deleting a zone deletes its shares: the access of all participants ends, and the links no longer
  ///   work.
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

  /// The participant leaves all shares of the zone; the zone stays.
  func leave() throws {
    for grant in change.access?.pointer.grants ?? [] { try change.shareAccess.leave(grant.share) }
    try change.planConsequences()
  }
}

extension ZoneTransaction {
  /// Deletes up to 400 records, and returns whether there are more.
  func deleteRecords(besides spared: ExactName? = nil) throws -> Bool {
    var last: (type: String, name: ExactName)?
    var count = 0
    while true {
      let page = try view.typedRecords(after: last, limit: NameRules.maximumItems)
      for position in page where position.name != spared {
        if count == NameRules.maximumItems { return true }
        if try delete(position.name) != nil { count += 1 }
      }
      if page.count < NameRules.maximumItems { return false }
      last = page.last
    }
  }
}
