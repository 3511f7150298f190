import LocalCloudObjectStore

#if os(Linux)
  import CloudKit
#else
  import LocalCloudKit
#endif

/// Removes objects from the store after their records were deleted, or no longer describe them.
extension ImportPass {
  /// Applies the deletion of the record at an address. Ignores an unknown address; a former address of a record counts
  /// only if this device moved the record from there.
  func delete(_ home: RecordHome) throws {
    if let entry = RecordEntry(try edits.row(key: home.key, in: .records)) { return try delete(entry) }
    guard let former = try edits.former(home) else { return try links.delete(home) }
    if let (former, entry) = try moved(from: home) {
      try delete(entry, at: former)
    } else if case .link(let number) = former.subject {
      try links.deleteMoved(number, former)
    }
    try edits.forget(former: home)
  }

  /// Another device deleted a record that this device has moved, and has not begun to delete itself: the deletion wins.
  private func delete(_ entry: RecordEntry, at former: FormerHome) throws {
    guard !former.isEnding, entry.leaving.contains(former.home) else { return }
    if entry.tag == nil, entry.leaving == [former.home] { return try delete(entry) }
    var entry = entry
    entry.leaving.removeAll { $0 == former.home }
    edits.put(entry.row, in: .records)
    try edits.setPending(entry.number, true)
    guard let id = try edits.objects.id(numbered: entry.number) else { return }
    try clearReferences(to: id)
    edits.objects.delete(id)
  }

  /// Removes an object and all rows about it.
  func delete(_ entry: RecordEntry) throws {
    edits.remove(entry.number, from: .records)
    try edits.setPending(entry.number, false)
    try links.removeAll(of: entry.number)
    try WaitingReferences(edits: edits).removeAll(of: entry.number)
    guard let id = try edits.objects.id(numbered: entry.number) else { return }
    try clearReferences(to: id)
    edits.objects.delete(id)
  }

  // MARK: Records of another entity

  /// Whether the record describes an object of another entity than the stored object. No device of the program changes
  /// the entity of a record.
  func isOtherEntity(_ record: ImportedRecord, _ known: RecordEntry) throws -> Bool {
    guard known.home == record.home, known.leaving.isEmpty, let id = try edits.objects.id(numbered: known.number) else {
      return false
    }
    return Int(id.entity) != record.entity
  }

  /// Removes the object of a record that the model no longer knows. A device that receives the record for the first
  /// time has no object for it either ([mirror-44]).
  ///
  /// - Parameter tag: the record's change tag.
  func release(_ home: RecordHome, tag: String?) throws {
    if let entry = RecordEntry(try edits.row(key: home.key, in: .records)) {
      if entry.tag != nil, entry.tag != tag, entry.leaving.isEmpty { try release(entry) }
    } else {
      try links.release(home)
    }
  }

  /// Removes the object of the entry from the store. References and pairs that lead to it wait for its record: the
  /// record may describe an object again.
  func release(_ entry: RecordEntry) throws {
    // The record of a locally deleted object still has to be deleted.
    guard let id = try edits.objects.id(numbered: entry.number) else { return }
    try links.releaseAll(of: entry)
    edits.remove(entry.number, from: .records)
    try edits.setPending(entry.number, false)
    try WaitingReferences(edits: edits).removeAll(of: entry.number)
    try clearReferences(to: id, waitingFor: entry.home)
    edits.objects.delete(id)
  }

  /// Lets a reference to a released object wait for the object's record; false if the referrer's record does not name
  /// it.
  private func isWaiting(_ referrer: RowID, _ relationship: String, for home: RecordHome) throws -> Bool {
    guard let entry = RecordEntry(try edits.row(referrer.number, in: .records)), entry.home.zone == home.zone,
      let toOne = mapping.entities[Int(referrer.entity)].toOnes.first(where: { $0.name == relationship }),
      FieldValue(entry.record?.object(forKey: toOne.key)) == .string(home.name)
    else { return false }
    try WaitingReferences(edits: edits).add(.toOne(number: referrer.number, relationship: relationship), to: home)
    return true
  }

  // MARK: References

  /// Clears the to-one relationships that lead to this object.
  ///
  /// - Parameter home: the address of the object's record, if the record stays in the cloud.
  private func clearReferences(to id: RowID, waitingFor home: RecordHome? = nil) throws {
    guard let row = try edits.objects.row(id) else { return }
    let entity = mapping.schema.entities[Int(id.entity)]
    for relationship in entity.relationships {
      guard let inverse = mapping.schema.relationships[relationship].inverse,
        !mapping.schema.relationships[inverse].isToMany
      else { continue }
      let referrers: [RowID]
      if mapping.schema.relationships[relationship].isToMany {
        referrers = try edits.objects.referrers(to: id, relationship, inverse: inverse)
      } else {
        referrers = entity.toOnes.firstIndex(of: relationship).flatMap { row.toOnes[$0] }.map { [$0] } ?? []
      }
      for referrer in referrers {
        guard var other = try edits.objects.row(referrer),
          let place = mapping.schema.entities[Int(referrer.entity)].toOnes.firstIndex(of: inverse),
          other.toOnes[place] == id
        else { continue }
        other.toOnes[place] = nil
        let name = mapping.schema.relationships[inverse].name
        edits.objects.update(other, changed: [name])
        if let home, try isWaiting(referrer, name, for: home) { continue }
        // Its record may name the deleted object: the device that deleted it may not have known of the reference.
        try edits.setPending(referrer.number, true)
      }
    }
    for (place, target) in row.toOnes.enumerated() { try touchInverse(place, of: Int(id.entity), target) }
  }

  /// Removes objects, pairs and the share of a zone that are not among the names of all its records ([mirror-15]).
  /// Objects and pairs that may never have been sent stay.
  func keepOnly(_ names: Set<String>, of zone: ZoneHome) throws {
    for entry in try entries(of: zone) where entry.tag != nil && !names.contains(entry.home.name) { try delete(entry) }
    try links.keepOnly(names, of: zone)
    // Records that this device moved away, and another device deleted.
    for former in try edits.rows(prefix: FormerHome.prefix(zone), in: .state).compactMap({ FormerHome($0) })
    where former.wasSent && !names.contains(former.home.name) { try delete(former.home) }
    if !names.contains(CKRecordNameZoneWideShare) { try edits.setShare(nil, of: zone) }
  }

  func entries(of zone: ZoneHome) throws -> [RecordEntry] {
    try edits.rows(prefix: zone.key + "|", in: .records).compactMap { RecordEntry($0) }.filter { $0.home.zone == zone }
  }
}
