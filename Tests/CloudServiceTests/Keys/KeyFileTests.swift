import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import Testing

@testable import LocalCloudService

@Suite(
  "Key files and pointers: reading, writing and validation")
struct KeyFileTests {
  private static let person: JSONObject = ["generation": 1, "sealed": "s", "userRecordName": "_u"]

  /// The keys that an object must have, and the keys that refuse a value of another type.
  private func demands(
    _ object: JSONObject, _ isRead: (JSONObject) -> Bool
  ) -> (missing: [String], wrong: [String]) {
    func refused(_ value: JSONValue?) -> [String] {
      object.keys.filter { key in
        var changed = object
        changed[key] = value
        return !isRead(changed)
      }
    }
    #expect(isRead(object))
    return (refused(nil), refused(["x"]))
  }

  /// For each number: whether a value with this number can be read.
  private func numbers(_ numbers: [Int64], _ isRead: (JSONValue) -> Bool) -> [Bool] {
    numbers.map { isRead(.integer($0)) }
  }

  @Test("a person's sealed key and an account's key have generations from 1 to 2^50")
  func personsSealedKeyAndAnAccountsKey() {
    let person = demands(Self.person) { PersonalKey(.object($0)) != nil }
    #expect(person.missing == ["generation", "sealed", "userRecordName"])
    #expect(person.wrong == person.missing)
    #expect(PersonalKey(.object(Self.person))?.object == Self.person)
    let generations: [Int64] = [-1, 0, 1, 1 << 50, (1 << 50) + 1]
    let expected = [false, false, true, true, false]
    let ofPerson = numbers(generations) { number in
      var object = Self.person
      object["generation"] = number
      return PersonalKey(.object(object)) != nil
    }
    #expect(ofPerson == expected)
    #expect(numbers(generations) { AccountKey(["generation": $0]) != nil } == expected)
    #expect(PersonalKey("_u") == nil)
    #expect(AccountKey(1) == nil)

    #expect(AccountKey(generation: 3).object == ["generation": 3])
    let full = AccountKey(generation: 3, publicKey: [UInt8](repeating: 1, count: 32))
    #expect(AccountKey(.object(full.object)) == full)
    let account = demands(full.object) { AccountKey(.object($0)) != nil }
    #expect(account.missing == ["generation"])
    #expect(account.wrong == ["generation", "publicKey"])
    for count in [0, 31, 33] {
      let key = AccountKey(generation: 3, publicKey: [UInt8](repeating: 1, count: count))
      #expect(AccountKey(.object(key.object)) == nil, "\(count)")
    }
  }

  @Test("key versions are 1 to 2^20, and version 1 is not written") func keyVersionsAre1To220() {
    #expect(VersionedKey.version(nil) == 1)
    let numbers: [Int64] = [-1, 0, 1, 1 << 20, (1 << 20) + 1]
    #expect(numbers.map { VersionedKey.version(.integer($0)) } == [nil, nil, 1, 1 << 20, nil])
    #expect(VersionedKey.version("2") == nil)
    #expect(VersionedKey.version(.null) == nil)
  }

  @Test("a zone's key file, with and without earlier keys") func zonesKeyFileWithAndWithoutEarlier() throws {
    let plain: JSONObject = ["owner": .object(Self.person)]
    let zone = demands(plain) { ZoneKeyFile($0) != nil }
    #expect(zone.missing == ["owner"])
    #expect(zone.wrong == ["owner"])
    var file = try #require(ZoneKeyFile(plain))
    #expect(file.history == KeyHistory())
    #expect(file.history.version == 1)
    #expect(file.object == plain)

    file.history.isExposed = true
    #expect(file.object == ["isExposed": true, "owner": .object(Self.person)])
    #expect(ZoneKeyFile(file.object)?.history.isExposed == true)

    file.history.earlier = ["a", "b"]
    let later: JSONObject = [
      "earlier": ["a", "b"], "isExposed": true, "newest": ["owner": .object(Self.person)],
    ]
    #expect(file.object == later)
    #expect(file.history.version == 3)
    #expect(ZoneKeyFile(later)?.history == file.history)
    for broken: JSONObject in [
      ["newest": 1], ["newest": ["owner": 1]], ["newest": ["owner": .object(Self.person)], "earlier": [1]],
      ["newest": ["owner": .object(Self.person)], "earlier": ["a", .null]],
    ] {
      #expect(ZoneKeyFile(broken) == nil)
    }
  }

