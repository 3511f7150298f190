import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// The objects that an export examines, and the records to save and to delete.
struct ExportPlan {
  let mirrored: MirroredStore
  private let candidates: ExportCandidates

  init(_ mirrored: MirroredStore) throws {
    self.mirrored = mirrored
    candidates = try mirrored.read { try ExportCandidates($0) }
  }

  var unsent: UnsentChanges { candidates.unsent }
  var present: [RowID] { candidates.present }
  var deleted: [RowID] { candidates.deleted }
  var pending: Set<RowID> { candidates.pending }

  var isEmpty: Bool { present.isEmpty && deleted.isEmpty }

  /// The many-to-many relationships with pairs that may differ from the cloud's. The history names a changed
  /// relationship at one of the two objects at least.
  private func relinked(_ id: RowID) -> [Int] {
    let linked = mirrored.mapping.entities[Int(id.entity)].linked
    guard !pending.contains(id), !unsent.isOfEverything, let change = unsent.changes[id], change.inserted == nil
    else { return linked }
    return linked.filter { change.properties[mirrored.mapping.schema.relationships[$0].name] != nil }
  }

  /// Assigns names to records that have none yet. Returns the objects that can't be sent, with their errors.
  ///
  /// - Difference: an object with related objects in several zones, or in none, is not sent; all others are. Apple's
  ///   mirroring is reported to stop the whole export.
  func assign(_ ids: ArraySlice<RowID>, _ edits: StoreTransaction) throws -> [RowID: any Error] {
    let assignment = RecordAssignment(edits: edits, scope: mirrored.scope)
    var failures: [RowID: any Error] = [:]
    for id in ids {
      guard try edits.exists(id) else { continue }
      do {
        let entry = try assignment.entry(of: id)
        if entry.resent != nil { edits.put(noting(unsent.own(of: id, entry), entry).row, in: .records) }
        let linked = relinked(id)
        if !linked.isEmpty { try assignment.assignLinks(of: id, entry, linked) }
      } catch  where MirroringError.isOfGraph(error) {
        failures[id] = error
      }
    }
    return failures
  }

  /// The entry of a record that is sent again. Its receipt names the properties that this device changed ([mirror-43]).
  private func noting(_ edited: Set<String>, _ entry: RecordEntry) -> RecordEntry {
    var entry = entry
    entry.receipt.moves[entry.receipt.moves.count - 1].resent?.edited = edited.sorted()
    return entry
  }

  func endLinks(_ ids: ArraySlice<RowID>, _ edits: StoreTransaction) throws {
    let assignment = RecordAssignment(edits: edits, scope: mirrored.scope)
    for id in ids { try assignment.endLinks(of: id) }
  }

  // MARK: Records

  /// The records of those objects and of their pairs that differ from the cloud's. Adds objects that can't be sent to
  /// `failures`, and skips objects that are in it already.
  func saves(
    _ ids: ArraySlice<RowID>, _ assets: ExportAssets, _ failures: inout [RowID: any Error]
  ) throws -> [ExportSave] {
    var found = failures
    defer { failures = found }
    return try mirrored.read { view in
      var saves: [ExportSave] = []
      var links: Set<Int64> = []
      for id in ids where found[id] == nil {
        guard let row = try view.row(id), let entry = try view.record(of: id) else {
          continue
        }
        do {
          if let save = try save(row, entry, view, assets) { saves.append(save) }
        } catch  where MirroringError.isOfGraph(error) {
          found[id] = error
          continue
        }
        if relinked(id).isEmpty { continue }
        for link in try view.links(of: id) where !link.isEnding && !link.isSent {
          if links.insert(link.rows[0]).inserted, let save = try save(link, view) { saves.append(save) }
        }
      }
      return saves
    }
  }

