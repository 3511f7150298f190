import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import TestSupport

/// Makes the requests by calls of the service.
struct ServicePermissionRunner: PermissionRunner {
  private let service: CloudService
  private let alice: Caller
  private let subject: Caller
  private let scope: DatabaseScope
  private let own = ZoneIdentifier(name: ExactName(PermissionStage.zoneName))
  private let zone: ZoneIdentifier

  init(_ path: String, _ stage: PermissionStage) throws {
    service = try CloudService.open(
      root: path, settings: TemporaryCloud.settings(start: 1_900_000_000_000, ids: "permission"))
    func caller(_ account: String?) -> Caller { Caller(account: account, container: TemporaryCloud.container) }
    alice = caller("alice")
    subject = caller(stage.who.account)
    scope = stage.who == .owner ? .private : .shared
    zone = stage.who == .owner ? own : ZoneIdentifier(name: own.name, owner: stage.ownerName)
  }

  func outcome(of cell: PermissionTable.Cell) async -> String {
    do { return try run(cell) } catch { return "\((error as? ServiceError)?.code.rawValue ?? -1)" }
  }

  /// Queries for all notes with and without filters and sorts. The visible records must be the same for each.
  private var queries: [Query] {
    let isOne = QueryFilter("text", .equals, .string("1"))
    return [
      Query(recordType: "Note"), Query(recordType: "Note", condition: QueryCondition([isOne])),
      Query(recordType: "Note", condition: QueryCondition([isOne]), sorts: [QuerySort("text", ascending: false)]),
      Query(recordType: "Note", sorts: [QuerySort("text")]),
    ]
  }

  private func queried(_ query: Query) -> String {
    do {
      let request = QueryRecordsRequest(scope: scope, zone: zone, query: query)
      return letters(try service.queries.queryRecords(request, by: subject).records)
    } catch {
      return "\(error.code.rawValue)"
    }
  }

  private func run(_ cell: PermissionTable.Cell) throws -> String {
    let name = ExactName(cell.recordName)
    switch (cell.action, cell.target) {
    case ("fetch", "zone"): _ = try service.zones.list([zone], in: scope, by: subject)[0].get()
    case ("fetch", _): _ = try fetch(name, by: subject, scope, zone)
    case ("decrypt", _):
      let record = try fetch(name, by: subject, scope, zone)
      return record.encryptedFields["secret"] == .string(PermissionStage.secret) ? "ok" : "no value"
    case ("query", _):
      return PermissionQueries.outcome(queries.map(queried))
    case ("feed", _):
      let changes = try service.feeds.zoneChanges(ZoneChangesRequest(scope: scope, zone: zone), by: subject)
      return letters(changes.changed)
    case ("create", "share"): try shareChild()
    case ("create", "zone"): try save(note("new", "2"))
    case ("create", _): try save(note("new", "2", parent: .set(name, zone: nil)))
    case ("update", "zone"):
      _ = try service.zones.modifyZones(ModifyZonesRequest(scope: scope, saves: [zone]), by: subject).saves[0].get()
    case ("update", "share"): try edit(name, fields: ["cloudkit.title": .string("2")]) { _ in }
    case ("update", _): try save(note(name, "2", tag: tag(of: name)))
    case ("delete", "zone"):
      try service.zones.modifyZones(ModifyZonesRequest(scope: scope, deletes: [zone]), by: subject).deletes[0].get()
    case ("delete", _):
      let request = ModifyRecordsRequest(scope: scope, deletes: [id(name)])
      try service.records.modifyRecords(request, by: subject).deletes[0].get()
    case ("invite", _):
      let dora = try service.sharing.participants(for: [.email("dora@example.com")], by: alice)[0].get()
      try edit(name) { $0.participants.append(dora) }
    case ("permit", _):
      let user = try userRecordName(cell.who == .reader || cell.who == .linkReader ? "bob" : "carol")
      try edit(name) { details in
        for index in details.participants.indices
        where details.participants[index].identity.userRecordName == user
          || details.participants[index].role == .owner && details.publicPermission != .none
        {
          let old = details.participants[index].permission
          details.participants[index].permission = old == .readWrite ? .readOnly : .readWrite
        }
      }
    case ("remove", _):
      let own = try subject.account.map(userRecordName)
      try edit(name) { $0.participants.removeAll { $0.identity.userRecordName != own } }
    case ("quit", _):
      let own = try subject.account.map(userRecordName)
      try edit(name) { $0.participants.removeAll { $0.identity.userRecordName == own } }
    case ("open", _): try edit(name) { $0.publicPermission = $0.publicPermission == .none ? .readOnly : .none }
    default: return "no such action"
    }
    return "ok"
  }

