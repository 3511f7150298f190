import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The steps that create a ``PermissionStage``.
struct PermissionStager {
  let cloud: TemporaryCloud
  let ownerName: String
  let kind: PermissionTable.Kind

  private var service: CloudService { cloud.service }
  private var alice: Caller { cloud.caller("alice") }
  private let zone = ZoneIdentifier(name: ExactName(PermissionStage.zoneName))

  init(cloud: TemporaryCloud, ownerName: String, kind: PermissionTable.Kind) {
    (self.cloud, self.ownerName, self.kind) = (cloud, ownerName, kind)
  }

  /// Saves a root with a child, and a record outside of the share.
  func makeNotes() throws {
    _ = try service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: alice).saves[0].get()
    let parents: [(ExactName, ParentEdit)] = [
      ("root", .keep), ("child", .set("root", zone: nil)), ("outside", .keep),
    ]
    for (name, parent) in parents {
      var note = RecordSave(id: id(name), type: "Note", fields: ["text": .string("1")], parent: parent)
      note.encryptedFields = ["secret": .string(PermissionStage.secret)]
      _ = try save([note])
    }
  }

  /// Creates the share with Carol and Bob. A public share has no invitations; they join by its link.
  func share(publicPermission: SharePermission, bobs permission: SharePermission?) throws {
    var people: [Participant] = []
    if publicPermission == .none { people.append(try invited("carol", .readWrite)) }
    if let permission { people.append(try invited("bob", permission)) }
    let root: ExactName? = kind == .hierarchical ? "root" : nil
    var saves = [
      RecordSave(
        id: shareID, type: Record.shareType,
        share: ShareSave(root: root, publicPermission: publicPermission, participants: people))
    ]
    if let root { saves.append(RecordSave(id: id(root), type: "Note", changeTag: try fetch(id(root)).changeTag)) }
    _ = try save(saves)
  }

  func accept(_ account: String) throws {
    let url = try fetch(shareID).shareDetails?.url ?? ""
    _ = try service.sharing.acceptShare(url: url, by: cloud.caller(account))
  }

  func removeBob() throws {
    let share = try fetch(shareID)
    let bob = try service.accounts.userRecordName(by: cloud.caller("bob"))
    let rest = (share.shareDetails?.participants ?? []).filter { $0.identity.userRecordName != bob }
    _ = try save([
      RecordSave(
        id: shareID, type: Record.shareType, changeTag: share.changeTag,
        share: ShareSave(root: nil, participants: rest))
    ])
  }

  /// Leaves the share as Bob: deletes the share's record.
  func leave() throws {
    var share = shareID
    share.zone.owner = ownerName
    let request = ModifyRecordsRequest(scope: .shared, deletes: [share])
    try service.records.modifyRecords(request, by: cloud.caller("bob")).deletes[0].get()
  }

  private var shareID: RecordIdentifier { id(ExactName(kind.shareName)) }

  private func id(_ name: ExactName) -> RecordIdentifier { RecordIdentifier(name: name, zone: zone) }

  private func fetch(_ id: RecordIdentifier) throws -> Record {
    try service.records.fetchRecords(FetchRecordsRequest(scope: .private, records: [id]), by: alice)[0].get()
  }

  private func save(_ saves: [RecordSave]) throws -> [Record] {
    try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: saves), by: alice).saves.map {
      try $0.get()
    }
  }

  private func invited(_ account: String, _ permission: SharePermission) throws -> Participant {
    var participant = try service.sharing.participants(for: [.email("\(account)@example.com")], by: alice)[0].get()
    participant.permission = permission
    return participant
  }
}
