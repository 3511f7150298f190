import CloudService
import CloudStore

/// What people ask of the attacked cloud: Alice owns the zone `Notes`, Bob has joined her share, Carol is invited.
package struct AttackPeople: Sendable {
  package let service: CloudService

  package static let zone = ZoneIdentifier(name: "Notes")
  /// Shared as a whole.
  package static let whole = ZoneIdentifier(name: "Whole")
  /// Not shared.
  package static let plain = ZoneIdentifier(name: "Plain")

  package init(_ service: CloudService) { self.service = service }

  func caller(_ account: String) -> Caller { Caller(account: account, container: TemporaryCloud.container) }

  /// Alice's zone, as others name it.
  func sharedZone() throws -> ZoneIdentifier {
    ZoneIdentifier(name: Self.zone.name, owner: try service.userRecordName(by: caller("alice")))
  }

  package func note(
    _ name: ExactName, _ text: String, parent: ParentEdit = .keep, zone: ZoneIdentifier = Self.zone
  ) -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: name, zone: zone), type: "Note", fields: ["text": .string(text)], parent: parent)
  }

  package func modify(
    _ saves: [RecordSave], delete: [ExactName] = [], by account: String = "alice", scope: DatabaseScope = .private,
    zone: ZoneIdentifier = Self.zone
  ) throws {
    let response = try service.modifyRecords(
      ModifyRecordsRequest(
        scope: scope, saves: saves, deletes: delete.map { RecordIdentifier(name: $0, zone: zone) }, policy: .allKeys),
      by: caller(account))
    for save in response.saves { _ = try save.get() }
    for delete in response.deletes { try delete.get() }
  }

  package func makeZone(_ zone: ZoneIdentifier = Self.zone) throws {
    _ = try service.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: caller("alice")).saves[0].get()
  }

  package func deleteZone(_ zone: ZoneIdentifier = Self.zone) throws {
    try service.modifyZones(ModifyZonesRequest(scope: .private, deletes: [zone]), by: caller("alice")).deletes[0].get()
  }

  package func share(_ root: ExactName, as name: ExactName, with people: [Participant] = []) throws -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: name, zone: Self.zone), type: Record.shareType,
      share: ShareSave(root: root, participants: people))
  }

  func shareWhole(_ zone: ZoneIdentifier = whole, with people: [Participant] = []) -> RecordSave {
    RecordSave(
      id: RecordIdentifier(name: Record.zoneWideShareName, zone: zone), type: Record.shareType,
      share: ShareSave(root: nil, participants: people))
  }

  /// Puts somebody on the list who comes by a link of their own.
  func addLink() throws {
    let share = RecordIdentifier(name: "share", zone: Self.zone)
    let record = try service.fetchRecords(
      FetchRecordsRequest(scope: .private, records: [share]), by: caller("alice"))[0].get()
    var details = record.shareDetails ?? ShareDetails()
    details.participants.append(service.participantByLink())
    try modify([
      RecordSave(id: share, type: Record.shareType, changeTag: record.changeTag, share: ShareSave(details))
    ])
  }

  func accept(by account: String, _ name: ExactName = "share", in zone: ZoneIdentifier = zone) throws {
    _ = try service.acceptShare(url: link(name, in: zone), by: caller(account))
  }

  /// The share's link, opened on the account's device.
  func open(by account: String) throws { _ = try service.open(url: link("share", in: Self.zone), by: caller(account)) }

  /// Takes the first link that waits for the account's device.
  func take(by account: String) throws {
    let inbox = try service.inbox(of: caller(account))
    guard let name = try inbox.names().first else { return }
    try inbox.hold(name)?.remove(LockPatience())
  }

  private func link(_ name: ExactName, in zone: ZoneIdentifier) throws -> String {
    let share = RecordIdentifier(name: name, zone: zone)
    let record = try service.fetchRecords(
      FetchRecordsRequest(scope: .private, records: [share]), by: caller("alice"))[0].get()
    return record.shareDetails?.url ?? ""
  }

  func hasZone() throws -> Bool {
    try service.zones(nil, in: .private, by: caller("alice")).contains { try $0.get().id.name == Self.zone.name }
  }

  /// How many numbers a device has drawn.
  func drawn() throws -> Int64 {
    try service.cloud.folder("devices").read("phone", "identifiers.json")?["drawn"]?.integer ?? 0
  }
}
