import FaultInjection
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Batches: atomicity, limits, order")
struct BatchTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func codes(_ response: ModifyRecordsResponse) -> [ServiceError.Code?] {
    response.saves.map { result in code { try result.get() } }
      + response.deletes.map { result in code { try result.get() } }
  }

  // [record-batch-1]
  @Test("in an atomic batch failing items have their own errors, the others batchRequestFailed, and no record changes")
  func atomic() throws {
    try alice.save(alice.note("taken", "1"))
    try alice.save(alice.note("victim", "1"))
    let token = try alice.changes().token
    let response = try alice.modify(
      [alice.note("new", "2"), alice.note("taken", "2"), alice.note("gone", "2", tag: "x")], delete: ["victim"])
    #expect(codes(response) == [.batchRequestFailed, .serverRecordChanged, .unknownItem, .batchRequestFailed])
    #expect(try alice.changes(since: token).changed.isEmpty)
    #expect(try alice.fetch("victim").fields["text"] == .string("1"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a refused deletion makes an atomic batch's saves fail, and changes no file ([record-batch-1])")
  func refusedDeletion() throws {
    try alice.save(alice.note("parent", "1"))
    try alice.save(alice.note("child", "1", parent: .set("parent", zone: nil)))
    let before = try FolderImage(of: cloud.path)
    let tag = try alice.fetch("child").changeTag
    let response = try alice.modify([alice.note("new", "2"), alice.note("child", "2", tag: tag)], delete: ["parent"])
    #expect(codes(response) == [.batchRequestFailed, .batchRequestFailed, .referenceViolation])
    #expect(try FolderImage(of: cloud.path).differences(from: before) == [])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a refused batch neither removes participants from a share nor creates a share link for a zone")
  func refusedShares() throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.save(alice.note("root", "1"))
    try bob.accept(try alice.share("root", with: ["bob"]))
    var plain = alice
    plain.zone = ZoneIdentifier(name: "Plain")
    try plain.makeZone()
    let before = try FolderImage(of: cloud.path)
    let share = try alice.fetch("Share-1")
    let owner = share.shareDetails?.participants.filter { $0.role == .owner } ?? []
    let alone = RecordSave(
      id: share.id, type: Record.shareType, changeTag: share.changeTag, share: ShareSave(root: nil, participants: owner)
    )
    #expect(codes(try alice.modify([alone, alice.note("root", "2")])) == [.batchRequestFailed, .serverRecordChanged])
    let whole = RecordSave(
      id: plain.id(Record.zoneWideShareName), type: Record.shareType, share: ShareSave(root: nil))
    let bad = plain.note("stray", parent: .set("nobody", zone: nil))
    #expect(codes(try plain.modify([whole, bad])) == [.batchRequestFailed, .referenceViolation])
    #expect(try FolderImage(of: cloud.path).differences(from: before) == [])
    #expect(try bob.fetch("root").fields["text"] == .string("1"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("in a batch that is not atomic each item succeeds or fails by itself ([record-batch-4])")
  func notAtomic() throws {
    try alice.save(alice.note("taken", "1"))
    let response = try alice.modify(
      [alice.note("new", "2"), alice.note("taken", "2")], delete: ["nothing"], atomic: false)
    #expect(codes(response) == [nil, .serverRecordChanged, nil])
    #expect(try alice.fetch("new").fields["text"] == .string("2"))
  }

  @Test("the server does not treat the default zone as atomic ([record-batch-2])")
  func defaultZone() throws {
    var person = alice
    person.zone = .default
    try person.save(person.note("taken", "1"))
    let response = try person.modify([person.note("new", "2"), person.note("taken", "2")])
    #expect(codes(response) == [nil, .serverRecordChanged])
    #expect(try person.fetch("new").fields["text"] == .string("2"))
  }

  @Test("a failure in one zone of a request does not affect its other zones ([record-batch-3])")
  func otherZones() throws {
    var second = alice
    second.zone = ZoneIdentifier(name: "Second")
    try second.makeZone()
    try alice.save(alice.note("taken"))
    let response = try alice.modify([alice.note("taken"), second.note("fine"), alice.note("innocent")])
    #expect(codes(response) == [.serverRecordChanged, nil, .batchRequestFailed])
  }

  @Test("a record that occurs twice in a batch makes the whole request fail ([record-batch-5])")
  func recordThatOccursTwiceInABatch() throws {
    #expect(code { try alice.modify([alice.note("a"), alice.note("a")]) } == .invalidArguments)
    #expect(code { try alice.modify([alice.note("a")], delete: ["a"]) } == .invalidArguments)
    #expect(try alice.changes().changed.isEmpty)
  }

  // [record-batch-5], [record-json-4], [zone-owner-1]
  @Test("the three spellings of the owner's zone are the same zone, and form one batch")
  func ownersSpelledDifferently() throws {
    let own = try alice.service.accounts.userRecordName(by: alice.caller)
    func note(_ name: ExactName, owner: String?) -> RecordSave {
      RecordSave(
        id: RecordIdentifier(name: name, zone: ZoneIdentifier(name: alice.zone.name, owner: owner)), type: "Note")
    }
    #expect(
      code { try alice.modify([note("a", owner: nil), note("a", owner: ZoneIdentifier.currentUser)]) }
        == .invalidArguments)
    let response = try alice.modify([
      note("a", owner: nil), note("b", owner: ZoneIdentifier.currentUser),
      RecordSave(
        id: RecordIdentifier(name: "c", zone: ZoneIdentifier(name: alice.zone.name, owner: own)), type: "Note",
        changeTag: "x"),
    ])
    #expect(codes(response) == [.batchRequestFailed, .batchRequestFailed, .unknownItem])
  }

  @Test("a request with 400 items succeeds and one with 401 fails as a whole, for saves and fetches ([record-limit-3])")
  func itemLimit() throws {
    let many = (0..<401).map { alice.note(ExactName("n\($0)"), "\($0)") }
    #expect(code { try alice.modify(many) } == .limitExceeded)
    #expect(try alice.changes().changed.isEmpty)
    let saved = try alice.modify(Array(many.dropLast()))
    #expect(codes(saved).allSatisfy { $0 == nil })
    let ids = many.map(\.id)
    #expect(
      code {
        try alice.service.records.fetchRecords(FetchRecordsRequest(scope: .private, records: ids), by: alice.caller)
      }
        == .limitExceeded)
    let found = try alice.service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: Array(ids.dropLast())), by: alice.caller)
    #expect(found.count == 400)
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-limit-1], [record-limit-2]
  @Test("a record over 1 MB fails with limitExceeded by itself, a request over 2 MB as a whole")
  func sizeLimits() throws {
    let large = String(repeating: "x", count: 1 << 20)
    #expect(code { try alice.save(alice.note("a", large)) } == .limitExceeded)
    let fitting = String(repeating: "x", count: (1 << 20) - 100)
    try alice.save(alice.note("a", fitting))
    #expect(
      code { try alice.modify([alice.note("b", fitting), alice.note("c", fitting), alice.note("d", fitting)]) }
        == .limitExceeded)
    #expect(try alice.changes().changed.count == 1)
  }

  @Test("an empty request succeeds without any effect ([record-batch-7])")
  func emptyRequestSucceedsWithoutAnyEffect() throws {
    let response = try alice.modify()
    #expect(response.saves.isEmpty)
    #expect(response.deletes.isEmpty)
  }
}
