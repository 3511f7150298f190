import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Imports that remove types and fields together with their data")
struct SchemaLossTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let production: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    bob = Person(cloud, "bob")
    production = Person(cloud, "alice", environment: .production)
    try alice.makeZone()
  }

  private func schema() throws -> Schema { try cloud.service.schemas.schema(by: alice.caller) }

  /// Imports development's schema after `change` edited it.
  @discardableResult
  private func load(_ change: (inout Schema) -> Void) throws -> SchemaImport {
    var schema = try schema()
    change(&schema)
    let done = try cloud.service.schemas.importSchema(schema.text, by: alice.caller)
    #expect(try self.schema() == schema)
    #expect(try cloud.service.checks.check() == [])
    return done
  }

  private func losses(_ done: SchemaImport) -> [String] {
    done.losses.map { "\($0.records) \($0.subject.text) in \($0.zones.count)" }
  }

  // [schema-import-4]
  @Test("removing a type deletes its records in all zones of all accounts and in the public database, and no others")
  func removingATypeDeletesItsRecords() throws {
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    let open = alice.inPublic()
    try bob.makeZone()
    for person in [alice, inDefaultZone, open, bob] {
      try person.save(person.note("note", "1"))
      try person.save(person.note("other", "1", type: "Other"))
    }
    try alice.save(alice.note("second", "1"))
    let user = ExactName(try cloud.service.accounts.userRecordName(by: alice.caller))
    _ = try (inDefaultZone.fetch(user), open.fetch(user))
    let (token, mine) = (try alice.changes().token, try alice.databaseChanges().token)
    let kept = try alice.fetch("other").changeTag

    let text = "DEFINE SCHEMA RECORD TYPE Other (text STRING);"
    let predicted = try cloud.service.schemas.validate(schema: text, by: alice.caller)
    #expect(predicted.contains { $0.text == "- type Note" })
    #expect(try alice.fetch("note").type == "Note")
    let done = try load { $0.types["Note"] = nil }
    #expect(done.changes.map(\.text) == ["- type Note"])
    #expect(losses(done) == ["5 type Note in 4"])
    #expect(done.orphans == 0)
    for person in [alice, inDefaultZone, open, bob] {
      #expect(code { try person.fetch("note") } == .unknownItem)
      #expect(try person.fetch("other").fields["text"] == .string("1"))
    }
    #expect(try inDefaultZone.fetch(user).type == Record.userType && open.fetch(user).type == Record.userType)
    let changes = try alice.changes(since: token)
    #expect(changes.deleted.map { "\($0.record.name) \($0.type)" } == ["note Note", "second Note"])
    #expect(changes.changed.isEmpty)
    #expect(try alice.fetch("other").changeTag == kept)
    #expect(try alice.databaseChanges(since: mine).changed.map(\.name) == ["Notes"])
    // A second import has no changes, and the name can be used for a new type.
    #expect(try load { _ in }.changes.isEmpty)
    try alice.save(RecordSave(id: alice.id("note"), type: "Note", fields: ["text": .int64(1)]))
    #expect(try schema().types["Note"]?.fields["text"]?.type == SchemaFieldType(.int64))
  }

  @Test(
    "with a removed type, deleteSelf references cascade, and other references to its records stay ([schema-import-5])")
  func withARemovedTypeDeleteSelfReferencesCascade() throws {
    func refer(_ name: ExactName, to target: ExactName, _ action: ReferenceValue.Action, type: String) throws {
      let value = FieldValue.reference(ReferenceValue(record: target, action: action))
      try alice.save(RecordSave(id: alice.id(name), type: type, fields: ["to": value]))
    }
    try alice.save(alice.note("a", "1"))
    try refer("owned", to: "a", .deleteSelf, type: "Comment")
    try refer("below", to: "owned", .deleteSelf, type: "Comment")
    try refer("loose", to: "a", .none, type: "Comment")
    let done = try load { $0.types["Note"] = nil }
    #expect(losses(done) == ["2 type Comment in 1", "1 type Note in 1"])
    #expect(done.orphans == 0)
    #expect(try alice.changes().changed.map(\.id.name) == ["loose"])
    #expect(try alice.fetch("loose").fields["to"] == .reference(ReferenceValue(record: "a")))
  }

  // [schema-import-5]
  @Test("children of other types stay when their parent's type is removed, without a parent, and as changes in feeds")
  func childrenOfOtherTypesStay() throws {
    try alice.save(alice.note("folder", type: "Folder"))
    try alice.save(alice.note("note", "1", parent: .set("folder", zone: nil)))
    try alice.save(alice.note("item", "1", parent: .set("note", zone: nil), type: "Item"))
    try alice.save(alice.note("below", "1", parent: .set("item", zone: nil), type: "Item"))
    try alice.save(alice.note("inner", "1", parent: .set("note", zone: nil)))
    let (before, token) = (try alice.fetch("item"), try alice.changes().token)
    let done = try load { $0.types["Note"] = nil }
    #expect(losses(done) == ["2 type Note in 1"])
    #expect(done.orphans == 1)
    let item = try alice.fetch("item")
    #expect(item.parent == nil)
    #expect(item.changeTag != before.changeTag)
    #expect(item.modified == before.modified)
    #expect(item.fields == before.fields)
    #expect(try alice.fetch("below").parent == "item")
    let changes = try alice.changes(since: token)
    #expect(changes.changed.map(\.id.name) == ["item"])
    #expect(Set(changes.deleted.map(\.record.name)) == ["note", "inner"])
    // The record can be saved with the tag that the fetch returned.
    try alice.save(alice.note("item", "2", tag: item.changeTag, type: "Item"))
  }

  // [schema-import-4]
  @Test(
    "removing a field deletes its values of all kinds, and feeds report the records as changed"
  )
  func removingAFieldDeletesItsValues() throws {
    let file = try TemporaryFile("picture")
    var save = RecordSave(
      id: alice.id("a"), type: "Note",
      fields: [
        "text": .string("1"), "words": .list(.string, [.string("x")]), "picture": .asset(AssetValue(file: file.path)),
        "owner": .reference(ReferenceValue(record: "b", action: .deleteSelf)), "kept": .int64(1),
      ])
    save.encryptedFields = ["secret": .string("hidden"), "open": .string("to me")]
    try alice.save(alice.note("b"))
    try withExtendedLifetime(file) { _ = try alice.save(save) }
    try alice.save(alice.note("plain", type: "Other"))
    let (before, token) = (try alice.fetch("a"), try alice.changes().token)
    #expect(try AssetFolders(of: "Notes", in: cloud.path).assets.count == 1)
    let keys = ["text", "words", "picture", "owner", "secret"]
    let done = try load { schema in for key in keys { schema.types["Note"]?.fields[key] = nil } }
    #expect(
      losses(done) == [
        "1 field Note.owner in 1", "1 field Note.picture in 1", "1 field Note.secret in 1", "1 field Note.text in 1",
        "1 field Note.words in 1",
      ])
    let after = try alice.fetch("a")
    #expect(after.fields == ["kept": .int64(1)])
    #expect(after.encryptedFields == ["open": .string("to me")])
    #expect(after.changeTag != before.changeTag)
    #expect(after.modified == before.modified)
    let changes = try alice.changes(since: token)
    #expect(changes.changed.map(\.id.name) == ["a"])
    #expect(changes.deleted.isEmpty)
    #expect(try AssetFolders(of: "Notes", in: cloud.path).assets.isEmpty)
    // The removed deleteSelf reference has no effect any more, and a new field may have the name and another type.
    _ = try alice.modify(delete: ["b"]).deletes[0].get()
    try alice.save(
      RecordSave(id: alice.id("a"), type: "Note", changeTag: after.changeTag, fields: ["text": .int64(1)]))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a field whose type changes loses its values; a NUMBER that gets a preferred type keeps them")
  func otherTypes() throws {
    try load { schema in
      schema.types["Thing"] = SchemaRecordType()
      schema.types["Thing"]?.fields = [
        "n": SchemaField(SchemaFieldType(.number(preferred: nil)), []), "f": SchemaField(SchemaFieldType(.string), []),
      ]
    }
    try alice.save(RecordSave(id: alice.id("a"), type: "Thing", fields: ["n": .int64(1), "f": .string("x")]))
    let done = try load { schema in
      schema.types["Thing"]?.fields["n"] = SchemaField(SchemaFieldType(.number(preferred: .double)), [])
      schema.types["Thing"]?.fields["f"] = SchemaField(SchemaFieldType(.int64), [])
    }
    #expect(losses(done) == ["1 field Thing.f in 1"])
    #expect(try alice.fetch("a").fields.keys.sorted() == ["n"])
  }

  @Test("an index finds no record by a removed field, and finds new records when the field exists again")
  func indexFindsNoRecordByARemoved() throws {
    for name in ["a", "b"] as [ExactName] { try alice.save(alice.note(name, "x")) }
    func found() throws -> [ExactName] {
      let condition = QueryCondition([QueryFilter("text", .equals, .string("x"))])
      return try cloud.service.queries.queryRecords(
        QueryRecordsRequest(scope: .private, zone: alice.zone, query: Query(recordType: "Note", condition: condition)),
        by: alice.caller
      ).records.map(\.id.name)
    }
    #expect(try found() == ["a", "b"])
    try load { $0.types["Note"]?.fields["text"] = nil }
    #expect(code { try found() } != nil)
    try alice.save(alice.note("c", "x"))
    #expect(try found() == ["c"])
    try load { $0.types["Note"] = nil }
    try alice.save(alice.note("d", "x"))
    #expect(try found() == ["d"])
  }

  @Test("a share ends for all people if its root's type is removed; other shares report removed records as deleted")
  func shareEndsForAllPeople() throws {
    let guest = try bob.inShared(zoneOf: alice)
    try alice.save(alice.note("root", "1"))
    try alice.save(alice.note("item", "1", parent: .set("root", zone: nil), type: "Item"))
    try guest.accept(try alice.share("root", with: ["bob"]))
    let url = try alice.fetch("Share-1").shareDetails?.url
    let token = try guest.databaseChanges().token
    try alice.save(alice.note("shelf", type: "Shelf"))
    try alice.save(alice.note("book", "1", parent: .set("shelf", zone: nil)))
    try guest.accept(try alice.share("shelf", share: "Share-2", with: ["bob"]))
    let seen = try guest.changes()
    #expect(Set(seen.changed.map(\.id.name)) == ["root", "item", "Share-1", "shelf", "book", "Share-2"])
    let done = try load { $0.types["Note"] = nil }
    #expect(losses(done) == ["2 type Note in 1", "1 type cloudkit.share in 1"])
    #expect(done.orphans == 1)
    let changes = try guest.changes(since: seen.token)
    #expect(Set(changes.deleted.map(\.record.name)) == ["root", "item", "Share-1", "book"])
    #expect(changes.changed.isEmpty)
    #expect(code { try guest.fetch("item") } == .unknownItem)
    #expect(try guest.fetch("shelf").type == "Shelf")
    #expect(try guest.databaseChanges(since: token).changed.map(\.name) == ["Notes"])
    #expect(code { try bob.metadata(url) } == .unknownItem)
    #expect(try alice.fetch("item").parent == nil)
    // With the last share the zone disappears for the participant.
    try load { $0.types["Shelf"] = nil }
    #expect(code { try guest.changes() } == .zoneNotFound)
    #expect(try alice.changes().changed.map(\.id.name) == ["item"])
  }

  @Test("a zone that is shared as a whole stays shared, and its participants see the deletions and changes")
  func wholeZone() throws {
    let guest = try bob.inShared(zoneOf: alice)
    try alice.save(alice.note("a", "1"))
    try alice.save(alice.note("b", "1", type: "Other"))
    let share = RecordSave(
      id: alice.id(Record.zoneWideShareName), type: Record.shareType,
      share: ShareSave(root: nil, participants: [try alice.invitation("bob")]))
    try guest.accept(try alice.save(share))
    let token = try guest.changes().token
    try load { schema in
      schema.types["Note"] = nil
      schema.types["Other"]?.fields["text"] = nil
    }
    let changes = try guest.changes(since: token)
    #expect(changes.deleted.map(\.record.name) == ["a"])
    #expect(changes.changed.map(\.id.name) == ["b"])
    #expect(changes.changed.first?.fields == [:])
  }

  @Test("encrypted values below a removed parent stay readable, whether the owner or a participant saved them")
  func encryptedValuesBelowARemovedParentStay() throws {
    let guest = try bob.inShared(zoneOf: alice)
    try alice.save(alice.note("shelf", type: "Shelf"))
    try alice.save(alice.secret("root", "r", parent: .set("shelf", zone: nil)))
    try alice.save(alice.secret("own", "o", parent: .set("root", zone: nil), type: "Item"))
    try guest.accept(try alice.share("shelf", with: ["bob"]))
    try guest.save(guest.secret("theirs", "t", parent: .set("root", zone: nil), type: "Item"))
    try guest.save(guest.secret("below", "b", parent: .set("theirs", zone: nil), type: "Item"))
    let done = try load { $0.types["Note"] = nil }
    #expect(done.orphans == 2)
    for (name, text) in [("own", "o"), ("theirs", "t"), ("below", "b")] as [(ExactName, String)] {
      #expect(try alice.read(name) == text, "\(name)")
      #expect(code { try guest.fetch(name) } == .unknownItem, "\(name)")
    }
    #expect(try alice.changes().failed.isEmpty)
  }

  @Test("an import that would remove deployed types or fields is refused with their names, and changes no data")
  func importThatWouldRemoveDeployedTypes() throws {
    try alice.save(alice.note("a", "1"))
    _ = try cloud.service.schemas.deploySchema(by: alice.caller)
    try production.makeZone()
    try production.save(production.note("kept", "1"))
    try alice.save(RecordSave(id: alice.id("b"), type: "Fresh", fields: ["x": .int64(1)]))
    let before = (try schema(), try alice.changes().token)
    for (text, reason) in [
      ("DEFINE SCHEMA", "- type Note"),
      ("DEFINE SCHEMA RECORD TYPE Note (other STRING);", "- field Note.text STRING QUERYABLE SEARCHABLE SORTABLE"),
    ] {
      let error = failure { try cloud.service.schemas.importSchema(text, by: alice.caller) }
      #expect(error?.message == "Cannot import: \(reason), which is deployed to production")
      #expect(error?.cause == .schema)
    }
    #expect(try schema() == before.0)
    let changes = try alice.changes(since: before.1)
    #expect(changes.changed.isEmpty)
    #expect(changes.deleted.isEmpty)
    // Types that only development has are removed, and production's data stays.
    #expect(losses(try load { $0.types["Fresh"] = nil }) == ["1 type Fresh in 1"])
    #expect(try production.fetch("kept").fields["text"] == .string("1"))
    #expect(try alice.fetch("a").fields["text"] == .string("1"))
  }

  // [schema-import-6]
  @Test("CloudKit's own types stay if an import omits them; their custom fields are removed if an import omits those")
  func systemTypes() throws {
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    let user = ExactName(try cloud.service.accounts.userRecordName(by: alice.caller))
    _ = try inDefaultZone.fetch(user)
    try inDefaultZone.save(
      RecordSave(id: inDefaultZone.id(user), type: Record.userType, fields: ["nick": .string("Al")]),
      policy: .changedKeys)
    try alice.save(alice.note("root", "1"))
    try alice.share("root")
    try alice.edit(fields: ["color": .string("red")]) { _ in }
    let note = "RECORD TYPE Note (text STRING);"
    let first = try cloud.service.schemas.importSchema("DEFINE SCHEMA " + note, by: alice.caller)
    #expect(first.losses.isEmpty)
    #expect(!first.changes.contains { !$0.isAdditive })
    #expect(try inDefaultZone.fetch(user).fields == ["nick": .string("Al")])
    #expect(try alice.fetch("Share-1").fields["color"] == .string("red"))
    let named = "RECORD TYPE Users (roles LIST<INT64>); RECORD TYPE \"cloudkit.share\" (\"___etag\" STRING);"
    let second = try cloud.service.schemas.importSchema("DEFINE SCHEMA " + note + named, by: alice.caller)
    #expect(losses(second) == ["1 field Users.nick in 1", "1 field cloudkit.share.color in 1"])
    #expect(try inDefaultZone.fetch(user).fields == [:])
    #expect(try alice.fetch("Share-1").fields == ["cloudkit.title": .string("Title")])
    let wrong = "RECORD TYPE \"cloudkit.share\" (\"cloudkit.title\" INT64);"
    #expect(
      failure { try cloud.service.schemas.importSchema("DEFINE SCHEMA " + note + wrong, by: alice.caller) }?.message
        == "Cannot import: the field cloudkit.share.cloudkit.title is CloudKit's own, and its type is STRING")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("removing a role also removes its grants on CloudKit's own types")
  func removingARoleAlsoRemovesItsGrants() throws {
    let users = "RECORD TYPE Users (roles LIST<INT64>, GRANT READ TO admin, GRANT WRITE TO \"_creator\");"
    _ = try cloud.service.schemas.importSchema("DEFINE SCHEMA CREATE ROLE admin; " + users, by: alice.caller)
    _ = try cloud.service.schemas.importSchema("DEFINE SCHEMA", by: alice.caller)
    #expect(try schema().roles == [] && schema().types["Users"]?.grants == ["_creator": [.write]])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("the removal of a type or field sends pushes to all devices of the subscribers ([schema-import-4])")
  func removalOfATypeOrFieldSends() throws {
    let phone = try alice.signedIn(on: "phone")
    let tablet = try alice.signedIn(on: "alice-device")
    let guest = try bob.inShared(zoneOf: alice)
    let guestDevice = try guest.signedIn(on: "bob-device")
    try alice.save(alice.note("root", type: "Shelf"))
    try alice.save(alice.note("a", "1", parent: .set("root", zone: nil)))
    try alice.save(alice.note("b", "1", type: "Other"))
    try guest.accept(try alice.share("root", with: ["bob"]))
    let open = alice.inPublic()
    try open.save(open.note("open", "1"))
    try alice.subscribe(toType: "Note")
    try alice.subscribe(toType: "Other", id: "other", fires: .update)
    try alice.subscribeToDatabase()
    try open.subscribe(toType: "Note", id: "open", fires: .deletion)
    try guest.subscribeToDatabase(id: "shared")
    let before = try (phone.receivedPushes().count, tablet.receivedPushes().count, guestDevice.receivedPushes().count)
    try load { schema in
      schema.types["Note"] = nil
      schema.types["Other"]?.fields["text"] = nil
    }
    let expected = ["database changed", "open deleted open", "other updated b", "query deleted a"]
    #expect(try phone.receivedPushes().dropFirst(before.0).sorted() == expected)
    #expect(try tablet.receivedPushes().dropFirst(before.1).sorted() == expected)
    #expect(try guestDevice.receivedPushes().dropFirst(before.2) == ["shared changed"])
    #expect(try alice.subscriptions().count == 3)
  }

  @Test("removing a type or field works for more records than one commit can have, also for long chains of parents")
  func removingATypeOrFieldWorks() throws {
    for start in stride(from: 0, to: 900, by: 300) {
      let saves = (start..<start + 300).map { number in
        alice.note(
          ExactName("n\(number)"), "x", parent: number % 300 == 0 ? .keep : .set(ExactName("n\(number - 1)"), zone: nil)
        )
      }
      _ = try alice.modify(saves).saves[299].get()
    }
    try alice.save(alice.note("last", "x", parent: .set("n899", zone: nil), type: "Other"))
    let token = try alice.changes().token
    #expect(losses(try load { $0.types["Note"]?.fields["text"] = nil }) == ["900 field Note.text in 1"])
    #expect(try alice.fetch("n500").fields == [:])
    let done = try load { $0.types["Note"] = nil }
    #expect(losses(done) == ["900 type Note in 1"])
    #expect(done.orphans == 1)
    var (deleted, changed, next, isMore): (Set<ExactName>, [ExactName], String, Bool) = ([], [], token, true)
    while isMore {
      let changes = try alice.changes(since: next)
      deleted.formUnion(changes.deleted.map(\.record.name))
      changed += changes.changed.map(\.id.name)
      (next, isMore) = (changes.token, changes.moreComing)
    }
    #expect(deleted.count == 900)
    #expect(changed == ["last"])
  }

  @Test("an interrupted import is an error, leaves the types of the remaining data in the schema, and can be repeated")
  func halfDone() throws {
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    for person in [alice, second] { try person.save(person.note("a", "1")) }
    let file = try cloud.directory(second.folder())
    let good = try #require(try file.contents("zone.json"))
    try file.writeStaged("zone.json", Array("{".utf8))
    let error = failure { try cloud.service.schemas.importSchema("DEFINE SCHEMA", by: alice.caller) }
    #expect(error?.code == .serverResponseLost)
    #expect(error?.cause == .damage)
    #expect(error?.message.hasPrefix("The schema is not imported, and only part of the data") == true)
    #expect(error?.hint == "Import it again: that does the rest.")
    #expect(code { try alice.fetch("a") } == .unknownItem)
    try file.writeStaged("zone.json", good)
    #expect(try second.fetch("a").fields["text"] == .string("1"))
    #expect(losses(try load { $0.types["Note"] = nil }) == ["1 type Note in 1"])
    #expect(code { try second.fetch("a") } == .unknownItem)
  }

  @Test("removing a field of Users also deletes its values in user records of removed accounts")
  func removedAccount() throws {
    var inDefaultZone = Person(cloud, "carol")
    inDefaultZone.zone = .default
    let user = ExactName(try cloud.service.accounts.userRecordName(by: inDefaultZone.caller))
    _ = try inDefaultZone.fetch(user)
    try inDefaultZone.save(
      RecordSave(id: inDefaultZone.id(user), type: Record.userType, fields: ["nick": .string("C")]),
      policy: .changedKeys)
    try cloud.service.accounts.removeAccount("carol")
    #expect(losses(try load { $0.types["Users"]?.fields["nick"] = nil }) == ["1 field Users.nick in 1"])
  }

  @Test("a record saved during an import is either deleted by it, or saved after it together with its type")
  func savingMeanwhile() async throws {
    let person = alice
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask { try person.save(person.note(ExactName("n\(number)"), "x", type: "T\(number % 3)")) }
      }
      for _ in 0..<3 {
        group.addTask { _ = try person.service.schemas.importSchema("DEFINE SCHEMA", by: person.caller) }
      }
      try await group.waitForAll()
    }
    let types = try schema().types
    for record in try alice.changes().changed {
      #expect(types[record.type]?.fields["text"] != nil, "\(record.id.name)")
    }
    #expect(try cloud.service.checks.check() == [])
  }
}
