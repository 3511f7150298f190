import CloudService
import CloudStore
import TestSupport
import Testing

@Suite("Who may do what: every cell of the table (sharing.md 2 to 4, 9)")
struct PermissionTests {
  @Test(
    "each cell as the table has it; what is refused leaves the tree as it was",
    arguments: PermissionTable.Kind.allCases, PermissionTable.Who.allCases)
  func cells(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) throws {
    let stage = try PermissionStage(kind, who)
    let cells = PermissionTable.cells.filter { $0.kind == kind && $0.who == who }
    #expect(cells.count == 27)
    for cell in cells { try check(cell, stage) }
  }

  private func check(_ cell: PermissionTable.Cell, _ stage: PermissionStage) throws {
    let path = TemporaryCloud.newFolder("permission")
    try stage.image.write(to: path)
    defer { try? TemporaryCloud.remove(path) }
    let settings = TemporaryCloud.settings(start: 1_900_000_000_000, ids: "\(cell)")
    let trial = try PermissionTrial(CloudService.open(root: path, settings: settings), cell)
    let outcome = trial.outcome()
    if let code = Int(cell.expected) {
      #expect(outcome == "\(code)", "\(cell)")
      #expect(try FolderImage(of: path).differences(from: stage.image) == [], "\(cell)")
    } else if cell.expected == "nothing" {
      #expect(outcome == "ok", "\(cell)")
      #expect(try FolderImage(of: path).differences(from: stage.image) == [], "\(cell)")
    } else if cell.expected == "leaves" {
      #expect(outcome == "ok", "\(cell)")
      #expect(try trial.hasLeft(), "\(cell)")
    } else {
      #expect(outcome == cell.expected, "\(cell)")
      #expect(try trial.isDone(), "\(cell)")
    }
    #expect(try trial.service.check() == [], "\(cell)")
  }
}

/// One try of one cell.
private struct PermissionTrial {
  let service: CloudService
  let cell: PermissionTable.Cell
  let alice: Caller
  let subject: Caller
  let own = ZoneIdentifier(name: "Notes")
  let zone: ZoneIdentifier
  var scope: DatabaseScope { cell.who == .owner ? .private : .shared }

  init(_ service: CloudService, _ cell: PermissionTable.Cell) throws {
    (self.service, self.cell) = (service, cell)
    func caller(_ account: String?) -> Caller { Caller(account: account, container: TemporaryCloud.container) }
    alice = caller("alice")
    switch cell.who {
    case .owner: subject = alice
    case .signedOut: subject = caller(nil)
    default: subject = caller("bob")
    }
    zone = cell.who == .owner ? own : ZoneIdentifier(name: "Notes", owner: try service.userRecordName(by: alice))
  }

  /// The code of the error, what is to be seen, or `ok`.
  func outcome() -> String {
    do { return try run() } catch { return "\((error as? ServiceError)?.code.rawValue ?? -1)" }
  }

  private func run() throws -> String {
    switch (cell.action, cell.place) {
    case ("fetch", "zone"): _ = try service.zones([zone], in: scope, by: subject)[0].get()
    case ("fetch", _): _ = try fetch(name, by: subject, scope, zone)
    case ("query", _):
      let request = QueryRecordsRequest(scope: scope, zone: zone, recordType: "Note")
      return letters(try service.queryRecords(request, by: subject).records)
    case ("feed", _):
      let changes = try service.zoneChanges(ZoneChangesRequest(scope: scope, zone: zone), by: subject)
      return letters(changes.changed)
    case ("create", "share"): try shareChild()
    case ("create", "zone"): try save(note("new", "2"))
    case ("create", _): try save(note("new", "2", parent: .set(name, zone: nil)))
    case ("update", "zone"):
      _ = try service.modifyZones(ModifyZonesRequest(scope: scope, saves: [zone]), by: subject).saves[0].get()
    case ("update", "share"): try edit(fields: ["cloudkit.title": .string("2")]) { _ in }
    case ("update", _): try save(note(name, "2", tag: tag(of: name)))
    case ("delete", "zone"):
      try service.modifyZones(ModifyZonesRequest(scope: scope, deletes: [zone]), by: subject).deletes[0].get()
    case ("delete", _):
      let request = ModifyRecordsRequest(scope: scope, deletes: [id(name)])
      try service.modifyRecords(request, by: subject).deletes[0].get()
    case ("invite", _):
      let dora = try service.participants(for: [.email("dora@example.com")], by: alice)[0].get()
      try edit { $0.participants.append(dora) }
    case ("permit", _):
      let user = try person(cell.who == .reader || cell.who == .linkReader ? "bob" : "carol")
      try edit { details in
        for place in details.participants.indices
        where details.participants[place].identity.userRecordName == user
          || details.participants[place].role == .owner && details.publicPermission != .none
        {
          let old = details.participants[place].permission
          details.participants[place].permission = old == .readWrite ? .readOnly : .readWrite
        }
      }
    case ("remove", _):
      let own = cell.who == .signedOut ? nil : try service.userRecordName(by: subject)
      try edit { $0.participants.removeAll { $0.identity.userRecordName != own } }
    case ("quit", _):
      let own = cell.who == .signedOut ? nil : try service.userRecordName(by: subject)
      try edit { $0.participants.removeAll { $0.identity.userRecordName == own } }
    case ("open", _): try edit { $0.publicPermission = $0.publicPermission == .none ? .readOnly : .none }
    default: return "no such action"
    }
    return "ok"
  }

