import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// The data that the users of a cloud must see: every record with its fields.
struct CorruptionTruth {
  /// One account's view of a zone.
  struct Place: Hashable {
    var account: String
    var scope: DatabaseScope
    var zone: ZoneIdentifier
    /// The folder of the zone's files, as ``CorruptionFile/zone``.
    var folder: String
  }

  struct Entry: Equatable {
    var type: String
    var fields: [String: FieldValue]
    var encryptedFields: [String: FieldValue]
    var parent: ExactName?
    var share: ExactName?
    var shareDetails: ShareDetails?
    var tag: String
    var stamps: [Stamp]

    init(_ record: Record) {
      type = record.type
      fields = record.fields
      encryptedFields = record.encryptedFields
      parent = record.parent
      share = record.share
      shareDetails = record.shareDetails
      tag = record.changeTag
      stamps = [record.created, record.modified]
    }

    func differences(from other: Entry) -> Set<CorruptionAllowance.Part> {
      var parts: Set<CorruptionAllowance.Part> = []
      if type != other.type { parts.insert(.type) }
      if parent != other.parent { parts.insert(.parent) }
      if share != other.share { parts.insert(.share) }
      if shareDetails != other.shareDetails { parts.insert(.shareDetails) }
      if tag != other.tag { parts.insert(.tag) }
      if stamps != other.stamps { parts.insert(.stamps) }
      for key in Set(fields.keys).union(other.fields.keys) where fields[key] != other.fields[key] {
        parts.insert(.field(key))
      }
      for key in Set(encryptedFields.keys).union(other.encryptedFields.keys)
      where encryptedFields[key] != other.encryptedFields[key] {
        parts.insert(.encrypted(key))
      }
      return parts
    }
  }

  private(set) var records: [(place: Place, records: [ExactName: Entry])] = []
  /// A token in each feed. `later` contains the records after it.
  private(set) var tokens: [Place: String] = [:]
  private(set) var later: [Place: Set<ExactName>] = [:]
  private(set) var contents: [ContentName: [UInt8]] = [:]

  /// Reads every record through the feeds.
  init(of service: CloudService) throws {
    for (owner, zone) in CorruptionStage.zones {
      let guest = owner == "alice" ? "bob" : "alice"
      let (name, folder) = (ExactName(zone), "private/\(owner)/\(zone)")
      try add(Place(account: owner, scope: .private, zone: ZoneIdentifier(name: name), folder: folder), service)
      if zone == "Other" { continue }
      let user = try service.accounts.userRecordName(by: Self.caller(owner))
      try add(
        Place(account: guest, scope: .shared, zone: ZoneIdentifier(name: name, owner: user), folder: folder), service)
    }
    let (id, caller) = (ZoneIdentifier(name: ZoneIdentifier.defaultName), Self.caller("carol"))
    let place = Place(account: "carol", scope: .public, zone: id, folder: "public/_defaultZone")
    let record = try service.records.fetchRecords(
      FetchRecordsRequest(scope: .public, records: [RecordIdentifier(name: "p", zone: id)]), by: caller)[0].get()
    records.append((place, ["p": Entry(record)]))
  }

  static func caller(_ account: String) -> Caller {
    Caller(account: account, device: nil, container: TemporaryCloud.container)
  }

  private mutating func add(_ place: Place, _ service: CloudService) throws {
    let request = ZoneChangesRequest(scope: place.scope, zone: place.zone, withAssets: true)
    let changes = try service.feeds.zoneChanges(request, by: Self.caller(place.account))
    let entries = changes.changed.map { ($0.id.name, Entry($0)) }
    records.append((place, Dictionary(entries, uniquingKeysWith: { first, _ in first })))
    let page = ZoneChangesRequest(scope: place.scope, zone: place.zone, limit: 2)
    let first = try service.feeds.zoneChanges(page, by: Self.caller(place.account))
    tokens[place] = first.token
    later[place] = Set(entries.map(\.0)).subtracting(first.changed.map(\.id.name))
    for asset in changes.changed.flatMap({ $0.fields.values }).flatMap(\.assets) {
      if let name = asset.name { contents[name] = try asset.bytes() }
    }
  }
}
