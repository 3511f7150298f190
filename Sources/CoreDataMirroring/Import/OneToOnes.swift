import LocalCloudObjectStore

/// Makes both sides of one-to-one relationships consistent. Each side is a field of a separate record ([mirror-21]).
///
/// An import collects the value of each side (``claim(_:_:_:isWaiting:)``) and resolves them once a whole page is
/// applied. Values that both records agree on are applied first, then the value of one record if nothing contradicts
/// it. A record that contradicts the result is corrected with the next export. So all devices reach the same result,
/// even if they receive the records in different orders.
final class OneToOnes {
  /// An object and a relationship of its entity, by the relationship's index in the schema.
  private struct Side: Hashable {
    var id: RowID
    var relationship: Int
  }

  private struct Claim {
    var target: RowID? = nil
    /// Whether the record names an object that has not arrived yet.
    var isWaiting = false
  }

  private let edits: StoreTransaction
  private let mapping: RecordMapping
  private let unsent: UnsentChanges
  private var claims: [Side: Claim] = [:]
  private var touched: Set<Side> = []

  init(_ edits: StoreTransaction, _ mapping: RecordMapping, _ unsent: UnsentChanges) {
    (self.edits, self.mapping, self.unsent) = (edits, mapping, unsent)
  }

  /// Whether a relationship and its inverse are both to-one.
  static func has(_ relationship: Int, in schema: StoreSchema) -> Bool {
    guard let inverse = schema.relationships[relationship].inverse else { return false }
    return !schema.relationships[relationship].isToMany && !schema.relationships[inverse].isToMany
  }

  /// Collects a record's value. Not for a relationship with a local change that was not sent.
  func claim(_ id: RowID, _ relationship: Int, _ target: RowID?, isWaiting: Bool = false) {
    claims[Side(id: id, relationship: relationship)] = Claim(target: target, isWaiting: isWaiting)
  }

  func resolve() throws {
    let collected = claims.keys.sorted { ($0.id, $0.relationship) < ($1.id, $1.relationship) }
    var open: [Side] = []
    for side in collected {
      guard try edits.row(side.id) != nil else { continue }
      if let other = try target(of: side), try isAnswered(side, by: other) {
        try connect(side, other)
      } else {
        open.append(side)
      }
    }
    for side in open { try resolveOneSided(side) }
    for side in touched { try correct(side) }
    (claims, touched) = ([:], [])
  }

  private func resolveOneSided(_ side: Side) throws {
    let known = try value(side).flatMap { inverse(of: side, at: $0) }
    guard let other = try target(of: side) else {
      // The other object's record may name this object in the same page.
      if let known, claims[known]?.target != side.id { try disconnect(side, known) }
      return
    }
    if let rival = try value(other).flatMap({ inverse(of: other, at: $0) }), rival != side,
      try target(of: rival) == other, try isAnswered(rival, by: other)
    {
      if let known, known != other { try disconnect(side, known) }
      touched.insert(side)
      return
    }
    try connect(side, other)
  }

  // MARK: Claims of records

  /// The other side that the record names, or the object's own value if this device has changed it.
  private func target(of side: Side) throws -> Side? {
    try claim(of: side).target.flatMap { inverse(of: side, at: $0) }
  }

  private func isAnswered(_ side: Side, by other: Side) throws -> Bool {
    // An existing connection was resolved before, unless the record arrived again.
    if claims[other] == nil, try value(other) == side.id { return true }
    return try claim(of: other).target == side.id
  }

  private func claim(of side: Side) throws -> Claim {
    if let known = claims[side] { return known }
    let name = mapping.schema.relationships[side.relationship].name
    let entry = try edits.record(of: side.id)
    guard let entry, entry.tag != nil, let own = unsent.properties(of: side.id, entry), !own.contains(name),
      let record = entry.record
    else { return Claim(target: try value(side)) }
    guard let target = record.string(of: RecordNames.prefix + name) else { return Claim() }
    let known = try edits.record(at: RecordLocation(entry.location.zone, target))?.id
    let id = try known.flatMap { try edits.exists($0) ? $0 : nil }
    return Claim(target: id, isWaiting: id == nil)
  }

  // MARK: Stored values

  private func index(of side: Side) -> Int? {
    mapping.schema.entities[Int(side.id.entity)].toOnes.firstIndex(of: side.relationship)
  }

  private func value(_ side: Side) throws -> RowID? {
    guard let index = index(of: side), let row = try edits.row(side.id) else { return nil }
    return row.toOnes[index]
  }

  private func inverse(of side: Side, at target: RowID) -> Side? {
    mapping.schema.relationships[side.relationship].inverse.map { Side(id: target, relationship: $0) }
  }

  private func set(_ side: Side, _ target: RowID?) throws {
    guard let index = index(of: side), var row = try edits.row(side.id), row.toOnes[index] != target else {
      return
    }
    row.toOnes[index] = target
    try edits.update(row, changed: [mapping.schema.relationships[side.relationship].name])
    touched.insert(side)
  }

  private func connect(_ side: Side, _ other: Side) throws {
    if let known = try value(side), known != other.id, let former = inverse(of: side, at: known) {
      try disconnect(side, former)
    }
    if let known = try value(other), known != side.id, let former = inverse(of: other, at: known) {
      try disconnect(other, former)
    }
    try set(side, other.id)
    try set(other, side.id)
    touched.formUnion([side, other])
  }

  private func disconnect(_ side: Side, _ other: Side) throws {
    if try value(side) == other.id { try set(side, nil) }
    if try value(other) == side.id { try set(other, nil) }
  }

  /// Marks the record for correction if it contradicts the stored value.
  private func correct(_ side: Side) throws {
    let claim = try claim(of: side)
    if try claim.target != value(side), !claim.isWaiting { try edits.setPending(side.id, true) }
  }
}
