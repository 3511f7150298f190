import LocalCloudStorage

/// A pair of objects that has a record. It has three rows in the table `links`, so that it can be found from either
/// object and from the record.
package struct LinkEntry: Sendable {
  /// The relationship that names the pair's table, with its entity: `Post.tags`.
  package var relationship: String
  /// The object that has that relationship, and the other one.
  package var forward: RowID
  package var backward: RowID
  package var location: RecordLocation
  /// Whether the record is known to be in the cloud.
  package var isSent = false
  /// Whether the objects are no longer linked, and the record has to be deleted.
  package var isEnding = false
  /// Where the record was before, and is to be deleted.
  package var leaving: [RecordLocation] = []
  /// The rows' numbers.
  package var rows: [Int64]

  package init(relationship: String, forward: RowID, backward: RowID, location: RecordLocation, rows: [Int64]) {
    self.relationship = relationship
    (self.forward, self.backward, self.location, self.rows) = (forward, backward, location, rows)
  }

  package static func forwardPrefix(_ id: RowID) -> String { "from \(id.number) " }
  package static func backwardPrefix(_ id: RowID) -> String { "to \(id.number) " }
  package static func recordKey(_ location: RecordLocation) -> String { "record \(location.key)" }
  package static func recordPrefix(_ zone: ZoneLocation) -> String { "record \(zone.key)|" }
  package static func pairKey(_ relationship: String, _ forward: RowID, _ backward: RowID) -> String {
    forwardPrefix(forward) + "\(relationship) \(backward.number)"
  }

  /// The number of the pair's first row, in one of its other rows; nil in a first row.
  package static func number(_ row: MirrorRow?) -> Int64? { row?.values["link"]?.integer }

  package func isOfSamePair(as other: LinkEntry) -> Bool {
    relationship == other.relationship && forward == other.forward && backward == other.backward
  }

  package static func name(of relationship: Int, in schema: StoreSchema) -> String {
    let relationship = schema.relationships[relationship]
    return "\(schema.entities[relationship.entity].name).\(relationship.name)"
  }

  /// The relationship's index in the schema; nil if the model no longer has the relationship.
  package func relationshipIndex(in schema: StoreSchema) -> Int? {
    let names = relationship.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard names.count == 2, let entity = schema.entity(named: String(names[0])),
      let index = schema.relationship(named: String(names[1]), of: entity),
      schema.relationships[index].entity == entity
    else { return nil }
    return index
  }

  package init?(_ row: MirrorRow?) {
    guard let row, let location = RecordLocation(row.values["home"]),
      let relationship = row.values["relationship"]?.string, row.objects.count == 2,
      let others = row.values["rows"]?.array?.compactMap(\.integer), others.count == 2
    else { return nil }
    self.init(
      relationship: relationship, forward: row.objects[0], backward: row.objects[1], location: location,
      rows: [row.id] + others)
    isSent = row.values["sent"]?.bool ?? false
    isEnding = row.values["ending"]?.bool ?? false
    leaving = row.values["leaving"]?.array?.compactMap { RecordLocation($0) } ?? []
  }

  package var mirrorRows: [MirrorRow] {
    var values: JSONObject = [
      "home": location.value, "relationship": .string(relationship), "forward": .integer(forward.number),
      "backward": .integer(backward.number), "rows": .array(rows.dropFirst().map(JSONValue.integer)),
      "sent": .bool(isSent),
    ]
    if isEnding { values["ending"] = true }
    if !leaving.isEmpty { values["leaving"] = .array(leaving.map(\.value)) }
    let alias: JSONObject = ["link": .integer(rows[0])]
    return [
      MirrorRow(
        id: rows[0], key: Self.pairKey(relationship, forward, backward), objects: [forward, backward], values: values),
      MirrorRow(id: rows[1], key: Self.backwardPrefix(backward) + "\(relationship) \(forward.number)", values: alias),
      MirrorRow(id: rows[2], key: Self.recordKey(location), values: alias),
    ]
  }
}
