import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("Key reset of an account")
struct KeyResetTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.secret("root", "r"))
    try bob.accept(try alice.share("root", with: ["bob"]))
  }

  private func plain() throws -> Person {
    var person = alice
    person.zone = ZoneIdentifier(name: "Plain")
    try person.makeZone()
    try person.save(person.note("note", "1"))
    return person
  }

  @discardableResult
  private func reset(_ account: String = "alice") throws -> KeyReset {
    try cloud.service.keys.resetKeys(of: account, container: TemporaryCloud.container)
  }

  private func isReset(_ body: () throws -> some Any) -> Bool {
    let error = failure(body)
    return error?.code == .zoneNotFound && error?.isEncryptedDataReset == true
  }

  // [encryption-reset-1]
  @Test("after a reset every request to a zone with encrypted values fails with the reset flag; other zones stay")
  func afterAResetEveryRequest() throws {
    let plain = try plain()
    let reset = try reset()
    #expect(reset.zones.map(\.zone.name) == ["Notes"])
    #expect(reset.shared.isEmpty)
    #expect(reset.generation == 2)
    #expect(isReset { try alice.fetch("root") })
    #expect(isReset { try alice.save(alice.note("new", "1")) })
    #expect(isReset { try alice.modify(delete: ["root"]).deletes[0].get() })
    #expect(isReset { try alice.changes() })
    #expect(isReset { try cloud.service.zones.list([alice.zone], in: .private, by: alice.caller)[0].get() })
    let query = QueryRecordsRequest(scope: .private, zone: alice.zone, recordType: "Note")
    #expect(isReset { try cloud.service.queries.queryRecords(query, by: alice.caller) })
    #expect(
      try cloud.service.zones.list(nil, in: .private, by: alice.caller).map { try $0.get().id.name }
        == ["_defaultZone", "Plain"])
    #expect(try plain.fetch("note").fields["text"] == .string("1"))
    // The error of a missing zone has no reset flag.
    var other = alice
    other.zone.name = "Other"
    #expect(failure { try other.fetch("root") }?.isEncryptedDataReset == false)
    #expect(try cloud.service.checks.check() == [])
  }

  // [encryption-reset-1]
  @Test("a request that finds the zone before the reset, and reads it afterwards, fails with the reset flag")
  func requestDuringAReset() throws {
    let (service, caller) = (cloud.service, alice.caller)
    let account = try service.accounts.account(of: caller)
    let address = try service.zones.address(alice.zone, in: .private, as: account, caller)
    let store = try service.zones.store(address, caller)
    try reset()
    #expect(isReset { try service.records.reading(store, address, account, caller) { view, _ in try view.head() } })
  }

  @Test("a reset removes the private keys from all keychains, and the old public key is not used again")
  func resetRemovesThePrivateKeys() throws {
    let before = try #require(try cloud.service.accounts.account("alice").keys[TemporaryCloud.container])
    #expect(before.generation == 1)
    #expect(before.publicKey != nil)
    _ = try? alice.on("phone").read("root")
    let keychains = try ["alice-device", "phone"].map {
      try cloud.directory("devices/\($0)").contents("keychain.json")
    }
    #expect(keychains[0] != nil && keychains[0] == keychains[1])
    try reset()
    for device in ["alice-device", "phone"] {
      #expect(
        try cloud.directory("devices/\(device)").contents("keychain.json").map { try JSONValue(parsing: $0) } == [
          "keys": []
        ])
    }
    #expect(try cloud.service.accounts.account("alice").keys[TemporaryCloud.container] == AccountKey(generation: 2))
    try alice.makeZone()
    try alice.save(alice.secret("root", "new"))
    let after = try #require(try cloud.service.accounts.account("alice").keys[TemporaryCloud.container])
    #expect(after.generation == 2)
    #expect(after.publicKey != nil)
    #expect(after.publicKey != before.publicKey)
    #expect(try alice.on("phone").read("root") == "new")
  }

  // [change-database-3]
  @Test("the owner's database changes have the reset as reason; participants see an ordinary deletion of the zone")
  func ownersDatabaseChangesHaveTheReset() throws {
    let (own, others) = (try alice.databaseChanges().token, try bob.databaseChanges().token)
    try reset()
    let changes = try alice.databaseChanges(since: own)
    #expect(changes.deleted.map(\.reason) == [.encryptedDataReset])
    #expect(changes.deleted.map(\.zone.name) == ["Notes"])
    #expect(changes.changed.isEmpty)
    #expect(try alice.databaseChanges().changed.isEmpty)
    let seen = try bob.databaseChanges(since: others)
    #expect(seen.deleted.map(\.reason) == [.deleted])
    #expect(seen.deleted.map(\.zone) == [bob.zone])
    #expect(failure { try bob.fetch("root") }?.isEncryptedDataReset == false)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
  }

  // [encryption-reset-2]
  @Test(
    "deleting the zone succeeds and ends the flag; creating the zone again ends it too, with new keys",
    arguments: [true, false])
  func startingOver(deleting: Bool) throws {
    let token = try alice.changes().token
    try reset()
    func delete() throws {
      try cloud.service.zones.modifyZones(
        ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller
      ).deletes[0].get()
    }
    if deleting {
      try delete()
      #expect(failure { try alice.fetch("root") }?.isEncryptedDataReset == false)
      #expect(code { try alice.fetch("root") } == .zoneNotFound)
      #expect(code { try delete() } == .zoneNotFound)
      #expect(try cloud.service.checks.check() == [])
    }
    try alice.makeZone()
    #expect(code { try alice.changes(since: token) } == .changeTokenExpired)
    #expect(try alice.changes().changed.isEmpty)
    try alice.save(alice.secret("root", "again"))
    #expect(try alice.on("phone").read("root") == "again")
    try bob.accept(try alice.share("root", with: ["bob"]))
    #expect(try bob.read("root") == "again")
    try delete()
    #expect(failure { try alice.fetch("root") }?.isEncryptedDataReset == false)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("the default zone stays, and its records lose only their encrypted fields ([encryption-reset-3])")
  func defaultZone() throws {
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    var save = inDefaultZone.secret("note", "s")
    save.fields["text"] = .string("t")
    let before = try inDefaultZone.save(save)
    try inDefaultZone.save(inDefaultZone.note("other", "o"))
    #expect(try reset().zones.map(\.zone.name) == ["Notes", "_defaultZone"])
    let after = try inDefaultZone.fetch("note")
    #expect(after.fields == ["text": .string("t")])
    #expect(after.encryptedFields.isEmpty)
    #expect(after.changeTag != before.changeTag)
    #expect(try inDefaultZone.fetch("other").fields["text"] == .string("o"))
    try inDefaultZone.save(inDefaultZone.secret("note", "new", tag: after.changeTag))
    #expect(try inDefaultZone.on("phone").read("note") == "new")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a reset sends pushes to the owner's other devices and to participants, also for the default zone")
  func resetSendsPushesToTheOwners() throws {
    let (tablet, phone) = (try alice.signedIn(on: "tablet"), try bob.signedIn(on: "phone"))
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    try inDefaultZone.save(inDefaultZone.secret("note", "s"))
    try alice.subscribeToDatabase()
    try inDefaultZone.subscribe(in: .default)
    try bob.subscribeToDatabase(id: "bobs")
    _ = try reset("bob")
    #expect(try phone.receivedPushes() == ["bobs changed"])
    #expect(try tablet.receivedPushes() == [])
    _ = try reset()
    #expect(try tablet.receivedPushes().sorted() == ["database changed", "query updated note"])
    #expect(try cloud.service.checks.check() == [])
  }

  // [encryption-reset-5]
  @Test("each container has its own keys, and both environments of a container share them")
  func eachContainerHasItsOwnKeys() throws {
    var caller = alice.caller
    _ = try cloud.service.schemas.deploySchema(by: caller)
    caller.environment = .production
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: caller)
    let request = ModifyRecordsRequest(scope: .private, saves: [alice.secret("root", "p")])
    _ = try cloud.service.records.modifyRecords(request, by: caller).saves[0].get()
    var other = alice.caller
    other.container = "iCloud.other"
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: other)
    _ = try cloud.service.records.modifyRecords(request, by: other).saves[0].get()
    #expect(try reset().zones.map(\.environment) == [.development, .production])
    let fetch = FetchRecordsRequest(scope: .private, records: [alice.id("root")])
    #expect(isReset { try cloud.service.records.fetchRecords(fetch, by: caller)[0].get() })
    #expect(
      try cloud.service.records.fetchRecords(fetch, by: other)[0].get().encryptedFields == ["secret": .string("p")])
  }

  // [encryption-reset-4]
  @Test("after a participant's reset the shared zone fails with the reset flag until the participant joins again")
  func afterAParticipantsResetTheSharedZone() throws {
    let (token, zone) = (try bob.databaseChanges().token, try bob.changes().token)
    let reset = try reset("bob")
    #expect(reset.zones.isEmpty)
    #expect(reset.shared.map(\.zone) == [bob.zone])
    #expect(isReset { try bob.fetch("root") })
    #expect(isReset { try bob.changes(since: zone) })
    #expect(isReset { try bob.save(bob.note("root", "1")) })
    #expect(try bob.databaseChanges(since: token).deleted.map(\.reason) == [.encryptedDataReset])
    #expect(try cloud.service.zones.list(nil, in: .shared, by: bob.caller).isEmpty)
    // Other people are not affected, and the owner's next save gives no key to Bob before he joins again.
    try alice.save(alice.secret("root", "2", tag: try alice.fetch("root").changeTag))
    try alice.edit { $0.participants[1].permission = .readOnly }
    #expect(isReset { try bob.fetch("root") })
    let share = try alice.fetch("Share-1")
    try bob.accept(share)
    #expect(try bob.read("root") == "2" && bob.on("tablet").read("root") == "2")
    #expect(code { try bob.changes(since: zone) } == .changeTokenExpired)
    #expect(try cloud.service.checks.check() == [])
    // Leaving the share ends the flag too.
    _ = try self.reset("bob")
    try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .shared, deletes: [bob.zone]), by: bob.caller)
      .deletes[0]
      .get()
    #expect(failure { try bob.fetch("root") }?.isEncryptedDataReset == false)
    try bob.accept(share)
    #expect(try bob.read("root") == "2")
    #expect(try cloud.service.checks.check() == [])
  }

  // [encryption-reset-1]
  @Test("without encrypted values a reset only changes the keys; an unknown account is an error")
  func withoutEncryptedValuesAResetOnlyChanges() throws {
    let first = try reset("carol")
    #expect(first.generation == 1)
    #expect(first.zones.isEmpty)
    #expect(first.shared.isEmpty)
    #expect(try reset("carol").generation == 2)
    #expect(code { try reset("nobody") } == .notAuthenticated)
    let emptied = try alice.save(alice.secret("root", nil, tag: try alice.fetch("root").changeTag))
    #expect(emptied.encryptedFields.isEmpty)
    #expect(try reset().zones.isEmpty)
    #expect(try alice.save(alice.secret("root", "new", tag: emptied.changeTag)).encryptedFields.count == 1)
    #expect(try bob.read("root") == "new")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("values with lost keys fail with an error that names them, and a reset allows new values")
  func valuesWithLostKeysFail() throws {
    try cloud.directory("devices/alice-device").remove("keychain.json")
    let error = failure { try alice.fetch("root") }
    #expect(error?.code == .internalError)
    #expect(error?.cause == .damage)
    #expect(error?.message.contains("'secret'") == true)
    #expect(error?.message.contains("record root") == true)
    #expect(error?.message.contains("no keychain of alice's devices") == true)
    let changes = try alice.changes()
    #expect(changes.failed.map(\.record.name) == ["root"])
    #expect(changes.changed.map(\.id.name) == ["Share-1"])
    // No value is sealed for a key that no device has.
    #expect(code { try alice.save(alice.secret("new", "x")) } == .internalError)
    var other = alice
    other.zone.name = "Other"
    try other.makeZone()
    #expect(code { try other.save(other.secret("new", "x")) } == .internalError)
    #expect(try bob.read("root") == "r")
    try reset()
    try alice.makeZone()
    try alice.save(alice.secret("new", "x"))
    #expect(try alice.read("new") == "x")
  }
}
