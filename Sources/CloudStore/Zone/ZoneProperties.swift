import LocalCloudStorage

/// The contents of a zone's `zone.json`.
package struct ZoneProperties: Sendable, Hashable {
  package var name: ExactName
  /// The owner's user record name.
  package var owner: String
  /// An identifier that is new with each creation: a zone that was deleted and made again is another one.
  package var incarnation: String
  /// The number that identifies the zone in its index.
  package var indexOwner: UInt64 { Digest.hash64(Array(incarnation.utf8)) }
  /// The sequence before the zone's first change. It is above all sequences of an earlier zone of this name, so that no
  /// change tag ever names two contents.
  package var base: Int64
  package var capabilities: Int64
  /// Milliseconds since 1970.
  package var created: Int64
  /// The zone's histories. The first has the incarnation as its identifier; repairs and restored snapshots add more.
  package var histories: [ZoneHistory]
  /// The end of the link of the zone-wide share. It stays the same from the first zone-wide share on.
  package var shortGUID: String? {
    get { object["shortGUID"]?.string }
    set { object["shortGUID"] = newValue.map { .string($0) } }
  }
  package var object: JSONObject

  package init(
    name: ExactName, owner: String, incarnation: String, base: Int64 = 0, capabilities: Int64, created: Int64
  ) {
    self.name = name
    self.owner = owner
    self.incarnation = incarnation
    self.base = base
    self.capabilities = capabilities
    self.created = created
    histories = [.first(incarnation, base: base)]
    object = [:]
  }

  package var bytes: [UInt8] {
    var object = object
    object["zoneID"] = ["ownerRecordName": .string(owner), "zoneName": .string(name.string)]
    object["incarnation"] = .string(incarnation)
    object["base"] = .integer(base)
    object["capabilities"] = .integer(capabilities)
    object["created"] = .integer(created)
    object["histories"] = laterHistories
    return JSONValue.object(object).pretty()
  }

  /// The valid base sequences, with room above for every change that a zone will ever see.
  private static let bases: ClosedRange<Int64> = 0...(1 << 50)

  package static func parse(_ bytes: [UInt8], path: String) throws -> ZoneProperties {
    let value: JSONValue
    do { value = try JSONValue(parsing: bytes) } catch {
      throw StorageError.damaged(path: path, reason: "not JSON: \(error)")
    }
    guard let object = value.object, let name = value["zoneID"]?["zoneName"]?.string,
      let owner = value["zoneID"]?["ownerRecordName"]?.string, let incarnation = value["incarnation"]?.string,
      let base = value["base"]?.integer, bases.contains(base),
      let capabilities = value["capabilities"]?.integer,
      let created = value["created"]?.integer,
      let histories = histories(value["histories"], incarnation: incarnation, base: base)
    else { throw StorageError.damaged(path: path, reason: "not a zone's properties") }
    var result = ZoneProperties(
      name: ExactName(name), owner: owner, incarnation: incarnation, base: base, capabilities: capabilities,
      created: created)
    result.histories = histories
    result.object = object
    return result
  }
}
