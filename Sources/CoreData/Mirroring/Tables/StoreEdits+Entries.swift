import LocalCloudObjectStore
import LocalCloudStorage

extension StoreEdits {
  package func put(_ link: LinkEntry) {
    for row in link.mirrorRows { put(row, in: .links) }
  }

  package func remove(_ link: LinkEntry) {
    for row in link.rows { remove(row, from: .links) }
  }
}

extension StoreEdits {
  /// The entry of a former address; nil if no record has moved from there.
  package func former(_ home: RecordHome) throws -> FormerHome? {
    FormerHome(try row(key: FormerHome.key(home), in: .state))
  }

  package func put(_ former: FormerHome) { put(former.row, in: .state) }

  /// Records that an object's record moves to another address. `known`: its entry before the move.
  package func leave(_ known: RecordEntry) throws {
    var former =
      try former(known.home)
      ?? FormerHome(number: transaction.newNumber(), home: known.home, subject: .object(known.number))
    (former.subject, former.tag, former.archive) = (.object(known.number), known.tag, known.archive)
    (former.wasSent, former.isEnding) = (known.tag != nil, false)
    put(former)
  }

  /// Records that a pair's record moves to another address. `link`: the pair before the move.
  package func leave(_ link: LinkEntry) throws {
    let number = try former(link.home)?.number ?? transaction.newNumber()
    var former = FormerHome(number: number, home: link.home, subject: .link(link.rows[0]))
    former.wasSent = link.isSent
    put(former)
  }

  /// Removes the entry of a former address.
  package func forget(former home: RecordHome) throws {
    if let row = try row(key: FormerHome.key(home), in: .state) { remove(row.id, from: .state) }
  }
}

extension StoreEdits {
  /// Removes a deleted zone and all rows about it, except its objects and pairs.
  func forget(_ zone: ZoneHome) throws {
    try WaitingReferences(edits: self).removeAll(for: zone)
    for prefix in [FormerHome.prefix(zone)] + RecordNote.allCases.map({ $0.prefix(zone) }) {
      for row in try rows(prefix: prefix, in: .state) { remove(row.id, from: .state) }
    }
    if let row = try row(key: zone.key, in: .zones) { remove(row.id, from: .zones) }
  }
}

/// The records that an import notes: each has a row of the table `state`.
struct RecordNotes {
  let edits: StoreEdits
  let kind: RecordNote

  init(_ edits: StoreEdits, _ kind: RecordNote) { (self.edits, self.kind) = (edits, kind) }

  /// Adds notes for `noted`, and removes those of `others`, the remaining records that the import has read.
  func update(noted: [RecordHome], others: [RecordHome]) throws {
    for home in noted { try edits.setState(kind.key(home), RecordNote.field, home.value) }
    if try !edits.hasRows(prefix: kind.rawValue, in: .state) { return }
    for home in others { try remove(home) }
  }

  func remove(_ home: RecordHome) throws { try edits.setState(kind.key(home), RecordNote.field, nil) }
}
