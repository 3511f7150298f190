import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudPlatform

/// Prepares all records of a zone to be sent again. Its owner's encryption keys were reset, so the cloud's records are
/// unreadable, and this device may have the only copy ([mirror-22]).
struct ZoneRestart {
  let pass: ImportPass
  private var edits: StoreTransaction { pass.edits }

  /// Records retain their names, so that several devices of the owner send one record for each object. Shared objects
  /// are no longer shared. A store of the shared database removes the objects: only their owner can send them again.
  func restart(_ zone: ZoneLocation) throws {
    guard zone.owner == ZoneLocation.ownOwner else { return try ZoneRemoval(pass: pass).remove(zone) }
    let time = systemTimeMilliseconds()
    for var entry in try pass.entries(of: zone) {
      guard try edits.exists(entry.id) else {
        edits.remove(entry.id.number, from: .records)
        continue
      }
      // Of two devices, the one with the later known version has the values that win.
      let version =
        entry.record?.modificationDate.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
        ?? entry.receipt.moves.last?.resent?.version
      let move = version.map { MoveReceipt.Move(from: entry.location, at: time, resent: .init(version: $0)) }
      entry.receipt = MoveReceipt(move.map { [$0] } ?? [])
      (entry.tag, entry.archive, entry.sent, entry.leaving) = (nil, nil, 0, [])
      entry.location.zone = .private
      edits.put(entry.row, in: .records)
      try edits.setPending(entry.id, true)
    }
    try pass.links.restart(zone)
    try edits.forget(zone)
    edits.changesShare = zone.isOfShare
  }
}
