import ObjectStore

/// Has everything that a zone held sent anew: nobody can read it in the cloud any more, since its owner's encryption keys
/// were reset, and what this device has may be the only copy ([mirror-22]).
struct ZoneRestart {
  let pass: ImportPass
  private var edits: StoreEdits { pass.edits }

  /// Records keep their names, so that several devices of the owner send one record for each object. What was shared is
  /// not any more. In a store of others' objects these go: only their owner can send them again.
  func restart(_ zone: ZoneHome) throws {
    guard zone.owner == ZoneHome.ownOwner else { return try ZoneRemoval(pass: pass).remove(zone) }
    for var entry in try pass.entries(of: zone) {
      guard try edits.objects.id(numbered: entry.number) != nil else {
        edits.remove(entry.number, from: .records)
        continue
      }
      (entry.tag, entry.archive, entry.sent, entry.leaving) = (nil, nil, 0, [])
      entry.receipt = MoveReceipt()
      entry.home.zone = .private
      edits.put(entry.row, in: .records)
      try edits.setPending(entry.number, true)
    }
    try pass.links.restart(zone)
    try edits.forget(zone)
    edits.changesShare = zone.isOfShare
  }
}
