import LocalCloudObjectStore

/// Converts the mirroring's rows when the store is migrated to another version of its model.
///
/// - Difference: new names are not reported to the cloud. If the topmost entity of an object's entity has another name,
///   the record stays as it is; its object is sent as a new record when it is next changed. A renamed property is a new
///   field.
package struct MirrorMigration {
  private let mapping: StoreMapping
  private let targets: [Int?]
  /// Whether the new version has entities or properties that the old one lacks.
  private let addsProperties: Bool

  package init(_ mapping: StoreMapping) {
    self.mapping = mapping
    targets = mapping.targets
    addsProperties =
      mapping.relationships.contains(nil)
      || mapping.entities.contains { $0.source == nil || $0.attributes.contains { $0.source == nil } }
  }

  /// Converts a row to the new model; the store converts its objects. `view`: the store before the migration. Returns
  /// nil for a row that refers to an entity or relationship that was removed.
  package func row(_ row: MirrorRow, in table: MirrorTable, _ view: StoreView) throws -> MirrorRow? {
    switch table {
    case .records: try isSameRecord(row, view) ? read(row) : nil
    case .links: try link(row, view)
    case .waiting: try waiting(row, view)
    case .state:
      if row.key?.hasPrefix(StateKey.pending) == true, let id = row.objects.first {
        try view.exists(id) && mapping.target(id, targets) != nil ? row : nil
      } else {
        row
      }
    case .zones: walked(row)
    case .events: row
    }
  }

  // MARK: Properties that the old version lacks

  /// Records in the cloud may have values for the new properties: zones are fetched again completely, and their records
  /// are read again ([mirror-29]).
  private func walked(_ row: MirrorRow) -> MirrorRow {
    guard addsProperties, var entry = ZoneEntry(row), entry.token != nil || entry.location == .public else {
      return row
    }
    (entry.token, entry.isWalkedAnew) = (nil, true)
    return entry.row
  }

  private func read(_ row: MirrorRow) -> MirrorRow {
    guard addsProperties, var entry = RecordEntry(row), entry.tag != nil else { return row }
    entry.isOfEarlierModel = true
    return entry.row
  }

  /// Whether the object stays and has the same record type. True for a deleted object: its record still has to be
  /// deleted.
  private func isSameRecord(_ row: MirrorRow, _ view: StoreView) throws -> Bool {
    guard let before = row.objects.first, try view.exists(before) else { return true }
    guard let after = mapping.target(before, targets) else { return false }
    func root(_ id: RowID, _ schema: StoreSchema) -> String {
      schema.entities[schema.entities[Int(id.entity)].root].name
    }
    return root(before, mapping.source) == root(after, mapping.destination)
  }

  // MARK: Pairs

  private func link(_ row: MirrorRow, _ view: StoreView) throws -> MirrorRow? {
    guard let entry = try view.link(row) else { return nil }
    for id in [entry.forward, entry.backward] where mapping.target(id, targets) == nil {
      if try view.exists(id) { return nil }
    }
    return mapped(entry)?.mirrorRows.first { $0.id == row.id }
  }

  /// The pair under the relationship that names its table in the new model. This may be the inverse of the old one.
  private func mapped(_ entry: LinkEntry) -> LinkEntry? {
    guard let before = entry.relationshipIndex(in: mapping.source), let after = relationship(before),
      case .links(let table, let isForward) = mapping.destination.relationships[after].storage
    else { return nil }
    return LinkEntry(entry, of: LinkEntry.name(of: table, in: mapping.destination), isTurned: !isForward)
  }

  /// The new version of a relationship, found directly or as the inverse of its inverse's new version.
  private func relationship(_ before: Int) -> Int? {
    if let after = mapping.relationships.firstIndex(of: before) { return after }
    return mapping.source.relationships[before].inverse
      .flatMap { inverse in mapping.relationships.firstIndex(of: inverse) }
      .flatMap { mapping.destination.relationships[$0].inverse }
  }

  // MARK: Waiting references

  private func waiting(_ row: MirrorRow, _ view: StoreView) throws -> MirrorRow? {
    if let number = WaitingEntry.number(row) {
      // An index row leads to an entry, by the key of its reference.
      guard let entry = try view.row(number, in: .waiting), let mapped = try waiting(entry, view) else {
        return nil
      }
      return WaitingEntry(mapped)?.referenceRow(row.id)
    }
    guard var entry = WaitingEntry(row) else { return row }
    switch entry.reference {
    case .toOne(let id, let name):
      guard try view.exists(id), mapping.target(id, targets) != nil,
        let known = mapping.source.relationship(named: name, of: Int(id.entity)), let after = relationship(known)
      else { return nil }
      entry.reference = .toOne(id, relationship: mapping.destination.relationships[after].name)
    case .link(let link):
      entry.reference = .link(link.renamed(end))
    }
    return entry.row
  }

  private func end(_ end: LinkRecord.End) -> LinkRecord.End {
    guard let entity = mapping.source.entity(named: end.entity),
      let known = mapping.source.relationship(named: end.relationship, of: entity), let after = relationship(known)
    else { return end }
    let new = mapping.destination.relationships[after]
    return LinkRecord.End(
      entity: mapping.destination.entities[new.entity].name, relationship: new.name, record: end.record)
  }
}

extension LinkEntry {
  /// The pair under another relationship's name; `isTurned`: whether that relationship has the opposite direction.
  fileprivate init(_ other: LinkEntry, of relationship: String, isTurned: Bool) {
    self = other
    self.relationship = relationship
    if isTurned { swap(&forward, &backward) }
  }
}

extension LinkRecord {
  /// The record with renamed ends.
  fileprivate func renamed(_ name: (End) -> End) -> LinkRecord {
    var record = self
    (record.first, record.second) = (name(first), name(second))
    if (record.second.entity, record.second.relationship) < (record.first.entity, record.first.relationship) {
      swap(&record.first, &record.second)
    }
    return record
  }
}
