import LocalCloudObjectStore
import LocalCloudStorage

/// Imports the records of pairs: each links two objects of a many-to-many relationship.
struct ImportedLinks {
  let edits: StoreTransaction

  /// Links the objects of a pair. If an object's record has not arrived, the pair waits for it ([mirror-9]).
  func apply(_ record: LinkRecord) throws {
    guard let (relationship, forward, backward) = record.resolved(in: edits.schema) else {
      // The record no longer names a pair of the model ([mirror-44]).
      return try delete(record.location)
    }
    let name = LinkEntry.name(of: relationship, in: edits.schema)
    if var known = try entry(record.location) {
      if try known.relationship == name && isOf(known, forward.record, backward.record) {
        known.isSent = true
        return edits.put(known)
      }
      // No device of the program changes a pair's record.
      try delete(known)
    }
    // The record of a pair never changes: this one has moved.
    if try edits.former(record.location) != nil { return }
    guard let from = try object(forward, record), let to = try object(backward, record) else { return }
    let rows = (0..<3).map { _ in edits.newNumber() }
    var entry = LinkEntry(
      relationship: name, forward: from, backward: to, location: record.location, rows: rows)
    entry.isSent = true
    // If an object was deleted locally, the next export deletes the pair's record too.
    if try edits.exists(from), try edits.exists(to) {
      guard has(from, relationship), edits.schema.relationships[relationship].inverse.map({ has(to, $0) }) != false
      else { return }
      try edits.setLink(relationship, from: from, to: to, true)
    } else {
      entry.isEnding = true
    }
    edits.put(entry)
  }

  /// Whether the pair's objects are those that a record names, as far as their records are known.
  private func isOf(_ link: LinkEntry, _ forward: String, _ backward: String) throws -> Bool {
    func isNamed(_ id: RowID, _ name: String) throws -> Bool {
      guard let entry = try edits.record(of: id) else { return true }
      return entry.location.name.hasSameBytes(as: name)
    }
    return try isNamed(link.forward, forward) && isNamed(link.backward, backward)
  }

  private func has(_ id: RowID, _ relationship: Int) -> Bool {
    edits.schema.entities[Int(id.entity)].relationships.contains(relationship)
  }

  /// The object at one end; if its record has not arrived, the pair waits for it and the result is nil.
  private func object(_ end: LinkRecord.End, _ record: LinkRecord) throws -> RowID? {
    let location = RecordLocation(record.location.zone, end.record)
    if let entry = try edits.record(at: location) { return entry.id }
    try WaitingReferences(edits: edits).add(.link(record), to: location)
    return nil
  }

  /// Removes an object's pairs from the store: its record no longer describes an object. The pairs wait for that
  /// record.
  func releaseAll(of object: RecordEntry) throws {
    for link in try edits.links(of: object.id) where link.isSent && !link.isEnding {
      guard link.location.zone == object.location.zone, let relationship = link.relationshipIndex(in: edits.schema),
        let forward = try edits.record(of: link.forward),
        let backward = try edits.record(of: link.backward),
        let record = LinkRecord(
          link.location, relationship, record: forward.location.name, other: backward.location.name, in: edits.schema)
      else { continue }
      try WaitingReferences(edits: edits).add(.link(record), to: object.location)
    }
    try removeAll(of: object.id)
  }

  /// Applies the deletion of a pair's record.
  func delete(_ location: RecordLocation) throws {
    if let link = try entry(location) { return try delete(link) }
    try WaitingReferences(edits: edits).removeLink(location)
  }

  /// Applies a deletion by another device at a pair's former address, unless this device has begun to delete the record
  /// there.
  func deleteMoved(_ number: Int64, _ former: FormerLocation) throws {
    guard !former.isEnding, var link = LinkEntry(try edits.row(number, in: .links)),
      link.leaving.contains(former.location)
    else { return }
    link.leaving.removeAll { $0 == former.location }
    if !link.isSent { return try delete(link) }
    link.isEnding = true
    edits.put(link)
    try unlink(link)
    try edits.setPending(link.forward, true)
  }

  private func delete(_ link: LinkEntry) throws {
    edits.remove(link)
    try unlink(link)
  }

  private func unlink(_ link: LinkEntry) throws {
    guard let relationship = link.relationshipIndex(in: edits.schema) else { return }
    // Two devices may have linked the same objects, each with a record.
    var pairs = [LinkEntry.pairKey(link.relationship, link.forward, link.backward)]
    // A relationship that is its own inverse stores a pair once, in either direction.
    if edits.schema.relationships[relationship].inverse == relationship {
      pairs.append(LinkEntry.pairKey(link.relationship, link.backward, link.forward))
    }
    let others = try pairs.flatMap { try edits.rows(key: $0, in: .links) }.compactMap { LinkEntry($0) }
    if others.contains(where: { !$0.isEnding }) { return }
    guard try edits.exists(link.forward), try edits.exists(link.backward) else { return }
    try edits.setLink(relationship, from: link.forward, to: link.backward, false)
  }

  /// Removes the entries of an object that is being deleted; the store removes its links.
  func removeAll(of id: RowID) throws {
    for link in try edits.links(of: id) {
      edits.remove(link)
      guard let index = link.relationshipIndex(in: edits.schema) else { continue }
      let isForward = link.forward.number == id.number
      let side = isForward ? edits.schema.relationships[index].inverse : index
      if let side { try edits.touch(isForward ? link.backward : link.forward, side) }
    }
  }

  /// Removes the pairs of a deleted zone. `isAll`: also the pairs that were never sent.
  func remove(_ zone: ZoneLocation, isAll: Bool) throws {
    for var link in try links(in: zone) where isAll || link.isSent || !link.leaving.isEmpty {
      edits.remove(link)
      guard let location = link.leaving.popLast() else { continue }
      try edits.forget(former: location)
      // The record still exists at its former address. It stays there if both objects do; otherwise the next export
      // deletes it.
      link.location = location
      link.isSent = true
      link.isEnding = try !isThere(link.forward, in: location.zone) || !isThere(link.backward, in: location.zone)
      edits.put(link)
      try edits.setPending(link.forward, true)
    }
  }

  /// Prepares the pairs of a zone to be sent again, with the records of their objects.
  func restart(_ zone: ZoneLocation) throws {
    for var link in try links(in: zone) {
      edits.remove(link)
      if link.isEnding { continue }
      (link.isSent, link.leaving) = (false, [])
      link.location.zone = .private
      edits.put(link)
    }
  }

  private func isThere(_ id: RowID, in zone: ZoneLocation) throws -> Bool {
    try edits.exists(id) && edits.record(of: id)?.location.zone == zone
  }

  func removeAll(except names: Set<String>, of zone: ZoneLocation) throws {
    for link in try links(in: zone) where link.isSent && !names.contains(link.location.name) { try delete(link) }
    try WaitingReferences(edits: edits).removeAll(for: zone) { reference in
      if case .link(let link) = reference { !names.contains(link.location.name) } else { false }
    }
  }

  private func links(in zone: ZoneLocation) throws -> [LinkEntry] {
    let rows = try edits.rows(prefix: LinkEntry.recordPrefix(zone), in: .links)
    return try rows.compactMap { try edits.link($0) }.filter { $0.location.zone == zone }
  }

  private func entry(_ location: RecordLocation) throws -> LinkEntry? {
    try edits.link(edits.row(key: LinkEntry.recordKey(location), in: .links))
  }
}
