import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Full storage of an account")
struct StorageTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("root", "r"))
    try alice.save(alice.note("child", "c", parent: .set("root", zone: nil)))
    try bob.accept(try alice.share("root", with: ["bob"]))
  }

  private func fill(_ account: String = "alice", _ storage: AccountStorage = .full) throws {
    var changes = AccountChanges()
    changes.storage = storage
    #expect(try cloud.service.accounts.setAccount(account, changes).storage == storage)
  }

  private func codes(_ results: [Result<some Any, ServiceError>]) -> [ServiceError.Code?] {
    results.map { result in code { try result.get() } }
  }

  private func personInDefaultZone() -> Person {
    var person = alice
    person.zone = .default
    return person
  }

  // [record-storage-1]
  @Test("saves fail with the server's error number and a hint; stored records can still be read")
  func savesFailWithTheServersErrorNumber() throws {
    let token = try alice.changes().token
    let tag = try alice.fetch("child").changeTag
    try fill()
    let error = failure { try alice.save(alice.note("new", "1")) }
    #expect(error?.code == .quotaExceeded)
    #expect(error?.internalCode == 2035)
    #expect(error?.message == "Quota exceeded")
    #expect(error?.cause == nil)
    #expect(error?.hint?.contains("`localcloud account set alice --storage available`") == true)
    for policy in [SavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
      #expect(code { try alice.save(alice.note("child", "2", tag: tag), policy: policy) } == .quotaExceeded)
    }
    #expect(code { try personInDefaultZone().save(personInDefaultZone().note("new", "1")) } == .quotaExceeded)
    #expect(try alice.fetch("child").fields["text"] == .string("c"))
    let changes = try alice.changes(since: token)
    #expect(changes.changed.isEmpty)
    #expect(changes.deleted.isEmpty)
    var other = alice
    other.zone.name = "Other"
    try other.makeZone()
    try fill("alice", .available)
    #expect(try alice.save(alice.note("child", "2", tag: tag)).fields["text"] == .string("2"))
    try other.save(other.note("new", "1"))
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-storage-2]
  @Test("deletions of records and zones succeed; an atomic batch with a save fails as a whole")
  func deletionsOfRecordsAndZonesSucceed() throws {
    try personInDefaultZone().save(personInDefaultZone().note("old", "1"))
    try fill()
    let atomic = try alice.modify([alice.note("new", "1")], delete: ["child"])
    #expect(codes(atomic.saves) == [.quotaExceeded])
    #expect(codes(atomic.deletes) == [.batchRequestFailed])
    #expect(try alice.fetch("child").type == "Note")
    let apart = try personInDefaultZone().modify([personInDefaultZone().note("new", "1")], delete: ["old"])
    #expect(codes(apart.saves) == [.quotaExceeded])
    #expect(codes(apart.deletes) == [nil])
    #expect(code { try personInDefaultZone().fetch("old") } == .unknownItem)
    #expect(codes(try alice.modify(delete: ["child"]).deletes) == [nil])
    #expect(code { try alice.fetch("child") } == .unknownItem)
    let deletion = ModifyZonesRequest(scope: .private, deletes: [alice.zone])
    try cloud.service.zones.modifyZones(deletion, by: alice.caller).deletes[0].get()
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-save-9], [record-storage-3]
  @Test(
    "a child and its new parent both fail with quotaExceeded, a child alone with referenceViolation")
  func childAndItsNewParentBothFail() throws {
    try fill()
    let child = alice.note("c", "1", parent: .set("p", zone: nil))
    #expect(codes(try alice.modify([child, alice.note("p")]).saves) == [.quotaExceeded, .quotaExceeded])
    #expect(codes(try alice.modify([child]).saves) == [.referenceViolation])
    #expect(
      codes(try alice.modify([child, alice.note("other")], atomic: false).saves) == [
        .referenceViolation, .quotaExceeded,
      ])
    #expect(
      codes(try alice.modify([alice.note("root", "2", tag: "old"), alice.note("x")], atomic: false).saves)
        == [.serverRecordChanged, .quotaExceeded])
  }

  @Test("a save refused for full storage creates no type and no field ([schema-growth-2])", arguments: [true, false])
  func saveRefusedForFullStorageCreates(inDefaultZone: Bool) throws {
    let person = inDefaultZone ? personInDefaultZone() : alice
    let before = try cloud.service.schemas.schema(by: alice.caller)
    try fill()
    #expect(code { try person.save(person.note("new", "1", type: "Fresh")) } == .quotaExceeded)
    #expect(try cloud.service.schemas.schema(by: alice.caller) == before)
  }

  // [record-storage-4]
  @Test("in a shared zone the owner's storage counts for every save; accepting a share needs none")
  func inASharedZoneTheOwnersStorage() throws {
    try fill("bob")
    let saved = try bob.save(bob.note("child", "Bob's"), policy: .changedKeys)
    #expect(saved.fields["text"] == .string("Bob's"))
    try fill("bob", .available)
    try fill()
    let new = bob.note("new", "1", parent: .set("root", zone: nil))
    #expect(code { try bob.save(new) } == .quotaExceeded)
    #expect(code { try bob.save(bob.note("child", "2"), policy: .changedKeys) } == .quotaExceeded)
    // A participant without write permission learns nothing of the storage.
    #expect(code { try bob.save(bob.note("alone", "1")) } == .permissionFailure)
    #expect(code { try alice.edit { $0.publicPermission = .readOnly } } == .quotaExceeded)
    try bob.modify(delete: ["Share-1"]).deletes[0].get()
    try bob.accept(try alice.fetch("Share-1"))
    #expect(try bob.fetch("child").fields["text"] == .string("Bob's"))
    try bob.modify(delete: ["child"]).deletes[0].get()
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("no account's storage limits the public database ([record-storage-4])")
  func publicDatabase() throws {
    try fill()
    let everybodys = Person(cloud, "alice").inPublic()
    #expect(try everybodys.save(everybodys.note("open", "1")).fields["text"] == .string("1"))
  }

  @Test("the account's file has the storage state; no entry means free storage, an unknown entry is damage")
  func accountsFileHasTheStorageState() throws {
    let folder = try cloud.directory("accounts")
    var object = try #require(try folder.contents("alice.json").map { try JSONValue(parsing: $0) }?.object)
    #expect(object["storage"] == "available")
    try fill()
    #expect(try cloud.service.accounts.account("alice").storage == .full)
    object["storage"] = nil
    try folder.writeStaged("alice.json", JSONValue.object(object).pretty())
    #expect(try cloud.service.accounts.account("alice").storage == .available)
    object["storage"] = "half"
    try folder.writeStaged("alice.json", JSONValue.object(object).pretty())
    #expect(failure { try cloud.service.accounts.account("alice") }?.cause == .damage)
    #expect(try cloud.service.checks.check().contains { $0.path.hasSuffix("accounts/alice.json") })
  }
}
