import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Encrypted values: types, limits, storage")
struct EncryptedValueTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  @Test(
    "an encrypted value is stored as ciphertext, and a second device reads it as plain text ([encryption-value-1])")
  func secondDevice() throws {
    let saved = try alice.save(alice.secret("note", "the fixture's hidden text"))
    #expect(saved.encryptedFields == ["secret": .string("the fixture's hidden text")])
    #expect(saved.fields.isEmpty)
    #expect(try alice.on("phone").read("note") == "the fixture's hidden text")
    #expect(try alice.on("watch").changes().changed.map(\.encryptedFields) == [saved.encryptedFields])
    #expect(try !cloud.holds("hidden text"))
    // The form of CloudKit Web Services, with the declared type and only sealed text as its value.
    let file = try #require(try cloud.directory(alice.folder() + "/records").contents("note.json"))
    let field = try #require(try JSONValue(parsing: file)["fields"]?["secret"]?.object)
    #expect(field.keys == ["isEncrypted", "type", "value"])
    #expect(field["type"] == "STRING")
    #expect(field["isEncrypted"] == true)
    #expect(try cloud.service.checks.check() == [])
  }

  static let values: [String: FieldValue] = {
    var location = LocationValue(latitude: 1.5, longitude: -2)
    location.timestamp = Moment(secondsSince2001: 700_000_000.1234567)
    var values: [String: FieldValue] = [
      "string": .string("Größe \u{0} 😀"), "empty": .string(""), "int": .int64(.min), "bool": .int64(1),
      "double": .double(-0.5), "whole": .double(2), "date": .timestamp(Moment(milliseconds: -62_135_596_800_000)),
      "moment": .timestamp(Moment(secondsSince2001: 700_000_000.1234567)),
      "data": .bytes(Array(0...255)), "nothing": .bytes([]), "place": .location(location),
      "none": .list(.string, []),
    ]
    for (name, value) in values {
      guard let type = value.elementType else { continue }
      values[name + "List"] = .list(type, [value, value])
    }
    return values
  }()

  @Test("values of all types and lists of them are the same after fetch, feed and query ([encryption-value-2])")
  func valuesOfAllTypesAndLists() throws {
    var save = RecordSave(id: alice.id("all"), type: "Note", fields: ["plain": .string("p")])
    // An empty list creates no field ([schema-growth-3]), but may be stored in an existing one.
    save.encryptedFields = ["none": .list(.string, [.string("a")])]
    save.changeTag = try alice.save(save).changeTag
    save.encryptedFields = Self.values
    let saved = try alice.save(save)
    #expect(saved.encryptedFields == Self.values)
    #expect(saved.fields == ["plain": .string("p")])
    let other = alice.on("phone")
    #expect(try other.fetch("all").encryptedFields == Self.values)
    #expect(try other.changes().changed.map(\.encryptedFields) == [Self.values])
    let query = QueryRecordsRequest(scope: .private, zone: alice.zone, recordType: "Note")
    #expect(
      try cloud.service.queries.queryRecords(query, by: other.caller).records.map(\.encryptedFields) == [Self.values])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("references, lists of references and unsupported values can't be encrypted ([encryption-value-2])")
  func referencesListsOfReferencesAndUnsupported() throws {
    let reference = FieldValue.reference(ReferenceValue(record: "a"))
    let location = LocationValue(latitude: .nan, longitude: 0)
    for value in [
      reference, .list(.reference, [reference]), .list(.asset, []), .double(.infinity), .location(location),
    ] as [FieldValue] {
      var save = RecordSave(id: alice.id("bad"), type: "Note")
      save.encryptedFields = ["secret": value]
      #expect(code { try alice.save(save) } == .invalidArguments, "\(value)")
    }
    var save = RecordSave(id: alice.id("bad"), type: "Note")
    save.encryptedFields = ["_bad": .string("x")]
    #expect(code { try alice.save(save) } == .invalidArguments)
    #expect(try !alice.cloud.service.cloud.zone(Self.path)!.hasKeys())
  }

  private static let path = ZonePath(
    database: DatabasePath(
      container: ExactName(TemporaryCloud.container), environment: "development", scope: ["private", "alice"]),
    zone: "Notes")

  @Test(
    "the default zone accepts encrypted values; the public database refuses each record with one ([encryption-value-3])"
  )
  func defaultZoneAcceptsEncryptedValues() throws {
    var inDefaultZone = alice
    inDefaultZone.zone = .default
    try inDefaultZone.save(inDefaultZone.secret("note", "hidden"))
    #expect(try inDefaultZone.on("phone").read("note") == "hidden")
    var open = alice
    (open.scope, open.zone) = (.public, .default)
    let response = try open.modify([open.secret("note", "hidden"), open.note("plain", "1")])
    let error = failure { try response.saves[0].get() }
    #expect(error?.code == .invalidArguments)
    #expect(error?.message.contains("aren't supported in the public") == true)
    #expect(try response.saves[1].get().fields["text"] == .string("1"))
    #expect(try !cloud.holds("hidden"))
  }

  // [encryption-value-4]
  @Test("a field is either plain or encrypted for ever; a batch that would change that fails as a whole")
  func fieldIsEitherPlainOrEncrypted() throws {
    var both = alice.secret("note", "s")
    both.fields["text"] = .string("p")
    let record = try alice.save(both)
    var encrypting = RecordSave(id: alice.id("note"), type: "Note", changeTag: record.changeTag)
    encrypting.encryptedFields = ["text": .string("x")]
    let first = failure { try alice.save(encrypting) }
    #expect(first?.code == .invalidArguments)
    #expect(first?.message.contains("encrypted data in non encrypted field type") == true)
    var opening = RecordSave(id: alice.id("note"), type: "Note", changeTag: record.changeTag)
    opening.fields = ["secret": .string("x")]
    let second = failure { try alice.save(opening) }
    #expect(second?.code == .invalidArguments)
    #expect(second?.message.contains("ENCRYPTED_STRING") == true)
    var mixed = RecordSave(id: alice.id("other"), type: "Note", fields: ["k": .string("p")])
    mixed.encryptedFields = ["k": .string("s")]
    #expect(code { try alice.save(mixed) } == .invalidArguments)
    let response = try alice.modify([opening, alice.note("innocent")])
    #expect(failure { try response.saves[1].get() }?.code == .batchRequestFailed)
    #expect(try alice.read("note") == "s" && alice.fetch("note").fields["text"] == .string("p"))
  }

  // [encryption-value-6]
  @Test("omitted keys keep their encrypted value, nil removes it, and desired keys select encrypted values")
  func omittedKeysKeepTheirEncryptedValueNil() throws {
    var save = alice.secret("note", "1")
    save.encryptedFields["more"] = .string("m")
    save.fields["text"] = .string("t")
    var record = try alice.save(save)
    record = try alice.save(alice.secret("note", "2", tag: record.changeTag))
    #expect(record.encryptedFields == ["secret": .string("2"), "more": .string("m")])
    record = try alice.save(alice.note("note", "u", tag: record.changeTag))
    #expect(record.encryptedFields.count == 2)
    #expect(record.fields["text"] == .string("u"))
    #expect(try alice.fetch("note", keys: ["secret"]).encryptedFields == ["secret": .string("2")])
    #expect(try alice.fetch("note", keys: ["secret"]).fields.isEmpty)
    #expect(try alice.fetch("note", keys: []).encryptedFields.isEmpty)
    record = try alice.save(alice.secret("note", nil, tag: record.changeTag))
    #expect(record.encryptedFields == ["more": .string("m")])
    let conflict = failure { try alice.save(alice.note("note", tag: "old")) }
    #expect(conflict?.serverRecord?.encryptedFields == ["more": .string("m")])
  }

  @Test("encrypted values count towards the size limits of records and requests ([encryption-value-7])")
  func encryptedValuesCountTowardsTheSizeLimits() throws {
    let text = String(repeating: "x", count: 1 << 20)
    #expect(code { try alice.save(alice.secret("large", text)) } == .limitExceeded)
    let half = String(text.prefix(700_000))
    #expect(code { try alice.modify((0..<3).map { alice.secret(ExactName("n\($0)"), half) }) } == .limitExceeded)
    let record = try alice.save(alice.secret("large", half))
    var more = RecordSave(id: alice.id("large"), type: "Note", changeTag: record.changeTag)
    more.encryptedFields = ["more": .string(half)]
    #expect(code { try alice.save(more) } == .limitExceeded)
    #expect(try alice.read("large") == half)
  }

  @Test("keys are created with the first encrypted value; new keys for the parents do not change their change tags")
  func keysAreCreatedWithTheFirstEncrypted() throws {
    let store = try #require(try cloud.service.cloud.zone(Self.path))
    try alice.save(alice.note("top", "1"))
    try alice.save(alice.note("middle", "1", parent: .set("top", zone: nil)))
    #expect(try !store.hasKeys())
    #expect(try cloud.service.accounts.account("alice").keys.isEmpty)
    try alice.save(alice.note("leaf", "1", parent: .set("middle", zone: nil)))
    let tags = try ["top", "middle", "leaf"].map { try alice.fetch(ExactName($0)).changeTag }
    try alice.save(alice.secret("leaf", "s", tag: tags[2]))
    #expect(try alice.fetch("top").changeTag == tags[0])
    // The parent's tag changes as with any save of a child.
    #expect(try alice.fetch("middle").changeTag != tags[1])
    #expect(
      try store.keyFiles().map(\.components)
        == [
          ["keys", "records", "leaf.json"], ["keys", "records", "middle.json"], ["keys", "records", "top.json"],
          ["keys", "zone.json"],
        ])
    // A deleted record's key is deleted too, and a new record of that name gets a new key.
    let before = try store.keyFile(.recordKey("leaf"))
    try alice.modify(delete: ["leaf"]).deletes[0].get()
    #expect(try store.keyFile(.recordKey("leaf")) == nil)
    try alice.save(alice.secret("leaf", "s"))
    #expect(try store.keyFile(.recordKey("leaf")) != before)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a large batch of encrypted values can be read, and its plain text is in no file ([encryption-value-1])")
  func largeBatch() throws {
    let saves = (0..<200).map { alice.secret(ExactName("n\($0)"), "hidden \($0)") }
    let response = try alice.modify(saves)
    for (number, save) in response.saves.enumerated() {
      #expect(try save.get().encryptedFields["secret"] == .string("hidden \(number)"))
    }
    #expect(try alice.on("phone").changes(limit: 400).changed.count == 200)
    #expect(try !cloud.holds("hidden 1"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("without libcrypto only encrypted values fail, and the error names the package to install")
  func withoutLibrary() throws {
    try alice.save(alice.secret("note", "s"))
    let plain = try alice.save(alice.note("plain", "1"))
    var settings = cloud.service.settings
    settings.cryptography = { () throws(CryptographyError) in throw .unavailable(["libcrypto.so.3"]) }
    let service = CloudService(cloud: cloud.service.cloud, settings: settings)
    func fetch(_ name: ExactName, _ keys: [String]? = nil) throws -> Record {
      let request = FetchRecordsRequest(scope: .private, records: [alice.id(name)], desiredKeys: keys)
      return try service.records.fetchRecords(request, by: alice.caller)[0].get()
    }
    func save(_ save: RecordSave) throws -> Record {
      try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: [save]), by: alice.caller).saves[0]
        .get()
    }
    for error in [failure { try fetch("note") }, failure { try save(alice.secret("new", "x")) }] {
      #expect(error?.cause == .missingLibrary)
      #expect(error?.hint?.contains("libssl3") == true)
    }
    #expect(try fetch("note", ["text"]).encryptedFields.isEmpty)
    #expect(try save(alice.note("plain", "2", tag: plain.changeTag)).fields["text"] == .string("2"))
    let changes = try service.feeds.zoneChanges(
      ZoneChangesRequest(scope: .private, zone: alice.zone), by: alice.caller)
    #expect(changes.changed.map(\.id.name) == ["plain"])
    #expect(changes.failed.map(\.record.name) == ["note"])
    #expect(changes.failed[0].error.cause == .missingLibrary)
    let requests = ModifyRecordsRequest(scope: .private, deletes: [alice.id("note")])
    try service.records.modifyRecords(requests, by: alice.caller).deletes[0].get()
    #expect(try service.checks.check() == [])
  }
}
