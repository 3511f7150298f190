import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Removes the objects of a deleted zone from the store ([mirror-15]).
struct ZoneRemoval {
  let pass: ImportPass
  private var edits: StoreTransaction { pass.edits }

  /// An unsent object stays if the zone can be created again, or if its record still exists at a former address.
  /// `withUnsent`: removes unsent objects too.
  func remove(_ zone: ZoneLocation, withUnsent: Bool = false) throws {
    var remaining = Set(pass.unsent.changes.keys)
    var removed: [RowID] = []
    for entry in try pass.entries(of: zone) {
      let exists = try edits.exists(entry.id)
      let isUnsent = !withUnsent && entry.tag == nil
      // The record still exists at its former address: it stays there, or the next export deletes it.
      let former = try entry.leaving.last ?? formerLocation(of: entry)
      if let former { try goBack(entry, to: former) }
      let staysThere = former != nil && (isUnsent || (entry.leaving.isEmpty && !withUnsent))
      if staysThere || (isUnsent && zone == .private) {
        if exists { remaining.insert(entry.id) }
        continue
      }
      if former == nil {
        edits.remove(entry.id.number, from: .records)
        try edits.setPending(entry.id, false)
      }
      if exists { removed.append(entry.id) }
    }
    if zone.owner != CKCurrentUserDefaultName { removed += try orphans(of: removed) }
    for id in removed { try edits.delete(id) }
    // Objects related to those of a zone are in the same zone, or were not sent yet.
    for id in remaining.sorted() { try clearLostReferences(of: id) }
    try pass.links.remove(zone, isAll: withUnsent || zone != .private)
    try edits.forget(zone)
    if !removed.isEmpty { try edits.requestErasure() }
  }

  /// The former address of a record that another device moved, unless its deletion there was received: the other device
  /// may have died before the deletion.
  private func formerLocation(of entry: RecordEntry) throws -> RecordLocation? {
    guard let location = entry.receipt.locations.last,
      case .object(let id)? = try edits.former(location)?.subject, id.number == entry.id.number
    else { return nil }
    return location
  }

  private func goBack(_ entry: RecordEntry, to location: RecordLocation) throws {
    var entry = entry
    let former = try edits.former(location)
    entry.leaving = Array(entry.leaving.dropLast())
    (entry.location, entry.tag, entry.archive) = (location, former?.tag, former?.archive)
    if entry.receipt.locations.last == location { entry.receipt.moves.removeLast() }
    edits.put(entry.row, in: .records)
    try edits.forget(former: location)
    try edits.setPending(entry.id, true)
  }

  /// Local objects that were never sent, and are only related to removed objects: no zone remains for them.
  private func orphans(of removed: [RowID]) throws -> [RowID] {
    let walk = GraphWalk(view: edits)
    let excluded = Set(removed)
    var found: Set<RowID> = []
    for id in removed {
      for neighbour in try walk.neighbours(of: id) ?? []
      where !excluded.contains(neighbour) && !found.contains(neighbour) {
        var hasZone = false
        let reached = try walk.reached(from: [neighbour]) { other in
          if excluded.contains(other) { return false }
          if try edits.row(other.number, in: .records) == nil { return true }
          hasZone = true
          return false
        }
        if !hasZone { found.formUnion(reached) }
      }
    }
    return found.sorted()
  }

  private func clearLostReferences(of id: RowID) throws {
    guard var row = try edits.row(id) else { return }
    var changed: Set<String> = []
    for (index, relationship) in edits.schema.entities[Int(id.entity)].toOnes.enumerated() {
      guard let target = row.toOnes[index], try edits.row(target) == nil else { continue }
      row.toOnes[index] = nil
      changed.insert(edits.schema.relationships[relationship].name)
    }
    if !changed.isEmpty { try edits.update(row, changed: changed.sorted()) }
  }
}
