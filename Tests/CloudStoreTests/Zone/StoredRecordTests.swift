import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Parsing and validation of stored records")
struct StoredRecordTests {
  private let object: JSONObject = ["recordName": "r", "recordType": "T", "recordChangeTag": "1"]

  private func parse(_ changes: JSONObject, name: ExactName = "r") throws -> StoredRecord {
    var object = object
    for (key, value) in changes { object[key] = value }
    return try StoredRecord.parse(JSONValue.object(object).compact(), path: "r.json", expecting: name)
  }

  @Test("names in a record have at most 1020 bytes and no zero byte")
  func namesInARecordHaveAtMost() throws {
    let (longest, tooLong) = (String(repeating: "n", count: 1020), String(repeating: "n", count: 1021))
    #expect(StoredRecord.canBe(ExactName(longest)))
    #expect(!StoredRecord.canBe(ExactName(tooLong)))
    #expect(StoredRecord.canBe(""))
    #expect(!StoredRecord.canBe("\0"))
    #expect(!StoredRecord.canBe("a\0b"))
    func reference(_ name: String, _ action: String) -> JSONObject {
      ["fields": ["f": ["value": ["recordName": .string(name), "action": .string(action)]]]]
    }
    for name in [tooLong, "a\0b"] {
      let wrong: [JSONObject] = [
        ["recordType": .string(name)], ["parent": ["recordName": .string(name)]],
        ["created": ["deviceID": .string(name)]], reference(name, "DELETE_SELF"), reference(name, "VALIDATE"),
      ]
      for changes in wrong {
        #expect(reasonOfDamage { try parse(changes) } == "a name in it that no record or type can have", "\(changes)")
      }
      let own = ExactName(name)
      #expect(
        reasonOfDamage { try parse(["recordName": .string(name)], name: own) }
          == "a name in it that no record or type can have")
      // Nothing depends on the name in this reference.
      #expect(throws: Never.self) { try parse(reference(name, "NONE")) }
    }
    #expect(try parse(["recordName": .string(longest)], name: ExactName(longest)).name == ExactName(longest))
  }

  @Test("a record without required members is damage, and a record of another name is a collision")
  func recordWithoutRequiredMembersIsDamage() throws {
    for key in ["recordName", "recordType", "recordChangeTag"] {
      #expect(
        reasonOfDamage { try parse([key: 1]) }
          == "not a record: recordName, recordType or recordChangeTag is missing", "\(key)")
    }
    #expect(
      reasonOfDamage { try StoredRecord.parse(Array("[]".utf8), path: "p", expecting: "r") }
        == "not a record: recordName, recordType or recordChangeTag is missing")
    let reason = reasonOfDamage { try StoredRecord.parse(Array("{".utf8), path: "p", expecting: "r") }
    #expect(reason?.hasPrefix("not JSON: line 1, column 2: ") == true)
    #expect {
      try parse([:], name: "other")
    } throws: { error in
      guard case StorageError.nameCollision(path: "r.json", name: "other") = error else { return false }
      return true
    }
  }

  @Test("missing members of a record have empty values, and present ones are returned")
  func missingMembersOfARecordHaveEmpty() throws {
    let bare = StoredRecord([:])
    #expect(bare.name == "")
    #expect(bare.type == "")
    #expect(bare.tag == "")
    #expect(bare.creatingDevice == "")
    #expect(bare.sequence == 0)
    #expect(bare.parent == nil)
    #expect(bare.owners.isEmpty)
    #expect(bare.validated.isEmpty)
    #expect(bare.assets.isEmpty)
    var record = try parse(["parent": ["recordName": "p"], "created": ["deviceID": "d"], "x-local": ["other": 1]])
    #expect(record.parent == "p")
    #expect(record.creatingDevice == "d")
    #expect(record.type == "T")
    #expect(record.tag == "1")
    record.sequence = 5
    #expect(record.sequence == 5)
    #expect(record.object["x-local"] == ["other": 1, "sequence": 5])
    var other = StoredRecord([:])
    other.sequence = 6
    #expect(other.object == ["x-local": ["sequence": 6]])
    #expect(record.isSameObject(as: record))
    #expect(!record.isSameObject(as: other))
  }

  @Test("references and assets are found in fields and in lists")
  func referencesAndAssetsAreFoundInFields() throws {
    let asset = ContentName(digest: String(repeating: "0a", count: 16), size: 5, number: 2)
    func reference(_ name: String, _ action: String) -> JSONValue {
      ["recordName": .string(name), "action": .string(action)]
    }
    let record = try parse([
      "fields": [
        "a": ["value": ["fileChecksum": .string(asset.description)]], "b": ["value": ["fileChecksum": "none"]],
        "c": ["value": reference("o1", "DELETE_SELF")], "d": ["value": reference("n", "NONE")],
        "e": ["value": [reference("o2", "DELETE_SELF"), reference("v", "VALIDATE"), "text"]], "f": ["value": "text"],
        "g": ["value": ["recordName": "x"]], "h": ["value": ["action": "DELETE_SELF"]], "i": 1,
      ]
    ])
    #expect(record.owners == ["o1", "o2"])
    #expect(record.validated == ["v"])
    #expect(record.assets == [asset])
  }

  // MARK: Comparison with the zone and its log

  private let properties = ZoneProperties(
    name: "Z", owner: "_a", incarnation: "i", capabilities: 0, created: 0)

  private func zoneID(_ name: String, _ owner: String) -> JSONValue {
    ["zoneName": .string(name), "ownerRecordName": .string(owner)]
  }

  @Test("only the first disagreement between a record and its line in the log is reported")
  func onlyTheFirstDisagreementBetweenARecord() {
    var record = StoredRecord(object)
    record.object["parent"] = ["recordName": "p"]
    record.object["created"] = ["deviceID": "d"]
    record.sequence = 5
    let state = RecordFileState(record, record.bytes, in: properties)
    let line = ChangeLine(
      sequence: 5, kind: .save, record: "r", type: "T", tag: "1", device: "d", parent: "p",
      digest: Digest.hex64(record.bytes))
    func text(lastSave: Int64? = 5, _ change: (inout ChangeLine) -> Void) -> String? {
      var line = line
      change(&line)
      return state.disagreement(with: line, lastSave: lastSave)
    }
    #expect(text { _ in } == nil)
    let digest = "it was changed behind the program's back: its digest is not the log's"
    #expect(text { $0.digest = "other" } == digest)
    #expect(text { $0.digest = nil } == digest)
    #expect(text { $0.tag = "2" } == "its change tag is 1, the log's is 2")
    #expect(text { $0.parent = "q" } == "its parent is not the log's")
    #expect(text { $0.parent = nil } == "its parent is not the log's")
    #expect(text { $0.type = "U" } == "its type is not the log's")
    #expect(text { $0.device = "e" } == "the device that created it is not the log's")
    #expect(text(lastSave: 4) { _ in } == "its sequence 5 is not that of its last save")
    #expect(text(lastSave: nil) { _ in } == "its sequence 5 is not that of its last save")
  }

  @Test("a record must have the zoneID of its zone, also in its share, and must be written canonically")
  func recordMustHaveTheZoneID() {
    var record = StoredRecord(object)
    func fault(_ bytes: [UInt8]? = nil) -> String? {
      RecordFileState(record, bytes ?? record.bytes, in: properties).fault
    }
    #expect(fault() == "its zoneID is not that of its zone")
    for (name, owner) in [("Y", "_a"), ("Z", "_b")] {
      record.object["zoneID"] = zoneID(name, owner)
      #expect(fault() == "its zoneID is not that of its zone")
    }
    record.object["zoneID"] = zoneID("Z", "_a")
    #expect(fault() == nil)
    #expect(record.placed(in: properties) == record)
    #expect(fault(JSONValue.object(record.object).compact()) == "it is not written canonically")
    record.object["share"] = ["recordName": "s", "zoneID": zoneID("Z", "_b")]
    #expect(fault() == "its zoneID is not that of its zone")
    #expect(!record.isPlaced(in: properties))
    let placed = record.placed(in: properties)
    #expect(placed.isPlaced(in: properties))
    #expect(placed.object["share"]?["zoneID"] == zoneID("Z", "_a"))
    #expect(placed.object["share"]?["recordName"] == "s")
    #expect(placed.object["recordName"] == "r")
    record.object["zoneID"] = nil
    record.object["share"] = nil
    #expect(record.placed(in: properties).object["zoneID"] == zoneID("Z", "_a"))
  }
}
