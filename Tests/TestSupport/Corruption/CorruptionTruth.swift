import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// The data that the users of a cloud must see: every record with its fields.
struct CorruptionTruth {
  /// One account's view of a zone.
  struct Zone: Hashable {
    var account: String
    var scope: DatabaseScope
    var id: ZoneIdentifier
    /// The folder of the zone's files, as ``CorruptionFile/zone``.
    var folder: String
  }

  /// A record as far as repair must preserve it. Repair may give it a new change tag.
  struct Entry: Equatable {
    var type: String
    var fields: [String: FieldValue]
    var encryptedFields: [String: FieldValue]
    var parent: ExactName?
    var share: ExactName?
    var shareDetails: ShareDetails?
    var stamps: [Stamp]

    init(_ record: Record) {
      (type, fields, encryptedFields) = (record.type, record.fields, record.encryptedFields)
      (parent, share, shareDetails) = (record.parent, record.share, record.shareDetails)
      stamps = [record.created, record.modified]
    }
  }

  private(set) var zones: [(zone: Zone, records: [ExactName: Entry])] = []
  private(set) var contents: [ContentName: [UInt8]] = [:]

  /// Reads every record through the feeds.
  init(of service: CloudService) throws {
    for (owner, zone) in FullCloud.zones {
      let guest = owner == "alice" ? "bob" : "alice"
      let (name, folder) = (ExactName(zone), "private/\(owner)/\(zone)")
      try add(Zone(account: owner, scope: .private, id: ZoneIdentifier(name: name), folder: folder), service)
      if zone == "Other" { continue }
      let user = try service.accounts.userRecordName(by: Self.caller(owner))
      let shared = ZoneIdentifier(name: name, owner: user)
      try add(Zone(account: guest, scope: .shared, id: shared, folder: folder), service)
    }
    let id = ZoneIdentifier(name: ZoneIdentifier.defaultName)
    let request = FetchRecordsRequest(scope: .public, records: [RecordIdentifier(name: "p", zone: id)])
    let record = try service.records.fetchRecords(request, by: Self.caller("carol"))[0].get()
    let zone = Zone(account: "carol", scope: .public, id: id, folder: "public/_defaultZone")
    zones.append((zone, ["p": Entry(record)]))
  }

  static func caller(_ account: String) -> Caller {
    Caller(account: account, device: nil, container: TemporaryCloud.container)
  }

  private mutating func add(_ zone: Zone, _ service: CloudService) throws {
    let request = ZoneChangesRequest(scope: zone.scope, zone: zone.id, withAssets: true)
    let changes = try service.feeds.zoneChanges(request, by: Self.caller(zone.account))
    zones.append((zone, Dictionary(changes.changed.map { ($0.id.name, Entry($0)) }, uniquingKeysWith: { $1 })))
    for asset in changes.changed.flatMap({ $0.fields.values }).flatMap(\.assets) {
      if let name = asset.name { contents[name] = try asset.bytes() }
    }
  }
}
