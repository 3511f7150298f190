import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Removes objects from the store after their records were deleted, or no longer describe them.
extension ImportPass {
  /// Applies the deletion of the record at an address. Ignores an unknown address; a former address of a record counts
  /// only if this device moved the record from there.
  func delete(_ location: RecordLocation) throws {
    if let entry = try edits.record(at: location) { return try delete(entry) }
    guard let former = try edits.former(location) else { return try links.delete(location) }
    if let (former, entry) = try moved(from: location) {
      try delete(entry, at: former)
    } else if case .link(let number) = former.subject {
      try links.deleteMoved(number, former)
    }
    try edits.forget(former: location)
  }

  /// Another device deleted a record that this device has moved, and has not begun to delete itself: the deletion wins.
  private func delete(_ entry: RecordEntry, at former: FormerLocation) throws {
    guard !former.isEnding, entry.leaving.contains(former.location) else { return }
    if entry.tag == nil, entry.leaving == [former.location] { return try delete(entry) }
    var entry = entry
    entry.leaving.removeAll { $0 == former.location }
    edits.put(entry.row, in: .records)
    try edits.setPending(entry.id, true)
    try deleteObject(entry.id)
  }

  /// Removes an object and all rows about it.
  func delete(_ entry: RecordEntry) throws {
    edits.remove(entry.id.number, from: .records)
    try edits.setPending(entry.id, false)
    try links.removeAll(of: entry.id)
    try WaitingReferences(edits: edits).removeAll(of: entry.id)
    try deleteObject(entry.id)
  }

  // MARK: Records of another entity

  /// Whether the record describes an object of another entity than the stored object. No device of the program changes
  /// the entity of a record.
  func isOtherEntity(_ record: ImportedObject, _ known: RecordEntry) throws -> Bool {
    try known.location == record.location && known.leaving.isEmpty && Int(known.id.entity) != record.entity
      && edits.exists(known.id)
  }

  /// Removes the object of a record that the model no longer knows. A device that receives the record for the first
  /// time has no object for it either ([mirror-44]).
  ///
  /// - Parameter tag: the record's change tag.
  func release(_ location: RecordLocation, tag: String?) throws {
    if let entry = try edits.record(at: location) {
      if entry.tag != nil, entry.tag != tag, entry.leaving.isEmpty { try release(entry) }
    } else {
      try links.delete(location)
    }
  }

  /// Removes the object of the entry from the store. References and pairs that lead to it wait for its record: the
  /// record may describe an object again.
  func release(_ entry: RecordEntry) throws {
    // The record of a locally deleted object still has to be deleted.
    guard try edits.exists(entry.id) else { return }
    try links.releaseAll(of: entry)
    edits.remove(entry.id.number, from: .records)
    try edits.setPending(entry.id, false)
    try WaitingReferences(edits: edits).removeAll(of: entry.id)
    try deleteObject(entry.id, waitingFor: entry.location)
  }

  /// Lets a reference to a released object wait for the object's record; false if the referrer's record does not name
  /// it.
  private func isWaiting(_ referrer: RowID, _ relationship: String, for location: RecordLocation) throws -> Bool {
    guard let entry = try edits.record(of: referrer), entry.location.zone == location.zone,
      let toOne = mapping.entities[Int(referrer.entity)].toOnes.first(where: { $0.name == relationship }),
      entry.record?.string(of: toOne.key) == location.name
    else { return false }
    try WaitingReferences(edits: edits).add(.toOne(referrer, relationship: relationship), to: location)
    return true
  }

  // MARK: References

  /// Deletes an object, if it exists, and clears the to-one relationships that lead to it.
  ///
  /// - Parameter location: the address of the object's record, if the record stays in the cloud.
  private func deleteObject(_ id: RowID, waitingFor location: RecordLocation? = nil) throws {
    guard let row = try edits.row(id) else { return }
    let entity = mapping.schema.entities[Int(id.entity)]
    for relationship in entity.relationships {
      guard let inverse = mapping.schema.relationships[relationship].inverse,
        !mapping.schema.relationships[inverse].isToMany
      else { continue }
      for referrer in try edits.related(id, relationship) {
        guard var other = try edits.row(referrer),
          let index = mapping.schema.entities[Int(referrer.entity)].toOnes.firstIndex(of: inverse),
          other.toOnes[index] == id
        else { continue }
        other.toOnes[index] = nil
        let name = mapping.schema.relationships[inverse].name
        try edits.update(other, changed: [name])
        if let location, try isWaiting(referrer, name, for: location) { continue }
        // Its record may name the deleted object: the device that deleted it may not have known of the reference.
        try edits.setPending(referrer, true)
      }
    }
    for (index, target) in row.toOnes.enumerated() { try touchInverse(index, of: Int(id.entity), target) }
    try edits.delete(id)
  }

  /// Removes objects, pairs and the share of a zone that are not among the names of all its records ([mirror-15]).
  /// Objects and pairs that may never have been sent stay.
  func removeAll(except names: Set<String>, of zone: ZoneLocation) throws {
    for entry in try entries(of: zone) where entry.tag != nil && !names.contains(entry.location.name) {
      try delete(entry)
    }
    try links.removeAll(except: names, of: zone)
    // Records that this device moved away, and another device deleted.
    for former in try edits.rows(prefix: FormerLocation.prefix(zone), in: .state).compactMap({ FormerLocation($0) })
    where former.wasSent && !names.contains(former.location.name) { try delete(former.location) }
    if !names.contains(CKRecordNameZoneWideShare) { try edits.setShare(nil, of: zone) }
  }

  func entries(of zone: ZoneLocation) throws -> [RecordEntry] {
    try edits.rows(prefix: zone.key + "|", in: .records).compactMap { RecordEntry($0) }.filter {
      $0.location.zone == zone
    }
  }
}
