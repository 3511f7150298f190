import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Applies a page of the cloud's changes to the store, in one transaction together with the page's change token.
struct ImportPass {
  let edits: StoreTransaction
  let mapping: RecordMapping
  /// The local changes that were not sent. The import does not overwrite them ([mirror-13]).
  let unsent: UnsentChanges
  /// One-to-one relationships, resolved once all other changes of the page are applied.
  let pairs: OneToOnes

  var links: ImportedLinks { ImportedLinks(edits: edits) }

  /// `known`: the unsent changes as of the previous page; the history is read on from there.
  init(_ edits: StoreTransaction, _ mapping: RecordMapping, _ known: UnsentChanges? = nil) throws {
    self.edits = edits
    self.mapping = mapping
    var unsent = try known ?? UnsentChanges(edits)
    if known != nil { try unsent.read(edits) }
    self.unsent = unsent
    pairs = OneToOnes(edits, mapping, unsent)
  }

  // MARK: Objects

  func apply(_ record: ImportedObject) throws {
    guard var entry = try knownEntry(record) else {
      if let (former, entry) = try moved(from: record.location) { return try apply(record, to: entry, former) }
      return try insert(record)
    }
    // The cloud also returns records that this device sent, with the tag that the store knows.
    if entry.location == record.location, let tag = entry.tag, tag == record.tag, !entry.isOfEarlierModel { return }
    let known = entry
    if try isOtherEntity(record, known) {
      try release(known)
      return try insert(record)
    }
    entry.isOfEarlierModel = false
    (entry.location, entry.tag, entry.archive) = (record.location, record.tag, record.archive)
    entry.leaving.removeAll { $0 == record.location }
    (entry.receipt, entry.creator) = (try receipt(record, known), record.creator)
    edits.put(entry.row, in: .records)
    if known.location != record.location {
      try edits.leave(known)
      if record.location.zone.owner == CKCurrentUserDefaultName { try MovedNeighbours(edits: edits).add(entry.id) }
    }
    // A locally deleted object stays deleted: the next export deletes its record.
    guard try edits.exists(entry.id), Int(entry.id.entity) == record.entity else { return }
    try update(entry.id, record, known)
    if resent(record, known) != nil { try edits.setPending(entry.id, true) }
    try arrived(record.location, entry.id)
  }

  /// The entry of the record, or the entry at a former address if the owner moved the record from there.
  private func knownEntry(_ record: ImportedObject) throws -> RecordEntry? {
    if let entry = try edits.record(at: record.location) { return entry }
    for location in record.receipt.locations.reversed() {
      if let entry = try edits.record(at: location) { return entry }
    }
    return nil
  }

  // MARK: Former addresses

  /// The former address and the present entry of a record that moved away from `location`.
  func moved(from location: RecordLocation) throws -> (FormerLocation, RecordEntry)? {
    guard let former = try edits.former(location), case .object(let id) = former.subject,
      let entry = try edits.record(of: id)
    else { return nil }
    return (former, entry)
  }

  /// Applies a change at a former address of a record, made by a device that did not know of the move. Applied only if
  /// this device moved the record: it then has to send the change to the new address.
  private func apply(_ record: ImportedObject, to entry: RecordEntry, _ former: FormerLocation) throws {
    guard record.tag != former.tag, entry.leaving.contains(record.location) else { return }
    // If files of the archive's assets are missing, the whole record is applied.
    let known = former.archive.flatMap { RecordArchive.object(CKRecord.self, from: $0) }
      .flatMap { try? ImportedObject($0, mapping) }
    var former = former
    (former.tag, former.archive) = (record.tag, record.archive)
    edits.put(former)
    guard try edits.exists(entry.id), Int(entry.id.entity) == record.entity else { return }
    var record = record
    // The targets of its references moved along.
    record.location = entry.location
    try update(entry.id, record, entry, since: known)
    try edits.setPending(entry.id, true)
  }

  private func insert(_ record: ImportedObject) throws {
    let id = edits.newID(of: record.entity)
    let values = try record.attributes.enumerated().map { index, value in
      try stored(value ?? .null, record.entity, index)
    }
    var row = StoredRow(
      id: id, version: 1, attributes: values, toOnes: Array(repeating: nil, count: record.toOnes.count))
    for (index, name) in record.toOnes.enumerated() {
      guard let name else { continue }
      let target = try target(name, index, of: id, record)
      if !claim(index, of: id, target, name) { row.toOnes[index] = target }
    }
    edits.insert(row)
    for (index, target) in row.toOnes.enumerated() { try touchInverse(index, of: record.entity, target) }
    var entry = RecordEntry(id: id, location: record.location)
    (entry.tag, entry.archive, entry.receipt) = (record.tag, record.archive, record.receipt)
    entry.creator = record.creator
    edits.put(entry.row, in: .records)
    try arrived(record.location, id)
  }

