import LocalCloudObjectStore

/// Keeps both sides of one-to-one relationships together, each of which is a field of a record of its own ([mirror-21]).
///
/// What an import says of one side is collected (``claim(_:_:_:isWaiting:)``), and settled when all of a page is taken over:
/// what both records say holds; then what one of them says, if nothing stands against it. Where a record says something
/// else than what holds, it is corrected with the next export: so all devices agree, in whatever order they hear of it.
final class OneToOnes {
  /// An object and a relationship of its entity, by its place in the schema.
  private struct Side: Hashable {
    var id: RowID
    var relationship: Int
  }

  private struct Claim {
    var target: RowID? = nil
    /// Whether the record names another one, which has not arrived yet.
    var isWaiting = false
  }

  private let edits: StoreEdits
  private let mapping: RecordMapping
  private let unsent: UnsentChanges
  private var claims: [Side: Claim] = [:]
  private var touched: Set<Side> = []

  init(_ edits: StoreEdits, _ mapping: RecordMapping, _ unsent: UnsentChanges) {
    (self.edits, self.mapping, self.unsent) = (edits, mapping, unsent)
  }

  /// Whether the inverse of a relationship to one object leads to one object, too.
  static func has(_ relationship: Int, in schema: StoreSchema) -> Bool {
    guard let inverse = schema.relationships[relationship].inverse else { return false }
    return !schema.relationships[relationship].isToMany && !schema.relationships[inverse].isToMany
  }

  /// Notes what a record says. What was changed here and not sent is no record's.
  func claim(_ id: RowID, _ relationship: Int, _ target: RowID?, isWaiting: Bool = false) {
    claims[Side(id: id, relationship: relationship)] = Claim(target: target, isWaiting: isWaiting)
  }

  func settle() throws {
    let collected = claims.keys.sorted { ($0.id, $0.relationship) < ($1.id, $1.relationship) }
    var open: [Side] = []
    for side in collected {
      guard try edits.objects.row(side.id) != nil else { continue }
      if let other = try target(of: side), try isAnswered(side, by: other) {
        try connect(side, other)
      } else {
        open.append(side)
      }
    }
    for side in open { try settleOneSided(side) }
    for side in touched { try correct(side) }
    (claims, touched) = ([:], [])
  }

  private func settleOneSided(_ side: Side) throws {
    let known = try value(side).flatMap { inverse(of: side, at: $0) }
    guard let other = try target(of: side) else {
      // The other record may say so in the same page.
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

  // MARK: What is said

  /// The other side, as the record says or, where this device has changed it, the object.
  private func target(of side: Side) throws -> Side? {
    try claim(of: side).target.flatMap { inverse(of: side, at: $0) }
  }

  private func isAnswered(_ side: Side, by other: Side) throws -> Bool {
    // What is so already was settled before, unless the record came anew.
    if claims[other] == nil, try value(other) == side.id { return true }
    return try claim(of: other).target == side.id
  }

  private func claim(of side: Side) throws -> Claim {
    if let known = claims[side] { return known }
    let name = mapping.schema.relationships[side.relationship].name
    let entry = RecordEntry(try edits.row(side.id.number, in: .records))
    guard let entry, entry.tag != nil, let own = unsent.properties(of: side.id, entry), !own.contains(name),
      let record = entry.record
    else { return Claim(target: try value(side)) }
    guard case .string(let target)? = FieldValue(record.object(forKey: RecordNames.prefix + name)) else {
      return Claim()
    }
    let known = RecordEntry(try edits.row(key: RecordHome(entry.home.zone, target).key, in: .records))
    let id = try known.flatMap { try edits.objects.id(numbered: $0.number) }
    return Claim(target: id, isWaiting: id == nil)
  }

  // MARK: What is stored

  private func place(_ side: Side) -> Int? {
    mapping.schema.entities[Int(side.id.entity)].toOnes.firstIndex(of: side.relationship)
  }

  private func value(_ side: Side) throws -> RowID? {
    guard let place = place(side), let row = try edits.objects.row(side.id) else { return nil }
    return row.toOnes[place]
  }

  private func inverse(of side: Side, at target: RowID) -> Side? {
    mapping.schema.relationships[side.relationship].inverse.map { Side(id: target, relationship: $0) }
  }

  private func set(_ side: Side, _ target: RowID?) throws {
    guard let place = place(side), var row = try edits.objects.row(side.id), row.toOnes[place] != target else { return }
    row.toOnes[place] = target
    edits.objects.update(row, changed: [mapping.schema.relationships[side.relationship].name])
    touched.insert(side)
  }

  private func connect(_ side: Side, _ other: Side) throws {
    if let known = try value(side), known != other.id, let left = inverse(of: side, at: known) {
      try disconnect(side, left)
    }
    if let known = try value(other), known != side.id, let left = inverse(of: other, at: known) {
      try disconnect(other, left)
    }
    try set(side, other.id)
    try set(other, side.id)
    touched.formUnion([side, other])
  }

  private func disconnect(_ side: Side, _ other: Side) throws {
    if try value(side) == other.id { try set(side, nil) }
    if try value(other) == side.id { try set(other, nil) }
  }

  /// Has the record corrected, if it says something else than what holds.
  private func correct(_ side: Side) throws {
    let claim = try claim(of: side)
    if try claim.target != value(side), !claim.isWaiting { try edits.setPending(side.id.number, true) }
  }
}