  // MARK: What came of it

  func isDone() throws -> Bool {
    switch (cell.action, cell.place) {
    case ("create", "share"), ("update", "zone"): return true
    case ("create", _): return try fetch("new").fields["text"] == .string("2")
    case ("update", "share"): return try fetch(cell.kind.shareName).fields["cloudkit.title"] == .string("2")
    case ("update", _): return try fetch(name).fields["text"] == .string("2")
    case ("delete", "zone"):
      return code { try service.zones([own], in: .private, by: alice)[0].get() } == .zoneNotFound
    case ("delete", _): return code { try fetch(name) } == .unknownItem
    case ("invite", _): return try details().participants.count == 3
    case ("permit", _): return try details().participants.map(\.permission) == [.readWrite, .readOnly]
    case ("remove", _): return try details().participants.map(\.role) == [.owner]
    case ("open", _): return try details().publicPermission == .readOnly
    default: return true
    }
  }

  /// The subject sees nothing any more, and the owner all that there was.
  func hasLeft() throws -> Bool {
    for name in ["root", "child", "outside", cell.kind.shareName] as [ExactName] { _ = try fetch(name) }
    let user = try service.userRecordName(by: subject)
    let isJoined = try details().participants.contains {
      $0.identity.userRecordName == user && $0.acceptance == .accepted
    }
    return code { try fetch("root", by: subject, scope, zone) } == .zoneNotFound && !isJoined
  }

  // MARK: Requests

  private var name: ExactName { cell.place == "share" ? cell.kind.shareName : ExactName(cell.place) }

  private func id(_ name: ExactName) -> RecordIdentifier { RecordIdentifier(name: name, zone: zone) }

  private func fetch(_ name: ExactName) throws -> Record { try fetch(name, by: alice, .private, own) }

  private func details() throws -> ShareDetails { try fetch(cell.kind.shareName).shareDetails ?? ShareDetails() }

  private func fetch(
    _ name: ExactName, by caller: Caller, _ scope: DatabaseScope, _ zone: ZoneIdentifier
  ) throws -> Record {
    let request = FetchRecordsRequest(scope: scope, records: [RecordIdentifier(name: name, zone: zone)])
    return try service.fetchRecords(request, by: caller)[0].get()
  }

  private func letters(_ records: [Record]) -> String {
    String(
      records.map { record in record.type == Record.shareType ? "s" : record.id.name.string.first ?? "?" }.sorted())
  }

  private func note(_ name: ExactName, _ text: String, tag: String? = nil, parent: ParentEdit = .keep) -> RecordSave {
    RecordSave(id: id(name), type: "Note", changeTag: tag, fields: ["text": .string(text)], parent: parent)
  }

  /// Who may not see the record knows its tag from somewhere.
  private func tag(of name: ExactName) throws -> String {
    try (try? fetch(name, by: subject, scope, zone))?.changeTag ?? fetch(name).changeTag
  }

  private func save(_ save: RecordSave) throws {
    _ = try service.modifyRecords(ModifyRecordsRequest(scope: scope, saves: [save]), by: subject).saves[0].get()
  }

  /// A share of the child.
  private func shareChild() throws {
    let request = ModifyRecordsRequest(
      scope: scope,
      saves: [
        RecordSave(id: id("second"), type: Record.shareType, share: ShareSave(root: "child")),
        RecordSave(id: id("child"), type: "Note", changeTag: try tag(of: "child")),
      ])
    _ = try service.modifyRecords(request, by: subject).saves[0].get()
  }

  /// Saves the share with another list, as the subject sees it; who may not see it knows it from somewhere.
  private func edit(fields: [String: FieldValue?] = [:], _ change: (inout ShareDetails) -> Void) throws {
    let share = cell.kind.shareName
    let record = try (try? fetch(share, by: subject, scope, zone)) ?? fetch(share)
    var details = record.shareDetails ?? ShareDetails()
    change(&details)
    try save(
      RecordSave(
        id: id(share), type: Record.shareType, changeTag: record.changeTag, fields: fields,
        share: ShareSave(root: nil, publicPermission: details.publicPermission, participants: details.participants)))
  }

  private func person(_ account: String) throws -> String {
    try service.userRecordName(by: Caller(account: account, container: TemporaryCloud.container))
  }
}
