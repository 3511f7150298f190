import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// One person's requests to one zone.
struct Person {
  let cloud: TemporaryCloud
  /// The cloud's service, or one in the role of another process.
  let service: CloudService
  let caller: Caller
  var scope = DatabaseScope.private
  var zone = ZoneIdentifier(name: "Notes")

  init(
    _ cloud: TemporaryCloud, _ account: String?, device: String? = nil, environment: CloudEnvironment = .development,
    by service: CloudService? = nil
  ) {
    self.cloud = cloud
    self.service = service ?? cloud.service
    var caller = cloud.caller(account, device: device)
    caller.environment = environment
    self.caller = caller
  }

  func inShared(zoneOf owner: Person) throws -> Person {
    var copy = self
    copy.scope = .shared
    copy.zone.owner = try owner.service.accounts.userRecordName(by: owner.caller)
    return copy
  }

  func makeZone() throws {
    _ = try service.zones.modifyZones(ModifyZonesRequest(scope: scope, saves: [zone]), by: caller).saves[0].get()
  }

  func id(_ name: ExactName) -> RecordIdentifier { RecordIdentifier(name: name, zone: zone) }

  func note(
    _ name: ExactName, _ text: String? = nil, tag: String? = nil, parent: ParentEdit = .keep, type: String = "Note"
  ) -> RecordSave {
    RecordSave(
      id: id(name), type: type, changeTag: tag, fields: text.map { ["text": .string($0)] } ?? [:], parent: parent)
  }

  func modify(
    _ saves: [RecordSave] = [], delete: [ExactName] = [], policy: SavePolicy = .ifServerRecordUnchanged,
    atomic: Bool = true
  ) throws -> ModifyRecordsResponse {
    try service.records.modifyRecords(
      ModifyRecordsRequest(scope: scope, saves: saves, deletes: delete.map(id), policy: policy, atomic: atomic),
      by: caller)
  }

  @discardableResult
  func save(_ save: RecordSave, policy: SavePolicy = .ifServerRecordUnchanged) throws -> Record {
    try modify([save], policy: policy).saves[0].get()
  }

  func fetch(_ name: ExactName, keys: [String]? = nil) throws -> Record {
    try service.records.fetchRecords(
      FetchRecordsRequest(scope: scope, records: [id(name)], desiredKeys: keys), by: caller)[0]
      .get()
  }

  func changes(since token: String? = nil, limit: Int = 0) throws -> ZoneChanges {
    try service.feeds.zoneChanges(ZoneChangesRequest(scope: scope, zone: zone, since: token, limit: limit), by: caller)
  }

  func databaseChanges(since token: String? = nil, limit: Int = 0) throws -> DatabaseChanges {
    try service.feeds.databaseChanges(DatabaseChangesRequest(scope: scope, since: token, limit: limit), by: caller)
  }

  /// Shares an existing root record with people who are invited by address.
  @discardableResult
  func share(
    _ root: ExactName, share name: ExactName = "Share-1", with people: [String] = [],
    permission: SharePermission = .readWrite, publicPermission: SharePermission = .none
  ) throws -> Record {
    let record = try fetch(root)
    let participants = try service.sharing.participants(for: people.map { .email("\($0)@example.com") }, by: caller).map
    {
      var participant = try $0.get()
      participant.permission = permission
      return participant
    }
    let save = RecordSave(
      id: id(name), type: Record.shareType, fields: ["cloudkit.title": .string("Title")],
      share: ShareSave(root: root, publicPermission: publicPermission, participants: participants))
    let response = try modify([note(root, tag: record.changeTag, type: record.type), save])
    _ = try response.saves[0].get()
    return try response.saves[1].get()
  }

  func accept(_ share: Record) throws { try accept(share.shareDetails?.url ?? "") }

  func accept(_ url: String) throws { _ = try service.sharing.acceptShare(url: url, by: caller) }

  /// Saves an edited copy of a share.
  @discardableResult
  func edit(
    _ share: ExactName = "Share-1", fields: [String: FieldValue?] = [:], _ change: (inout ShareDetails) throws -> Void
  ) throws -> Record {
    let record = try fetch(share)
    var details = record.shareDetails ?? ShareDetails()
    try change(&details)
    return try save(
      RecordSave(
        id: record.id, type: Record.shareType, changeTag: record.changeTag, fields: fields, share: ShareSave(details)))
  }

  /// A participant for a share's list.
  func invitation(
    _ account: String, _ permission: SharePermission = .readWrite, role: ParticipantRole = .privateUser
  ) throws -> Participant {
    var participant = try service.sharing.participants(for: [.email("\(account)@example.com")], by: caller)[0].get()
    participant.permission = permission
    participant.role = role
    return participant
  }

  func metadata(_ url: String?) throws -> ShareMetadata {
    try service.sharing.shareMetadata(ShareMetadataRequest(url: url ?? ""), by: caller)
  }

  /// Makes the journal's file large enough: a commit that would enlarge the file is not left unsynced ([commit-19]).
  func makeRoom() throws {
    for _ in 0..<3 { try save(note("long", String(repeating: "0123456789", count: 3000)), policy: .allKeys) }
    _ = try modify(delete: ["long"])
  }
}

func error(_ body: () throws -> some Any) -> ServiceError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? ServiceError
  }
}

func code(_ body: () throws -> some Any) -> ServiceError.Code? { error(body)?.code }
