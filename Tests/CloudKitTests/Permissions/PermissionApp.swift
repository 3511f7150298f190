import CloudKit
import TestSupport

/// An app that makes the request of a cell of the permission table.
///
/// Where CKShare raises an exception before a request, the app uses another call:
/// - The list of a public share can't be edited. The app first closes the share to invite or to remove people.
/// - The owner can't be removed from the list. Removing all others means all except the owner.
/// - `quit` by the owner or by a user of a public link always raises: ``PermissionTests/exceptions(_:_:)``.
struct PermissionApp<Requests: PermissionRequests> {
  let requests: Requests
  let zoneID: CKRecordZone.ID
  let memory: PermissionMemory

  static func canTry(_ cell: PermissionTable.Cell) -> Bool {
    cell.action != "quit" || !(cell.who == .owner || cell.who.comesByLink)
  }

  func run(_ cell: PermissionTable.Cell) async throws -> String {
    let recordID = recordID(cell.recordName)
    switch (cell.action, cell.target) {
    case ("fetch", "zone"): return try await requests.zone(zoneID).zoneID == zoneID ? "ok" : "another zone"
    case ("fetch", _): return try await requests.record(recordID).recordID == recordID ? "ok" : "another record"
    case ("decrypt", _):
      let value = try await requests.record(recordID).encryptedValues["secret"] as? String
      return value == PermissionStage.secret ? "ok" : "no value"
    case ("query", _):
      var outcomes: [String] = []
      for query in queries { outcomes.append(try await queried(query)) }
      return PermissionQueries.outcome(outcomes)
    case ("feed", _): return letters(try await requests.changes(zoneID))
    case ("create", "share"):
      let child = try await known(self.recordID("child"))
      try await requests.save([CKShare(rootRecord: child, shareID: self.recordID("second")), child])
    case ("create", _):
      let record = CKRecord(recordType: "Note", recordID: self.recordID("new"))
      record["text"] = "2"
      if cell.target != "zone" { record.parent = CKRecord.Reference(recordID: recordID, action: .none) }
      try await requests.save([record])
    case ("update", "zone"): try await requests.save(CKRecordZone(zoneID: zoneID))
    case ("update", "share"): try await edit(recordID) { $0[CKShare.SystemFieldKey.title] = "2" }
    case ("update", _):
      let record = try await known(recordID)
      record["text"] = "2"
      try await requests.save([record])
    case ("delete", "zone"): try await requests.delete(zoneID)
    case ("delete", _): try await requests.delete(recordID)
    case ("invite", _): try await edit(recordID, invite)
    case ("permit", _): try await edit(recordID) { permit($0, cell.who) }
    case ("remove", _): try await edit(recordID, removeOthers)
    case ("quit", _): try await edit(recordID) { $0.currentUserParticipant.map($0.removeParticipant) }
    case ("open", _):
      try await edit(recordID) { $0.publicPermission = $0.publicPermission == .none ? .readOnly : .none }
    default: return "no such action"
    }
    return "ok"
  }

  // MARK: Lists

  private func invite(_ share: CKShare) throws {
    share.publicPermission = .none
    share.addParticipant(try memory.newcomer())
  }

  /// Readers give themselves write permission. Others remove it from another participant.
  private func permit(_ share: CKShare, _ who: PermissionTable.Who) {
    if who == .reader || who == .linkReader {
      share.currentUserParticipant?.permission = .readWrite
    } else {
      share.participants.last { $0 != share.currentUserParticipant }?.permission = .readOnly
    }
  }

  private func removeOthers(_ share: CKShare) {
    if share.publicPermission != .none {
      share.publicPermission = .none
      return
    }
    for person in share.participants where person != share.owner && person != share.currentUserParticipant {
      share.removeParticipant(person)
    }
  }

  private func edit(_ shareID: CKRecord.ID, _ change: (CKShare) throws -> Void) async throws {
    guard let share = try await known(shareID) as? CKShare else { throw MisplacedError("it is no share") }
    try change(share)
    try await requests.save([share])
  }

  // MARK: Records

  private func recordID(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zoneID) }

  /// The record, or its earlier state if the subject may not see it.
  private func known(_ recordID: CKRecord.ID) async throws -> CKRecord {
    try await (try? requests.record(recordID)) ?? memory.record(recordID)
  }

  /// Queries for all notes with and without filters and sorts. The visible records must be the same for each.
  private var queries: [CKQuery] {
    let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
    let filtered = CKQuery(recordType: "Note", predicate: NSPredicate(format: "text == %@", "1"))
    let sorted = CKQuery(recordType: "Note", predicate: NSPredicate(format: "text BEGINSWITH '1' AND text != '2'"))
    sorted.sortDescriptors = [NSSortDescriptor(key: "text", ascending: false)]
    return [all, filtered, sorted]
  }

  private func queried(_ query: CKQuery) async throws -> String {
    do { return letters(try await requests.notes(zoneID, query)) } catch let error as CKError {
      return "\(error.code.rawValue)"
    }
  }

  private func letters(_ records: [CKRecord]) -> String {
    String(records.map { $0 is CKShare ? "s" : $0.recordID.recordName.first ?? "?" }.sorted())
  }
}
