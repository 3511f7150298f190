import LocalCloudStorage

// The rows of the mirroring's tables as values. A row that can't be parsed gives nil: a later version of the library
// wrote it.

extension RecordLocation {
  package init?(_ value: JSONValue?) {
    guard let zone = value?["zone"]?.string, let owner = value?["owner"]?.string, let name = value?["name"]?.string
    else { return nil }
    self.init(ZoneLocation(zone: zone, owner: owner), name)
  }

  package var value: JSONValue { ["zone": .string(zone.zone), "owner": .string(zone.owner), "name": .string(name)] }
}

/// An object's record: a row of the table `records`, numbered as the object, with the record's key.
///
/// The row exists before the record is first sent, and until its deletion was sent. So each attempt sends the record
/// under the same name ([mirror-10]).
package struct RecordEntry: Sendable {
  /// The object.
  package var id: RowID
  package var location: RecordLocation
  /// The change tag of the version that the object's values come from. Nil if the record is not known to have been sent
  /// or fetched.
  package var tag: String?
  /// The record as the server last had it.
  package var archive: String?
  /// The last transaction from which the object's changes were sent.
  package var sent: Int64 = 0
  /// Where the record was before, and is to be deleted.
  package var leaving: [RecordLocation] = []
  package var receipt = MoveReceipt()
  /// The user record name of the record's creator, in the public database. The archived record calls the creator
  /// `__defaultOwner__`, and another user may have signed in since.
  package var creator: String?
  /// Whether the record was read with an earlier version of the model. That version may lack some of its fields.
  package var isOfEarlierModel = false

  /// Of a record that was in the cloud, and is to be sent anew after a reset of the encryption keys ([mirror-43]).
  package var resent: MoveReceipt.Resent? { tag == nil ? receipt.moves.last?.resent : nil }

  package init(id: RowID, location: RecordLocation) { (self.id, self.location) = (id, location) }

  package init?(_ row: MirrorRow?) {
    guard let row, let id = row.objects.first, let location = RecordLocation(row.values["home"]) else { return nil }
    self.init(id: id, location: location)
    tag = row.values["tag"]?.string
    archive = row.values["record"]?.string
    sent = row.values["sent"]?.integer ?? 0
    leaving = row.values["leaving"]?.array?.compactMap { RecordLocation($0) } ?? []
    receipt = MoveReceipt(row.values["receipt"] ?? .null)
    creator = row.values["creator"]?.string
    isOfEarlierModel = row.values["earlierModel"]?.bool ?? false
  }

  package var row: MirrorRow {
    var values: JSONObject = ["home": location.value, "sent": .integer(sent)]
    values["tag"] = tag.map(JSONValue.string)
    values["record"] = archive.map(JSONValue.string)
    if !leaving.isEmpty { values["leaving"] = .array(leaving.map(\.value)) }
    if !receipt.locations.isEmpty { values["receipt"] = receipt.value }
    values["creator"] = creator.map(JSONValue.string)
    if isOfEarlierModel { values["earlierModel"] = true }
    return MirrorRow(id: id.number, key: location.key, objects: [id], values: values)
  }
}

/// A zone: a row of the table `zones`, with the zone's key.
package struct ZoneEntry: Sendable {
  package var number: Int64
  package var location: ZoneLocation
  /// The archived token of the last zone changes that were imported.
  package var token: String?
  /// Whether all of the zone is being fetched anew, and the token says nothing before that is done.
  package var isWalkedAnew = false
  /// The archive of the zone's share.
  package var share: String?
  /// Whether the zone is known to be in the cloud.
  package var isMade = false

  package init(number: Int64, location: ZoneLocation) { (self.number, self.location) = (number, location) }

  package init?(_ row: MirrorRow?) {
    guard let row, let zone = row.values["zone"]?.string, let owner = row.values["owner"]?.string else { return nil }
    self.init(number: row.id, location: ZoneLocation(zone: zone, owner: owner))
    token = row.values["token"]?.string
    isWalkedAnew = row.values["walkedAnew"]?.bool ?? false
    share = row.values["share"]?.string
    isMade = row.values["made"]?.bool ?? false
  }

  package var row: MirrorRow {
    var values: JSONObject = ["zone": .string(location.zone), "owner": .string(location.owner), "made": .bool(isMade)]
    values["token"] = token.map(JSONValue.string)
    if isWalkedAnew { values["walkedAnew"] = true }
    values["share"] = share.map(JSONValue.string)
    return MirrorRow(id: number, key: location.key, values: values)
  }
}

