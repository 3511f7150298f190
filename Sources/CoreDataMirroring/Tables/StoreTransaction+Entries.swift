import LocalCloudObjectStore
import LocalCloudStorage

extension StoreTransaction {
  /// Records that a relationship of the object changed that is not stored in its row.
  func touch(_ id: RowID, _ relationship: Int) throws {
    if let row = try row(id) { try update(row, changed: [schema.relationships[relationship].name]) }
  }

  /// Links two objects, or ends their link, and records the change for both of them.
  func setLink(_ relationship: Int, from: RowID, to: RowID, _ isLinked: Bool) throws {
    if isLinked { try link(from, relationship, to: to) } else { try unlink(from, relationship, from: to) }
    try touch(from, relationship)
    if let inverse = schema.relationships[relationship].inverse { try touch(to, inverse) }
  }

  package func put(_ link: LinkEntry) {
    for row in link.mirrorRows { put(row, in: .links) }
  }

  package func remove(_ link: LinkEntry) {
    for row in link.rows { remove(row, from: .links) }
  }

  /// The entry of a former address; nil if no record has moved from there.
  package func former(_ location: RecordLocation) throws -> FormerLocation? {
    FormerLocation(try row(key: FormerLocation.key(location), in: .state))
  }

  package func put(_ former: FormerLocation) { put(former.row, in: .state) }

  /// Records that an object's record moves to another address. `known`: its entry before the move.
  package func leave(_ known: RecordEntry) throws {
    let number = try former(known.location)?.number ?? newNumber()
    var former = FormerLocation(number: number, location: known.location, subject: .object(known.id))
    (former.tag, former.archive, former.wasSent) = (known.tag, known.archive, known.tag != nil)
    put(former)
  }

  /// Records that a pair's record moves to another address. `link`: the pair before the move.
  package func leave(_ link: LinkEntry) throws {
    let number = try former(link.location)?.number ?? newNumber()
    var former = FormerLocation(number: number, location: link.location, subject: .link(link.rows[0]))
    former.wasSent = link.isSent
    put(former)
  }

  /// Removes the entry of a former address.
  package func forget(former location: RecordLocation) throws {
    if let row = try row(key: FormerLocation.key(location), in: .state) { remove(row.id, from: .state) }
  }

  /// Removes a deleted zone and all rows about it, except its objects and pairs.
  func forget(_ zone: ZoneLocation) throws {
    try WaitingReferences(edits: self).removeAll(for: zone)
    for prefix in [FormerLocation.prefix(zone)] + RecordNote.allCases.map({ $0.prefix(zone) }) {
      for row in try rows(prefix: prefix, in: .state) { remove(row.id, from: .state) }
    }
    if let row = try row(key: zone.key, in: .zones) { remove(row.id, from: .zones) }
  }
}

/// The records that an import notes: each has a row of the table `state`.
struct RecordNotes {
  let edits: StoreTransaction
  let kind: RecordNote

  init(_ edits: StoreTransaction, _ kind: RecordNote) { (self.edits, self.kind) = (edits, kind) }

  /// Adds notes for `added`, and removes those of `removed`, the remaining records that the import has read.
  func update(adding added: [RecordLocation], removing removed: [RecordLocation]) throws {
    for location in added { try edits.setState(kind.key(location), RecordNote.field, location.value) }
    if try !edits.hasRows(prefix: kind.rawValue, in: .state) { return }
    for location in removed { try remove(location) }
  }

  func remove(_ location: RecordLocation) throws { try edits.setState(kind.key(location), RecordNote.field, nil) }
}
