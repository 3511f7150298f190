import LocalCloudObjectStore
import LocalCloudPlatform

/// Moves records to another zone. The export saves them there, and then deletes them at their former addresses
/// ([mirror-14]).
struct ObjectMove {
  let edits: StoreTransaction
  let zone: ZoneLocation
  let time = systemTimeMilliseconds()

  /// `assignment`: names the records of objects that have none yet.
  func move(_ id: RowID, _ assignment: RecordAssignment) throws {
    if var entry = try edits.record(of: id) {
      guard entry.location.zone != zone else { return }
      try edits.leave(entry)
      entry.leaving.append(entry.location)
      entry.receipt.add(entry.location, at: time)
      entry.location.zone = zone
      (entry.tag, entry.archive) = (nil, nil)
      edits.put(entry.row, in: .records)
    } else {
      assignment.assign(id, to: zone)
    }
    // The object's history may have been sent already: the history would not lead the export to the object.
    try edits.setPending(id, true)
    for link in try edits.links(of: id, isForward: true) { try move(link) }
  }

  func move(_ link: LinkEntry) throws {
    guard link.location.zone != zone else { return }
    try edits.leave(link)
    var link = link
    link.leaving.append(link.location)
    link.location.zone = zone
    link.isSent = false
    edits.put(link)
  }
}

extension StateKey {
  static let moved = "moved "

  static func moved(_ id: RowID) -> String { moved + String(id.number) }
}

/// Moves objects to the zone of moved objects that they are related to. One device moved those to a share, and did not
/// know of the related objects that another device added concurrently.
struct MovedNeighbours {
  let edits: StoreTransaction

  /// Records that an object moved. Its related objects may still arrive with the same import.
  func add(_ id: RowID) throws { try edits.setState(StateKey.moved(id), ["moved": .integer(id.number)], of: [id]) }

  /// Moves the objects that are related to the recorded objects, unless they are in a share.
  func moveReachable() throws {
    for row in try edits.rows(prefix: StateKey.moved, in: .state) {
      edits.remove(row.id, from: .state)
      guard let id = row.objects.first, try edits.exists(id), let zone = try edits.record(of: id)?.location.zone
      else { continue }
      let move = ObjectMove(edits: edits, zone: zone)
      let assignment = RecordAssignment(edits: edits, scope: .private)
      let reached = try GraphWalk(view: edits).reached(from: [id]) { neighbour in
        if neighbour == id { return true }
        return try edits.record(of: neighbour)?.location.zone == .private
      }
      for neighbour in reached.subtracting([id]).sorted() { try move.move(neighbour, assignment) }
      let links = try edits.links(of: id)
      for link in links where link.location.zone != zone {
        // The device that moved the objects moved the pair as well: its old record is about to be deleted.
        if links.contains(where: { $0.location.zone == zone && $0.isOfSamePair(as: link) }) { continue }
        let other = link.forward == id ? link.backward : link.forward
        guard try edits.record(of: other)?.location.zone == zone else { continue }
        try move.move(link)
        try edits.setPending(id, true)
      }
    }
  }
}
