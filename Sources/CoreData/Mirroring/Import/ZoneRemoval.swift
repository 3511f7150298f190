import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Removes the objects of a deleted zone from the store ([mirror-15]).
struct ZoneRemoval {
  let pass: ImportPass
  private var edits: StoreEdits { pass.edits }

  /// An unsent object stays if the zone can be created again, or if its record still exists at a former address.
  /// `withUnsent`: removes unsent objects too.
  func remove(_ zone: ZoneHome, withUnsent: Bool = false) throws {
    var left = Set(pass.unsent.changes.keys)
    var removed: [RowID] = []
    for entry in try pass.entries(of: zone) {
      let id = try edits.objects.id(numbered: entry.number)
      let isUnsent = !withUnsent && entry.tag == nil
      // The record still exists at its former address: it stays there, or the next export deletes it.
      let former = try entry.leaving.last ?? heardOf(entry)
      if let former { try goBack(entry, to: former) }
      let staysThere = former != nil && (isUnsent || (entry.leaving.isEmpty && !withUnsent))
      if staysThere || (isUnsent && zone == .private) {
        if let id { left.insert(id) }
        continue
      }
      if former == nil {
        edits.remove(entry.number, from: .records)
        try edits.setPending(entry.number, false)
      }
      if let id { removed.append(id) }
    }
    if zone.owner != CKCurrentUserDefaultName { removed += try orphans(of: removed) }
    for id in removed { edits.objects.delete(id) }
    // Objects related to those of a zone are in the same zone, or were not sent yet.
    for id in left.sorted() { try clearLostReferences(of: id) }
    try pass.links.remove(zone, isAll: withUnsent || zone != .private)
    try edits.forget(zone)
    if !removed.isEmpty { try edits.wantScrub() }
  }

  /// The former address of a record that another device moved, unless its deletion there was received: the other device
  /// may have died before the deletion.
  private func heardOf(_ entry: RecordEntry) throws -> RecordHome? {
    guard let home = entry.receipt.homes.last, case .object(entry.number)? = try edits.former(home)?.subject else {
      return nil
    }
    return home
  }

  private func goBack(_ entry: RecordEntry, to home: RecordHome) throws {
    var entry = entry
    let former = try edits.former(home)
    entry.leaving = Array(entry.leaving.dropLast())
    (entry.home, entry.tag, entry.archive) = (home, former?.tag, former?.archive)
    if entry.receipt.homes.last == home { entry.receipt.moves.removeLast() }
    edits.put(entry.row, in: .records)
    try edits.forget(former: home)
    try edits.setPending(entry.number, true)
  }

  /// Local objects that were never sent, and are only related to removed objects: no zone remains for them.
  private func orphans(of removed: [RowID]) throws -> [RowID] {
    let walk = GraphWalk(view: edits.transaction)
    let gone = Set(removed)
    var found: Set<RowID> = []
    for id in removed {
      for neighbour in try walk.neighbours(of: id) ?? []
      where !gone.contains(neighbour) && !found.contains(neighbour) {
        var hasHome = false
        let reached = try walk.reached(from: [neighbour]) { other in
          if gone.contains(other) { return false }
          if try edits.row(other.number, in: .records) == nil { return true }
          hasHome = true
          return false
        }
        if !hasHome { found.formUnion(reached) }
      }
    }
    return found.sorted()
  }

  private func clearLostReferences(of id: RowID) throws {
    guard var row = try edits.objects.row(id) else { return }
    var changed: Set<String> = []
    for (place, relationship) in edits.schema.entities[Int(id.entity)].toOnes.enumerated() {
      guard let target = row.toOnes[place], try edits.objects.row(target) == nil else { continue }
      row.toOnes[place] = nil
      changed.insert(edits.schema.relationships[relationship].name)
    }
    edits.objects.update(row, changed: changed)
  }
}
