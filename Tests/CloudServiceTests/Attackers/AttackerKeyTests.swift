import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// An attacker with write access to the tree moves sealed values and keys. A value opens only at its own address.
/// Each other read fails with an error that shows no content.
@Suite("Attacks on encrypted values: moved, cut, garbled, with other keys")
struct AttackerKeyTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person

  init() throws {
    cloud = try TemporaryCloud(accounts: ["alice", "bob", "mallory"])
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    try alice.makeZone()
    for name in ["note", "other"] as [ExactName] {
      var save = alice.secret(name, "hidden \(name)")
      save.encryptedFields["more"] = .string("hidden more")
      save.encryptedFields["number"] = .int64(1)
      try alice.save(save)
    }
    try alice.save(alice.secret("child", "hidden child", parent: .set("note", zone: nil)))
    try bob.accept(try alice.share("note", with: ["bob"]))
  }

  private func records(_ zone: String = "Notes", _ container: String = TemporaryCloud.container) throws -> Directory {
    try cloud.directory("containers/\(container)/development/private/alice/zones/\(zone)/records")
  }

  private func field(_ name: String, of record: String, in folder: Directory) throws -> JSONObject {
    let bytes = try #require(try folder.contents(record + ".json"))
    return try #require(try JSONValue(parsing: bytes)["fields"]?[name]?.object)
  }

  /// Puts a field dictionary into a record's file.
  private func plant(_ field: JSONObject, _ name: String, in record: String = "note") throws {
    let folder = try records()
    let bytes = try #require(try folder.contents(record + ".json"))
    var object = try #require(try JSONValue(parsing: bytes).object)
    var fields = object["fields"]?.object ?? [:]
    fields[name] = .object(field)
    object["fields"] = .object(fields)
    try folder.writeStaged(record + ".json", JSONValue.object(object).pretty())
  }

  /// The owner and the participant can't read the value by fetch, feed or save.
  private func expectSealed(
    _ attack: String, _ key: String = "secret", of record: ExactName = "note",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for person in [alice, bob] {
      let error = failure { try person.fetch(record) }
      #expect(error?.code == .internalError, "\(attack)", sourceLocation: sourceLocation)
      #expect(error?.cause == .damage, "\(attack)", sourceLocation: sourceLocation)
      let isNamed = error?.message.contains("record \(record)") == true && error?.message.contains("'\(key)'") == true
      #expect(isNamed, "\(attack): \(error?.message ?? "")", sourceLocation: sourceLocation)
      let changes = try person.changes()
      #expect(changes.failed.map(\.record.name) == [record], "\(attack)", sourceLocation: sourceLocation)
      #expect(changes.failed.first?.error == error, "\(attack)", sourceLocation: sourceLocation)
      #expect(!changes.changed.contains { $0.id.name == record }, "\(attack)", sourceLocation: sourceLocation)
      // A fetch without the key returns the rest of the record.
      #expect(try person.fetch(record, keys: ["nothing"]).encryptedFields.isEmpty, sourceLocation: sourceLocation)
    }
    let request = QueryRecordsRequest(scope: .private, zone: alice.zone, recordType: "Note")
    let found = try cloud.service.queries.queryRecords(request, by: alice.caller)
    #expect(found.failed.map(\.record.name) == [record], sourceLocation: sourceLocation)
    #expect(found.records.count == 2, sourceLocation: sourceLocation)
    // The answer of any save would contain the value, so nothing is saved.
    let tag = try alice.fetch(record, keys: []).changeTag
    #expect(
      code { try alice.save(alice.note(record, "x", tag: tag)) } == .internalError, sourceLocation: sourceLocation)
    #expect(try alice.fetch(record, keys: []).changeTag == tag, sourceLocation: sourceLocation)
  }

  @Test(
    "a sealed value moved to another name, record, zone, container or environment does not open ([encryption-value-9])")
  func sealedValueMovedToAnotherNameRecord() throws {
    let folder = try records()
    let original = try field("secret", of: "note", in: folder)
    try plant(try field("more", of: "note", in: folder), "secret")
    try expectSealed("another field's")
    try plant(try field("secret", of: "other", in: folder), "secret")
    try expectSealed("another record's")
    for (zone, container) in [("Second", TemporaryCloud.container), ("Notes", "iCloud.other")] {
      var caller = alice.caller
      caller.container = container
      let there = ZoneIdentifier(name: ExactName(zone))
      _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [there]), by: caller)
      var save = alice.secret("note", "hidden there")
      save.id.zone = there
      let request = ModifyRecordsRequest(scope: .private, saves: [save])
      _ = try cloud.service.records.modifyRecords(request, by: caller).saves[0].get()
      try plant(try field("secret", of: "note", in: try records(zone, container)), "secret")
      try expectSealed("of \(zone) in \(container)")
    }
    try plant(original, "secret")
    #expect(try alice.read("note") == "hidden note" && bob.read("note") == "hidden note")
  }

  @Test("a whole record copied with its key to another name or another zone does not open")
  func movedRecords() throws {
    let keys = try cloud.directory(alice.folder() + "/keys/records")
    let (record, key) = (try records().contents("other.json"), try keys.contents("other.json"))
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    try second.save(second.secret("other", "hidden there"))
    try records("Second").writeStaged("other.json", try #require(record))
    #expect(code { try second.fetch("other") } == .internalError)
    let there = try cloud.directory(second.folder() + "/keys/records")
    try there.writeStaged("other.json", try #require(key))
    #expect(code { try second.fetch("other") } == .internalError)
    let zoneKey = try #require(try cloud.directory(alice.folder() + "/keys").contents("zone.json"))
    try cloud.directory(second.folder() + "/keys").writeStaged("zone.json", zoneKey)
    #expect(code { try second.fetch("other") } == .internalError)
    // The key file of "other" is copied to the name "note".
    let text = String(decoding: try #require(key), as: UTF8.self).replacing("\"other\"", with: "\"note\"")
    try keys.writeStaged("note.json", Array(text.utf8))
    try plant(try field("secret", of: "other", in: records()), "secret")
    #expect(code { try alice.fetch("note") } == .internalError)
  }

  // [encryption-value-8]
  @Test("a sealed value with another or unknown declared type, or cut, garbled or empty text, does not open")
  func sealedValueWithAnotherOrUnknownDeclared() throws {
    let original = try field("secret", of: "note", in: records())
    let sealed = try #require(original["value"]?.string)
    var changes: [(String, JSONValue?)] = ["INT64", "BYTES", "STRING_LIST", "REFERENCE", "ASSETID", "", "X"].map {
      ("type", .string($0))
    }
    changes += [("type", nil), ("type", 7), ("value", nil), ("value", 7), ("value", []), ("value", .null)]
    let cuts = [0, 4, 16, 40, sealed.count - 4].map { String(sealed.prefix($0)) }
    let others = ["hidden", "%%%%", sealed + "AAAA", String(sealed.reversed()), "AQ==", "Ag" + sealed.dropFirst(2)]
    for text in cuts + others { changes.append(("value", .string(text))) }
    for (key, value) in changes {
      var field = original
      field[key] = value
      try plant(field, "secret")
      try expectSealed("\(key) \(value ?? .null)")
    }
    for flag in [1, "true", .null] as [JSONValue] {
      var field = original
      (field["isEncrypted"], field["value"]) = (flag, .string("hidden"))
      try plant(field, "secret")
      try expectSealed("flag \(flag)")
    }
  }

  @Test("the owner can remove and replace a value that can't be decrypted, and delete its record")
  func ownerCanRemoveAndReplaceAValue() throws {
    var field = try field("secret", of: "note", in: records())
    field["value"] = "AAAA"
    try plant(field, "secret")
    var record = try alice.save(alice.secret("note", nil), policy: .changedKeys)
    #expect(record.encryptedFields.count == 2)
    try plant(field, "secret")
    record = try alice.save(alice.secret("note", "new"), policy: .changedKeys)
    #expect(record.encryptedFields["secret"] == .string("new"))
    #expect(try bob.read("note") == "new")
    try plant(field, "secret", in: "other")
    try alice.modify(delete: ["other"]).deletes[0].get()
    #expect(try alice.changes().failed.isEmpty)
  }

  static let harms: [(name: String, make: @Sendable ([UInt8]) -> [UInt8]?)] = [
    ("removed", { _ in nil }), ("empty", { _ in [] }), ("no JSON", { _ in Array("{".utf8) }),
    ("an empty object", { _ in Array("{}".utf8) }), ("half", { Array($0.prefix($0.count / 2)) }),
    (
      "other sealed keys",
      { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.replacing(#/[A-Za-z0-9+\/]{40}/#, with: String(repeating: "A", count: 40)).utf8)
      }
    ),
    ("other names", { Array(String(decoding: $0, as: UTF8.self).replacing("recordName", with: "x").utf8) }),
    (
      "other generations",
      {
        Array(
          String(decoding: $0, as: UTF8.self).replacing(
            "\"generation\": 1", with: "\"generation\": 9223372036854775807"
          )
          .utf8)
      }
    ),
  ]

  @Test(
    "a damaged key file causes no crash, reveals no text, and does not affect values under other keys")
  func keyFiles() throws {
    let image = try FolderImage(of: cloud.path).paths()
    let files = image.keys.filter { $0.contains("/keys/") }.sorted()
    #expect(files.count == 5)
    for file in files {
      let parts = file.split(separator: "/").map(String.init)
      let folder = try cloud.directory(parts.dropLast().joined(separator: "/"))
      for (harm, make) in Self.harms {
        let whole = try #require(image[file])
        if let bytes = make(whole) {
          if bytes == whole { continue }
          try folder.writeStaged(parts[parts.count - 1], bytes)
        } else {
          try folder.remove(parts[parts.count - 1])
        }
        var refused = 0
        for (person, names) in [(alice, ["note", "other", "child"]), (bob, ["note", "child"])] {
          for name in names as [String] {
            do {
              #expect(try person.read(ExactName(name)) == "hidden \(name)", "\(file) \(harm)")
            } catch let error as ServiceError {
              refused += 1
              #expect(error.code == .internalError || error.isEncryptedDataReset, "\(file) \(harm): \(error.message)")
              #expect(!error.message.contains("hidden"))
            }
          }
        }
        #expect(refused > 0, "\(file) \(harm)")
        for save in [alice.secret("new", "x"), alice.note("plain", "1")] { _ = try? alice.save(save, policy: .allKeys) }
        _ = try? alice.modify(delete: ["new", "plain"])
        _ = try cloud.service.checks.check()
        try folder.writeStaged(parts[parts.count - 1], whole)
        #expect(try alice.read("child") == "hidden child" && bob.read("child") == "hidden child", "\(file) \(harm)")
      }
    }
  }

  @Test("check reports missing and unused keys, and repair sets the unused ones aside")
  func checkReportsMissingAndUnusedKeys() throws {
    let keys = try cloud.directory(alice.folder() + "/keys/records")
    let note = try #require(try keys.contents("note.json"))
    try keys.writeStaged("stray.json", note)
    try keys.writeStaged("other.json", Array("{".utf8))
    try cloud.directory(alice.folder() + "/keys").writeStaged("what.json", [])
    let problems = try cloud.service.checks.check()
    #expect(problems.count == 4)
    #expect(problems.map(\.path).contains { $0.hasSuffix("records/other.json") && !$0.contains("/keys/records/") })
    let left = try cloud.service.repairs.repair().left
    #expect(left.count == 1 && left[0].text.contains("no key leads to its encrypted values"))
    #expect(try keys.entries().map(\.name) == ["child.json", "note.json"])
    #expect(try cloud.directory("aside").entries().count == 1)
    #expect(try alice.read("note") == "hidden note" && bob.read("child") == "hidden child")
  }

  @Test("no key is sealed for an invalid public key, nor for one that gives every sender the same secret")
  func publicKeys() throws {
    let accounts = try cloud.directory("accounts")
    let bytes = try #require(try accounts.contents("bob.json"))
    var object = try #require(try JSONValue(parsing: bytes).object)
    func plant(_ key: JSONValue) throws {
      object["keys"] = ["iCloud.test": key]
      try accounts.writeStaged("bob.json", JSONValue.object(object).pretty())
    }
    let zeros = String(repeating: "A", count: 43) + "="
    try plant(["generation": 1, "publicKey": .string(zeros)])
    var second = alice
    second.zone.name = "Second"
    try second.makeZone()
    try second.save(second.secret("root", "hidden root"))
    let error = failure { try second.share("root", with: ["bob"]) }
    #expect(error != nil)
    for key in [
      [:], ["generation": 0], ["generation": 1, "publicKey": "AAAA"], ["generation": 1, "publicKey": 7], 7,
    ] as [JSONValue] {
      try plant(key)
      #expect(failure { try bob.fetch("note") } != nil)
      #expect(try cloud.service.checks.check().contains { $0.path.hasSuffix("bob.json") })
    }
    try accounts.writeStaged("bob.json", bytes)
    #expect(try bob.read("note") == "hidden note")
  }

  @Test("adding oneself to a share's key file, or restoring an old one from a backup, gives no access")
  func selfMade() throws {
    let shares = try cloud.directory(alice.folder() + "/keys/shares")
    let backup = try #require(try shares.contents("Share-1.json"))
    let bobs = try cloud.service.accounts.userRecordName(by: bob.caller)
    try alice.edit { $0.participants.removeAll { $0.identity.userRecordName == bobs } }
    try alice.save(alice.secret("later", "hidden later", parent: .set("note", zone: nil)))
    try shares.writeStaged("Share-1.json", backup)
    for name in ["note", "child", "later"] as [ExactName] { #expect(code { try bob.fetch(name) } == .zoneNotFound) }
    let request = ShareMetadataRequest(
      url: try alice.fetch("Share-1").shareDetails?.url ?? "", fetchesRootRecord: true)
    #expect(code { try cloud.service.sharing.shareMetadata(request, by: bob.caller) } == .unknownItem)
    let mallory = try Person(cloud, "mallory").inShared(zoneOf: alice)
    let mallorys = try cloud.service.accounts.userRecordName(by: mallory.caller)
    try shares.writeStaged(
      "Share-1.json", Array(String(decoding: backup, as: UTF8.self).replacing(bobs, with: mallorys).utf8))
    #expect(code { try mallory.fetch("note") } == .zoneNotFound)
    #expect(try alice.read("later") == "hidden later")
  }
}
