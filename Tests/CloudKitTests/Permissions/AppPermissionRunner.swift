import CloudKit
import LocalCloud
import TestSupport

/// Makes the requests through Apple's API, as an app does on the device of the table cell's subject.
struct AppPermissionRunner<Requests: PermissionRequests>: PermissionRunner {
  let path: String
  let stage: PermissionStage
  let memory: PermissionMemory

  func outcome(of cell: PermissionTable.Cell) async -> String {
    do {
      return try await LocalCloud.acting(as: cell.who.account, root: path) {
        let container = CKContainer(identifier: TemporaryCloud.container)
        let isOwner = cell.who == .owner
        let app = PermissionApp(
          requests: Requests(isOwner ? container.privateCloudDatabase : container.sharedCloudDatabase),
          zoneID: isOwner ? CKRecordZone.ID(zoneName: PermissionStage.zoneName) : stage.zoneID, memory: memory)
        return try await app.run(cell)
      }
    } catch {
      return (error as? CKError).map { "\($0.code.rawValue)" } ?? "\(error)"
    }
  }

  func ownersView() async throws -> PermissionView? {
    try await LocalCloud.acting(as: "alice", root: path) {
      let database = CKContainer(identifier: TemporaryCloud.container).privateCloudDatabase
      do {
        return PermissionView(
          try await FunctionRequests(database).changes(CKRecordZone.ID(zoneName: PermissionStage.zoneName)))
      } catch CKError.zoneNotFound {
        return nil
      }
    }
  }
}

extension PermissionView {
  fileprivate init(_ records: [CKRecord]) {
    self.init()
    for record in records {
      if let share = record as? CKShare {
        shares.append(
          Share(
            share.recordID.recordName, title: share[CKShare.SystemFieldKey.title] as? String,
            publicPermission: "\(share.publicPermission)",
            people: share.participants.map { person in
              Person(
                person.userIdentity.nameComponents?.givenName ?? "nobody", "\(person.role)", "\(person.permission)",
                isAccepted: person.acceptanceStatus == .accepted)
            }))
      } else {
        notes[record.recordID.recordName] = Note(
          record["text"] as? String ?? "no text", parent: record.parent?.recordID.recordName,
          share: record.share?.recordID.recordName)
      }
    }
  }
}
