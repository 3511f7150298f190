import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Requests of people to the attacked cloud: Alice owns the zone `Notes`, Bob has joined her share, Carol is invited.
package struct FaultRunPeople: Sendable {
  package let service: CloudService

  package static let zone = ZoneIdentifier(name: "Notes")
  /// A zone that is shared as a whole.
  package static let whole = ZoneIdentifier(name: "Whole")
  /// A zone that is shared as a whole with Frank. Several people get pushes about it.
  package static let notified = ZoneIdentifier(name: "Told")
  /// A zone with encrypted values. Its share has two participants: Bob has accepted, Carol is invited.
  package static let sealed = ZoneIdentifier(name: "Sealed")
  /// A zone that is not shared.
  package static let plain = ZoneIdentifier(name: "Plain")

  package init(_ service: CloudService) { self.service = service }

  func caller(_ account: String) -> Caller { Caller(account: account, container: TemporaryCloud.container) }

  /// A zone of Alice's as others identify it.
  func sharedZone(_ zone: ZoneIdentifier = zone) throws -> ZoneIdentifier {
    ZoneIdentifier(name: zone.name, owner: try service.accounts.userRecordName(by: caller("alice")))
  }

  package func note(
    _ name: ExactName, _ text: String, parent: ParentEdit = .keep, zone: ZoneIdentifier = Self.zone
  ) -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: name, zone: zone), type: "Note", fields: ["text": .string(text)], parent: parent)
  }

  /// A note with an encrypted text.
  func secret(
    _ name: ExactName, _ text: String, parent: ParentEdit = .keep, zone: ZoneIdentifier = sealed
  ) -> RecordSave {
    var save = RecordSave(id: RecordIdentifier(name: name, zone: zone), type: "Note", parent: parent)
    save.encryptedFields = ["secret": .string(text)]
    return save
  }

  package func modify(
    _ saves: [RecordSave], delete: [ExactName] = [], by account: String = "alice", scope: DatabaseScope = .private,
    zone: ZoneIdentifier = Self.zone
  ) throws {
    let response = try service.records.modifyRecords(
      ModifyRecordsRequest(
        scope: scope, saves: saves, deletes: delete.map { RecordIdentifier(name: $0, zone: zone) }, policy: .allKeys),
      by: caller(account))
    for save in response.saves { _ = try save.get() }
    for delete in response.deletes { try delete.get() }
  }

  /// Saves a record that has assets with these contents, each from its own file.
  package func saveAlbum(
    _ name: ExactName, _ contents: [String], delete: [ExactName] = [], by account: String = "alice",
    scope: DatabaseScope = .private, zone: ZoneIdentifier = Self.zone
  ) throws {
    let files = try contents.map { try TemporaryFile($0) }
    var save = note(name, contents.joined(separator: " "), zone: zone)
    save.fields["pictures"] = .list(.asset, files.map { .asset(AssetValue(file: $0.path)) })
    try withExtendedLifetime(files) { try modify([save], delete: delete, by: account, scope: scope, zone: zone) }
  }

  /// The store of a zone of Alice's, if it exists.
  package func store(_ zone: ZoneIdentifier = zone) throws -> ZoneStore? {
    try service.cloud.zone(
      ZonePath(
        database: DatabasePath(
          container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"]),
        zone: zone.name))
  }

  struct Step: Sendable {
    let isDone: Bool
    let run: @Sendable () throws -> Void

    init(unless isDone: Bool = false, _ run: @escaping @Sendable () throws -> Void) {
      self.isDone = isDone
      self.run = run
    }
  }

  /// Runs the steps that an earlier attempt has not done: each step appends its entry to the zone's journal after the
  /// previous one, and then all entries become durable.
  func runQueued(_ steps: [Step], in zone: ZoneIdentifier = zone) throws {
    let rest = steps.filter { !$0.isDone }.map(\.run)
    do {
      if let store = try store(zone) { try store.runQueued(rest) } else { for step in rest { try step() } }
    } catch {
      if steps.count == 1 || (error as? SystemError)?.isStopped == true { throw error }
      var error = ServiceError(describing: error)
      error.code = .serverResponseLost
      throw error
    }
  }

  /// Runs `body` while another thread is about to compact the zone's logs. The result of the compaction is ignored,
  /// unless the process is to stop.
  func compactedBesideOthers(_ body: () throws -> Void) throws {
    var outcome: Result<Void, any Error>?
    do {
      try store()?.folder.compactBesideOthers(LockWaitPolicy()) {
        outcome = Result { try body() }
        try outcome?.get()
      }
    } catch let error as SystemError where error.isStopped {
      throw error
    } catch {}
    try (outcome ?? Result { try body() }).get()
  }

  /// The text of a note of Alice's, if it exists.
  package func text(of name: ExactName) -> String? {
    let request = FetchRecordsRequest(scope: .private, records: [RecordIdentifier(name: name, zone: Self.zone)])
    guard let record = try? service.records.fetchRecords(request, by: caller("alice"))[0].get(),
      case .string(let text)? = record.fields["text"]
    else { return nil }
    return text
  }

  /// Leaves an unfinished upload, like a process that is killed during a save.
  func leaveUpload(_ text: String) throws {
    let zone = try store()
    var pieces = [Array(text.utf8)]
    let uploads = try zone.map {
      try AssetUploads(in: $0, count: 1) {
        hexadecimal(service.settings.identifiers(8))
      }
    }
    _ = try uploads?.add { pieces.popLast() ?? [] }
  }

  /// Queries that an index answers. The first query creates the index.
  static let queries: [(String, Query)] = [
    (
      "texts that begin with 1",
      Query(recordType: "Note", condition: QueryCondition([QueryFilter("text", .beginsWith, .string("1"))]))
    ), ("texts from the last on", Query(recordType: "Note", sorts: [QuerySort("text", ascending: false)])),
  ]

  /// The record names that Alice finds, and those of records that may match but cannot be read.
  @discardableResult
  func names(
    _ query: Query, in zone: ZoneIdentifier = Self.zone
  ) throws -> (found: [ExactName], unread: [ExactName]) {
    let request = QueryRecordsRequest(scope: .private, zone: zone, query: query)
    let response = try service.queries.queryRecords(request, by: caller("alice"))
    return (response.records.map(\.id.name), response.failed.map(\.record.name))
  }

  package func makeZone(_ zone: ZoneIdentifier = Self.zone, by account: String = "alice") throws {
    _ = try service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: caller(account)).saves[0]
      .get()
  }

  package func deleteZone(_ zone: ZoneIdentifier = Self.zone) throws {
    try service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [zone]), by: caller("alice")).deletes[0]
      .get()
  }

  package func share(
    _ root: ExactName, as name: ExactName, with people: [Participant] = [], in zone: ZoneIdentifier = zone
  ) throws -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: name, zone: zone), type: Record.shareType,
      share: ShareSave(root: root, participants: people))
  }

  func shareWhole(_ zone: ZoneIdentifier = whole, with people: [Participant] = []) -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: Record.zoneWideShareName, zone: zone), type: Record.shareType,
      share: ShareSave(root: nil, participants: people))
  }

  /// Adds a participant by a one-time link.
  func addLink() throws { try editShare { $0.participants.append(service.sharing.participantByLink()) } }

  /// Removes Bob from the share of the zone with keys.
  func removeBob() throws { try editShare(in: Self.sealed) { $0.participants.remove(at: 1) } }

  private func editShare(in zone: ZoneIdentifier = zone, _ change: (inout ShareDetails) -> Void) throws {
    let share = RecordIdentifier(name: "share", zone: zone)
    let record = try service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: [share]), by: caller("alice"))[0].get()
    var details = record.shareDetails ?? ShareDetails()
    change(&details)
    try modify([
      RecordSave(id: share, type: Record.shareType, changeTag: record.changeTag, share: ShareSave(details))
    ])
  }

  func accept(by account: String, _ name: ExactName = "share", in zone: ZoneIdentifier = zone) throws {
    _ = try service.sharing.acceptShare(url: link(name, in: zone), by: caller(account))
  }

  /// Opens the share's link on the account's device.
  func open(by account: String) throws {
    _ = try service.devices.open(url: link("share", in: Self.zone), by: caller(account))
  }

  /// Takes the first waiting link on the account's device.
  func take(by account: String) throws {
    let inbox = try service.devices.inbox(of: caller(account))
    guard let name = try inbox.names().first else { return }
    try inbox.hold(name)?.remove(LockWaitPolicy())
  }

  /// Takes the first waiting push on Alice's tablet.
  func takePush() throws {
    var caller = caller("alice")
    caller.device = "tablet"
    let pushes = try service.pushes.pushLocation(of: caller)
    let lease = try pushes.cursor.hold()
    guard let first = try pushes.waiting().first else { return }
    try lease.pass(first.sequence)
  }

  package func subscribe(
    _ subscription: Subscription, by account: String = "alice", scope: DatabaseScope = .private
  ) throws {
    let request = ModifySubscriptionsRequest(scope: scope, saves: [ModifySubscriptionsRequest.Save(subscription)])
    _ = try service.subscriptions.modifySubscriptions(request, by: caller(account)).saves[0].get()
  }

  func unsubscribe(_ id: String) throws {
    let request = ModifySubscriptionsRequest(scope: .private, deletes: [id])
    try service.subscriptions.modifySubscriptions(request, by: caller("alice")).deletes[0].get()
  }

  private func link(_ name: ExactName, in zone: ZoneIdentifier) throws -> String {
    let share = RecordIdentifier(name: name, zone: zone)
    let record = try service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: [share]), by: caller("alice"))[0].get()
    return record.shareDetails?.url ?? ""
  }

  /// Imports the development schema with the changes of `change`.
  func importSchema(_ change: (inout Schema) -> Void) throws {
    var schema = try service.schemas.schema(by: caller("alice"))
    change(&schema)
    _ = try service.schemas.importSchema(schema.text, by: caller("alice"))
  }

  func hasZone() throws -> Bool {
    try service.zones.list(nil, in: .private, by: caller("alice")).contains { try $0.get().id.name == Self.zone.name }
  }

  /// The number of identifiers that a device has drawn.
  func drawn() throws -> Int64 {
    try service.cloud.folder("devices").read("phone", "identifiers.json")?["drawn"]?.integer ?? 0
  }

  // MARK: Long-lived operations

  static let operation = "0123456789ABCDEF"

  func keepOperation(by account: String, isSecret: Bool = false) throws {
    _ = try service.devices.storeOperation(
      Self.operation, ["kind": "CKFetchRecordsOperation"], isSecret: isSecret, by: caller(account))
  }

  func finishOperation(by account: String, isSecret: Bool = false) throws {
    guard let held = try service.devices.holdOperation(Self.operation, by: caller(account))?.operation else { return }
    try service.devices.finishOperation(held, ["events": []], isSecret: isSecret, by: caller(account))
  }

  func forgetOperation(by account: String) throws {
    try service.devices.removeOperation(Self.operation, by: caller(account))
  }

  /// Saves as a resumed long-lived operation does.
  func modifyLongLived(_ saves: [RecordSave]) throws {
    var caller = caller("alice")
    caller.operation = OperationContext(id: Self.operation, kind: nil)
    caller.operation?.life = .resumed
    let request = ModifyRecordsRequest(scope: .private, saves: saves, policy: .allKeys)
    for save in try service.records.modifyRecords(request, by: caller).saves { _ = try save.get() }
  }
}