  private func save(
    _ row: StoredRow, _ entry: RecordEntry, _ view: StoreView, _ assets: ExportAssets
  ) throws -> ExportSave? {
    let entity = mirrored.mapping.entities[Int(row.id.entity)]
    let known = entry.tag == nil ? nil : entry.record
    let isCompared = pending.contains(row.id) || unsent.isHistoryPurged
    var properties = known == nil || isCompared ? nil : unsent.properties(of: row.id, entry)
    if properties?.isEmpty == true { return nil }
    if let known, properties == nil { properties = try comparable(row, known, view) }
    let content = try RecordContent(
      row, entity, receipt: entry.receipt,
      name: { target in
        guard let target = try view.record(of: target) else { return nil }
        guard target.location.zone == entry.location.zone else {
          throw MirroringError.severalZones(row.id, in: view, [target.location.zone, entry.location.zone])
        }
        return target.location.name
      }, bytes: { try mirrored.store.contents(of: $0) })
    let record = known ?? CKRecord(recordType: entity.recordType, recordID: entry.location.recordID)
    guard let weight = try content.apply(to: record, properties: properties, asset: assets.asset) else { return nil }
    var save = ExportSave(
      subject: .object(row.id), object: row.id, record: record, weight: weight + 512,
      isResent: entry.resent != nil)
    if known == nil, let location = entry.leaving.last,
      let before = FormerLocation(try view.row(key: FormerLocation.key(location), in: .state))?.archive,
      let record = RecordArchive.object(CKRecord.self, from: before)
    {
      let keys = ForeignFields.keys(of: record, beside: content)
      if !keys.isEmpty { save.foreign = (location, keys) }
    }
    return save
  }

  /// The properties that can be compared with a record. References that wait for their targets are excluded: the object
  /// lacks these targets, though no program cleared the relationships.
  private func comparable(_ row: StoredRow, _ record: CKRecord, _ view: StoreView) throws -> Set<String> {
    let entity = mirrored.mapping.entities[Int(row.id.entity)]
    let zone = ZoneLocation(record.recordID.zoneID)
    let toOnes = try entity.toOnes.filter { toOne in
      guard let name = record.string(of: toOne.key),
        try row.toOnes[toOne.index].map({ try !view.exists($0) }) != false
      else { return true }
      let key = WaitingEntry.key(.toOne(row.id, relationship: toOne.name))
      return try view.waiting(key: key)?.target != RecordLocation(zone, name)
    }
    return Set(entity.attributes.map(\.name) + toOnes.map(\.name))
  }

  private func save(_ link: LinkEntry, _ view: StoreView) throws -> ExportSave? {
    guard let relationship = link.relationshipIndex(in: view.schema),
      let forward = try view.record(of: link.forward),
      let backward = try view.record(of: link.backward),
      let content = LinkRecord(
        link.location, relationship, record: forward.location.name, other: backward.location.name, in: view.schema)
    else { return nil }
    let record = CKRecord(recordType: RecordNames.linkType, recordID: link.location.recordID)
    content.apply(to: record)
    return ExportSave(subject: .link(link.rows[0]), object: link.forward, record: record, weight: 1024)
  }

  // MARK: Deletions

  /// The records to delete: those of deleted objects and pairs, and those at former addresses.
  func deletions() throws -> [ExportDeletion] {
    try mirrored.read { view in
      var deletions: [ExportDeletion] = []
      // A request may name a record only once.
      var locations: Set<RecordLocation> = []
      func add(_ subject: ExportDeletion.Subject, of id: RowID, _ location: RecordLocation) {
        guard locations.insert(location).inserted else { return }
        deletions.append(ExportDeletion(subject: subject, object: id, location: location))
      }
      for id in deleted + present.filter({ !relinked($0).isEmpty || pending.contains($0) }) {
        for link in try view.links(of: id) {
          for location in link.leaving { add(.formerLinkLocation(of: link.rows[0]), of: id, location) }
          if link.isEnding { add(.link(link.rows[0]), of: id, link.location) }
        }
        guard let entry = try view.record(of: id) else { continue }
        for location in entry.leaving { add(.formerLocation(of: id), of: id, location) }
        if try !view.exists(id) { add(.object(id), of: id, entry.location) }
      }
      return deletions
    }
  }
}