  func ownersView() async throws -> PermissionView? {
    do {
      return PermissionView(
        try service.feeds.zoneChanges(ZoneChangesRequest(scope: .private, zone: own), by: alice).changed)
    } catch {
      if error.code == .zoneNotFound { return nil }
      throw error
    }
  }

  // MARK: Requests

  private func id(_ name: ExactName) -> RecordIdentifier { RecordIdentifier(name: name, zone: zone) }

  private func fetch(
    _ name: ExactName, by caller: Caller, _ scope: DatabaseScope, _ zone: ZoneIdentifier
  ) throws -> Record {
    let request = FetchRecordsRequest(scope: scope, records: [RecordIdentifier(name: name, zone: zone)])
    return try service.records.fetchRecords(request, by: caller)[0].get()
  }

  /// The record for a request by the subject. The owner fetches it if the subject may not.
  private func known(_ name: ExactName) throws -> Record {
    try (try? fetch(name, by: subject, scope, zone)) ?? fetch(name, by: alice, .private, own)
  }

  private func tag(of name: ExactName) throws -> String { try known(name).changeTag }

  private func letters(_ records: [Record]) -> String {
    String(
      records.map { record in record.type == Record.shareType ? "s" : record.id.name.string.first ?? "?" }.sorted())
  }

  private func note(_ name: ExactName, _ text: String, tag: String? = nil, parent: ParentEdit = .keep) -> RecordSave {
    RecordSave(id: id(name), type: "Note", changeTag: tag, fields: ["text": .string(text)], parent: parent)
  }

  private func save(_ save: RecordSave) throws {
    _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: scope, saves: [save]), by: subject).saves[0].get()
  }

  /// Creates a share of the child.
  private func shareChild() throws {
    let request = ModifyRecordsRequest(
      scope: scope,
      saves: [
        RecordSave(id: id("second"), type: Record.shareType, share: ShareSave(root: "child")),
        RecordSave(id: id("child"), type: "Note", changeTag: try tag(of: "child")),
      ])
    _ = try service.records.modifyRecords(request, by: subject).saves[0].get()
  }

  /// Saves the share with changes made on the subject's copy.
  private func edit(
    _ share: ExactName, fields: [String: FieldValue?] = [:], _ change: (inout ShareDetails) -> Void
  ) throws {
    let record = try known(share)
    var details = record.shareDetails ?? ShareDetails()
    change(&details)
    try save(
      RecordSave(
        id: id(share), type: Record.shareType, changeTag: record.changeTag, fields: fields,
        share: ShareSave(root: nil, publicPermission: details.publicPermission, participants: details.participants)))
  }

  private func userRecordName(_ account: String) throws -> String {
    try service.accounts.userRecordName(by: Caller(account: account, container: TemporaryCloud.container))
  }
}

extension PermissionView {
  fileprivate init(_ records: [Record]) {
    self.init()
    for record in records {
      if let details = record.shareDetails {
        shares.append(
          Share(
            record.id.name.string, title: text(record, "cloudkit.title"),
            publicPermission: "\(details.publicPermission)",
            people: details.participants.map { person in
              Person(
                person.identity.name?.given ?? "nobody", "\(person.role)", "\(person.permission)",
                isAccepted: person.acceptance == .accepted)
            }))
      } else {
        notes[record.id.name.string] = Note(
          text(record, "text") ?? "no text", parent: record.parent?.string, share: record.share?.string)
      }
    }
  }

  private func text(_ record: Record, _ key: String) -> String? {
    if case .string(let text) = record.fields[key] { text } else { nil }
  }
}