  @Test("a record's key file: sealed under the zone's key, under the parent's key, or for the owner")
  func recordsKeyFile() throws {
    let plain: JSONObject = [
      "owner": .object(Self.person), "parent": ["recordName": "p", "sealed": "t"], "recordName": "r", "zone": "s",
    ]
    let record = demands(plain) { RecordKeyFile($0) != nil }
    #expect(record.missing == ["recordName"])
    #expect(record.wrong == ["owner", "parent", "recordName", "zone"])
    let read = try #require(RecordKeyFile(plain))
    #expect(read.record == "r")
    #expect(read.zone == RecordKeyFile.UnderZone(sealed: "s", version: 1))
    #expect(read.parent == RecordKeyFile.UnderParent(parent: "p", sealed: "t", version: 1))
    #expect(read.owner?.userRecordName == "_u")
    #expect(read.object == plain)
    let parent = demands(["recordName": "p", "sealed": "t", "version": 2]) {
      RecordKeyFile(["recordName": "r", "parent": .object($0)]) != nil
    }
    #expect(parent.missing == ["recordName", "sealed"])
    #expect(parent.wrong == ["recordName", "sealed", "version"])
    #expect(RecordKeyFile(["recordName": "r", "zone": "s", "zoneVersion": 0]) == nil)
    #expect(RecordKeyFile(["recordName": "r", "zone": "s", "zoneVersion": 2])?.zone?.version == 2)

    var file = RecordKeyFile(record: "r")
    #expect(file.object == ["recordName": "r"])
    file.zone = RecordKeyFile.UnderZone(sealed: "s", version: 2)
    #expect(file.object == ["newest": ["recordName": "r", "zone": "s", "zoneVersion": 2]])
    file.zone = nil
    file.parent = RecordKeyFile.UnderParent(parent: "p", sealed: "t", version: 2)
    #expect(
      file.object == ["newest": ["parent": ["recordName": "p", "sealed": "t", "version": 2], "recordName": "r"]])
    file.parent?.version = 1
    #expect(file.object == ["parent": ["recordName": "p", "sealed": "t"], "recordName": "r"])
    file.history.earlier = ["a"]
    #expect(
      file.object == [
        "earlier": ["a"], "newest": ["parent": ["recordName": "p", "sealed": "t"], "recordName": "r"],
      ])
  }

  @Test("a share's key file, for people and links") func sharesKeyFileForPeopleAndLinks() throws {
    let plain: JSONObject = [
      "links": [["sealed": "l", "shortGUID": "g"]], "opens": "o", "people": [.object(Self.person)],
      "recordName": "Share-1",
    ]
    let share = demands(plain) { ShareKeyFile($0) != nil }
    #expect(share.missing == ["links", "opens", "people", "recordName"])
    #expect(share.wrong == share.missing)
    var file = try #require(ShareKeyFile(plain))
    #expect(file.object == plain)
    #expect(file.version == 1)
    #expect(!file.isStale)
    #expect(file.person("_u")?.sealed == "s")
    #expect(file.person("_v") == nil)
    (file.isStale, file.version) = (true, 2)
    #expect(file.object["isStale"] == true)
    #expect(file.object["version"] == 2)
    #expect(ShareKeyFile(file.object) == file)
    let link = demands(["sealed": "l", "shortGUID": "g"]) { link in
      var object = plain
      object["links"] = [.object(link)]
      return ShareKeyFile(object) != nil
    }
    #expect(link.missing == ["sealed", "shortGUID"])
    #expect(link.wrong == link.missing)
    var broken = plain
    broken["version"] = 0
    #expect(ShareKeyFile(broken) == nil)
  }

  @Test("a keychain's keys have 32 bytes and a valid generation") func keychainsKeysHave32Bytes() throws {
    let bytes = [UInt8](repeating: 7, count: 32)
    var keychain = Keychain()
    let entry = Keychain.Entry(userRecordName: "_u", container: "c", generation: 2, privateKey: bytes)
    keychain.put(entry)
    keychain.put(Keychain.Entry(userRecordName: "_u", container: "d", generation: 1, privateKey: bytes))
    keychain.put(Keychain.Entry(userRecordName: "_v", container: "c", generation: 1, privateKey: bytes))
    #expect(Keychain(keychain.object)?.entries == keychain.entries)
    #expect(keychain.entries.count == 3)
    #expect(keychain.entry(of: "_u", "c", generation: 2) == entry)
    #expect(keychain.entry(of: "_u", "c", generation: 1) == nil)
    #expect(keychain.entry(of: "_v", "d", generation: 1) == nil)
    let stored = try #require(keychain.object["keys"]?.array?[0].object)
    let demanded = demands(stored) { Keychain(["keys": [.object($0)]]) != nil }
    #expect(demanded.missing == ["container", "generation", "privateKey", "userRecordName"])
    #expect(demanded.wrong == demanded.missing)

    var newer = entry
    newer.generation = 3
    keychain.put(newer)
    #expect(keychain.entries.map(\.generation) == [1, 1, 3])
    keychain.remove("_u", "c")
    #expect(keychain.entries.map(\.container) == ["d", "c"])
  }

  // MARK: Pointers

  private static let pointer: JSONObject = [
    "forgotten": 3, "incarnation": "i", "ownerAccount": "alice",
    "revoked": [["records": [["recordName": "a", "recordType": "Note"]], "sequence": 8]],
    "shares": [["recordName": "Share-1", "sequence": 5]],
    "zoneID": ["ownerRecordName": "_a", "zoneName": "Notes"],
  ]

  @Test("a pointer to a shared zone has valid sequences only") func pointerToASharedZoneHasValid() throws {
    let pointer = try #require(SharedZonePointer(Self.pointer))
    #expect(try JSONValue(parsing: pointer.bytes) == JSONValue.object(Self.pointer))
    #expect(pointer.grants == [SharedZonePointer.Grant(share: "Share-1", sequence: 5)])
    #expect(pointer.forgotten == 3)
    let demanded = demands(Self.pointer) { SharedZonePointer($0) != nil }
    #expect(demanded.missing == ["incarnation", "ownerAccount", "zoneID"])
    func reads(_ key: String, _ value: JSONValue) -> Bool {
      var object = Self.pointer
      object[key] = value
      return SharedZonePointer(object) != nil
    }
    for (sequence, isGood) in [(-1, false), (0, true), (1 << 60, true), ((1 << 60) + 1, false)] as [(Int64, Bool)] {
      #expect(reads("forgotten", .integer(sequence)) == isGood)
      #expect(reads("shares", [["recordName": "s", "sequence": .integer(sequence)]]) == isGood)
      #expect(reads("revoked", [["records": [], "sequence": .integer(sequence)]]) == isGood)
    }
    #expect(!reads("shares", [["sequence": 1]]))
    #expect(!reads("shares", [["recordName": "s"]]))
    #expect(!reads("revoked", [["records": []]]))
    #expect(reads("revoked", [["sequence": 1]]))
    #expect(!reads("revoked", [["records": [["recordName": "a"]], "sequence": 1]]))
    #expect(!reads("revoked", [["records": [["recordType": "Note"]], "sequence": 1]]))
    var fresh = pointer
    fresh.forgotten = 0
    #expect(try JSONValue(parsing: fresh.bytes)["forgotten"] == nil)
  }

  @Test(
    "of the removals before the horizon a pointer stores only the sequence of the latest one",
    arguments: [0, 4, 5, 20] as [Int64])
  func ofTheRemovalsBeforeTheHorizon(horizon: Int64) {
    var pointer = SharedZonePointer(zone: ZoneIdentifier(name: "Notes"), ownerAccount: "alice", incarnation: "i")
    pointer.revocations = [1, 5, 9].map { SharedZonePointer.Revocation(sequence: $0, records: []) }
    pointer.revoke(SharedZonePointer.Revocation(sequence: 12, records: []), horizon: horizon)
    let expected: (forgotten: Int64, kept: [Int64]) =
      switch horizon {
      case 0: (0, [1, 5, 9, 12])
      case 4: (1, [5, 9, 12])
      case 5: (5, [9, 12])
      default: (9, [12])
      }
    #expect(pointer.forgotten == expected.forgotten)
    #expect(pointer.revocations.map(\.sequence) == expected.kept)
    // The stored sequence never decreases.
    pointer.revoke(SharedZonePointer.Revocation(sequence: 30, records: []), horizon: 0)
    #expect(pointer.forgotten == expected.forgotten)
  }

  @Test("a zone has a key for each record, unless its properties declare one key for the zone")
  func encryptionScope() {
    var properties = ZoneProperties(name: "Notes", owner: "_o", incarnation: "i1", capabilities: 3, created: 1)
    #expect(properties.encryptionScope == .perRecord)
    properties.encryptionScope = .perZone
    #expect(properties.encryptionScope == .perZone)
    #expect(properties.object["encryptionScope"] == "perZone")
    properties.encryptionScope = .perRecord
    #expect(properties.object["encryptionScope"] == nil)
    properties.object["encryptionScope"] = "other"
    #expect(properties.encryptionScope == .perRecord)
  }
}