/// A reference that waits for its target: a row of the table `waiting`, with the target's key. A second row, with the
/// key of the reference, leads to it.
package struct WaitingEntry: Sendable {
  package enum Reference: Sendable, Equatable {
    /// The to-one relationship, by its name, of an object.
    case toOne(RowID, relationship: String)
    /// A pair of objects, given by its record.
    case link(LinkRecord)
  }

  package var number: Int64
  package var target: RecordLocation
  package var reference: Reference

  package init(number: Int64, target: RecordLocation, reference: Reference) {
    (self.number, self.target, self.reference) = (number, target, reference)
  }

  package init?(_ row: MirrorRow) {
    guard let target = RecordLocation(row.values["target"]) else { return nil }
    if let id = row.objects.first, let relationship = row.values["relationship"]?.string {
      self.init(number: row.id, target: target, reference: .toOne(id, relationship: relationship))
    } else if let link = LinkRecord(row.values["link"]) {
      self.init(number: row.id, target: target, reference: .link(link))
    } else {
      return nil
    }
  }

  /// The key that finds a reference independently of its target: at most 774 bytes.
  package static func key(_ reference: Reference) -> String {
    switch reference {
    case .toOne(let id, let relationship): objectPrefix(id) + relationship
    case .link(let link): linkKey(link.location)
    }
  }

  /// The beginning of the keys of an object's relationships.
  package static func objectPrefix(_ id: RowID) -> String { "object \(id.number) " }

  /// The key of the pair that has its record at that address.
  package static func linkKey(_ location: RecordLocation) -> String { "record \(location.key)" }

  /// The row that leads from the reference's key to the entry.
  ///
  /// - Parameter id: the row's number.
  package func referenceRow(_ id: Int64) -> MirrorRow {
    MirrorRow(id: id, key: Self.key(reference), values: [Self.entryField: .integer(number)])
  }

  /// The number of the entry that a reference's row points to; nil for an entry's own row.
  package static func number(_ row: MirrorRow?) -> Int64? { row?.values[entryField]?.integer }

  private static let entryField = "waiting"

  package var row: MirrorRow {
    var row = MirrorRow(id: number, key: target.key, values: ["target": target.value])
    switch reference {
    case .toOne(let id, let relationship):
      row.objects = [id]
      row.values["object"] = .integer(id.number)
      row.values["relationship"] = .string(relationship)
    case .link(let link): row.values["link"] = link.value
    }
    return row
  }
}

/// A note about a single record, in a row of the table `state`.
package enum RecordNote: String, Sendable, CaseIterable {
  /// An import could not read the record. Each import fetches it again until it can be read, or is deleted
  /// ([mirror-31]).
  case unread = "unread "
  /// An import did not believe the record's receipt ([mirror-42]).
  case ignoredReceipt = "receipt "

  /// The field of the row that holds the record's address.
  package static let field = "record"

  package func key(_ location: RecordLocation) -> String { rawValue + location.key }

  /// The beginning of the keys of a zone's records.
  package func prefix(_ zone: ZoneLocation) -> String { rawValue + zone.key + "|" }

  /// The records that have the note.
  package func records(in view: StoreView) throws -> [RecordLocation] {
    try view.rows(prefix: rawValue, in: .state).compactMap { RecordLocation($0.values[Self.field]) }
  }
}