  /// `known`: an earlier copy of the record, if only differences from it are applied. After a migration of the model, a
  /// property without a value in the record and in its archived copy keeps the value that the migration set.
  private func update(
    _ id: RowID, _ record: ImportedObject, _ entry: RecordEntry, since known: ImportedObject? = nil
  ) throws {
    guard var row = try edits.row(id) else { return }
    let isProtected = protectedProperties(of: id, record, entry)
    let entity = mapping.schema.entities[record.entity]
    let earlier =
      entry.isOfEarlierModel
      ? entry.record.flatMap { try? ImportedObject($0, mapping) }.flatMap { $0.entity == record.entity ? $0 : nil }
      : nil
    var changed: Set<String> = []
    for (index, value) in record.attributes.enumerated() where !isProtected(entity.attributes[index].name) {
      if let known, known.entity == record.entity, known.attributes[index] == value { continue }
      if let earlier, !record.present.contains(index), !earlier.present.contains(index) { continue }
      guard let value, try !isSame(value, row.attributes[index], entity.attributes[index].type) else { continue }
      row.attributes[index] = try stored(value, record.entity, index)
      changed.insert(entity.attributes[index].name)
    }
    for (index, name) in record.toOnes.enumerated() {
      let relationship = mapping.schema.relationships[entity.toOnes[index]].name
      guard !isProtected(relationship) else { continue }
      if let known, known.entity == record.entity, known.toOnes[index] == name { continue }
      if let earlier, name == nil, earlier.toOnes[index] == nil { continue }
      let target: RowID? = if let name { try self.target(name, index, of: id, record) } else { nil }
      if claim(index, of: id, target, name) { continue }
      guard target != row.toOnes[index] else { continue }
      try touchInverse(index, of: record.entity, row.toOnes[index])
      try touchInverse(index, of: record.entity, target)
      row.toOnes[index] = target
      changed.insert(relationship)
    }
    if !changed.isEmpty { try edits.update(row, changed: changed.sorted()) }
  }

  /// Whether the store has the value already. Decimals lose digits in the cloud: the returned value does not replace
  /// the sent one.
  private func isSame(
    _ value: StoredValue, _ known: StoredValue, _ type: StoreSchema.AttributeType
  ) throws -> Bool {
    if value == known { return true }
    switch (value, known) {
    case (.binary(let bytes), .external(let file)): return try edits.store.contents(of: file) == bytes
    case (.decimal(let digits), .decimal(let known)): return Double(digits) == Double(known)
    default: return false
    }
  }

  /// The value in its stored form: long values of some attributes are in separate files.
  private func stored(_ value: StoredValue, _ entity: Int, _ index: Int) throws -> StoredValue {
    try mapping.schema.entities[entity].attributes[index].isExternal ? edits.placed(value) : value
  }

  // MARK: Relationships

  /// The object that a record's relationship leads to. If its record has not arrived yet, the reference waits for it
  /// and the result is nil ([mirror-9]).
  private func target(_ name: String, _ index: Int, of id: RowID, _ record: ImportedObject) throws -> RowID? {
    let location = RecordLocation(record.location.zone, name)
    if let target = try edits.record(at: location)?.id, try edits.exists(target) {
      return fits(target, index, record.entity) ? target : nil
    }
    let relationship = mapping.entities[record.entity].toOnes[index].name
    try WaitingReferences(edits: edits).add(.toOne(id, relationship: relationship), to: location)
    return nil
  }

  /// Collects the record's value of a one-to-one relationship; false if the relationship is of another kind.
  private func claim(_ index: Int, of id: RowID, _ target: RowID?, _ name: String?) -> Bool {
    let relationship = mapping.schema.entities[Int(id.entity)].toOnes[index]
    guard OneToOnes.has(relationship, in: mapping.schema) else { return false }
    pairs.claim(id, relationship, target, isWaiting: target == nil && name != nil)
    return true
  }

  private func fits(_ target: RowID, _ index: Int, _ entity: Int) -> Bool {
    let relationship = mapping.schema.relationships[mapping.schema.entities[entity].toOnes[index]]
    return mapping.schema.entities[relationship.destination].family.contains(Int(target.entity))
  }

  /// Marks the inverse to-many relationship of `target` as changed. The rows of the other side hold its value.
  func touchInverse(_ index: Int, of entity: Int, _ target: RowID?) throws {
    let relationship = mapping.schema.relationships[mapping.schema.entities[entity].toOnes[index]]
    guard let target, let inverse = relationship.inverse, mapping.schema.relationships[inverse].isToMany else { return }
    try edits.touch(target, inverse)
  }

  /// Connects the references that were waiting for the record at `location` to the object `id`.
  private func arrived(_ location: RecordLocation, _ id: RowID) throws {
    for reference in try WaitingReferences(edits: edits).remove(for: location) {
      switch reference {
      case .link(let link): try links.apply(link)
      case .toOne(let referrer, let relationship): try connect(referrer, relationship, to: id, location)
      }
    }
  }

  private func connect(_ id: RowID, _ relationship: String, to target: RowID, _ location: RecordLocation) throws {
    guard var row = try edits.row(id),
      let toOne = mapping.entities[Int(id.entity)].toOnes.first(where: { $0.name == relationship }),
      fits(target, toOne.index, Int(id.entity)), row.toOnes[toOne.index] != target
    else { return }
    let entry = try edits.record(of: id)
    // After a repair, a relationship may wait while it still leads to the lost object.
    let leadsToLost = try row.toOnes[toOne.index].map { try !edits.exists($0) } ?? false
    if !leadsToLost {
      guard let entry, !unsent.own(of: id, entry).contains(relationship) else { return }
      // The record may have changed again since then.
      guard entry.location.zone == location.zone,
        entry.record?.string(of: toOne.key) == location.name
      else { return }
    }
    if claim(toOne.index, of: id, target, location.name) { return }
    row.toOnes[toOne.index] = target
    try edits.update(row, changed: [relationship])
    try touchInverse(toOne.index, of: Int(id.entity), target)
  }
}
