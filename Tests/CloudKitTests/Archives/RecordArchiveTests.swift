import CloudKit
import LocalCloudStorage
import Testing

@Suite("Archives of records")
struct RecordArchiveTests {
  @Test func wholeRecord() throws {
    let record = savedRecord()
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 1.25, longitude: 2.5), altitude: 3, horizontalAccuracy: 4,
      verticalAccuracy: 5, course: 6, speed: 7, timestamp: Date(timeIntervalSinceReferenceDate: 8.125))
    record["string"] = "text"
    record["int"] = Int64.max
    record["double"] = 0.1
    record["nan"] = Double.nan
    record["infinity"] = -Double.infinity
    record["date"] = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
    record["data"] = Data([0, 255])
    record["place"] = location
    record["reference"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "x"), action: .deleteSelf)
    record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/a file"))
    record["list"] = ["a", "b"]
    record["removed"] = nil
    record.encryptedValues["secret"] = "hidden"
    record.setParent(CKRecord.ID(recordName: "p", zoneID: record.recordID.zoneID))
    let copy = try #require(try archived(record))
    #expect(copy.recordID == record.recordID)
    #expect(copy.recordType == "Note")
    #expect(copy.recordChangeTag == "1a")
    #expect(copy.creationDate == record.creationDate)
    #expect(copy.modificationDate == record.modificationDate)
    #expect(copy.creatorUserRecordID == record.creatorUserRecordID)
    #expect(copy.lastModifiedUserRecordID == record.lastModifiedUserRecordID)
    #expect(copy.parent == record.parent)
    #expect(copy.state.isParentChanged)
    #expect(copy.allKeys() == record.allKeys())
    #expect(copy.changedKeys() == record.changedKeys())
    #expect(copy["string"] as? String == "text")
    #expect(copy["int"] as? Int64 == .max)
    #expect(copy["double"] as? Double == 0.1)
    #expect((copy["nan"] as? Double)?.isNaN == true)
    #expect(copy["infinity"] as? Double == -.infinity)
    #expect(copy["date"] as? Date == record["date"] as? Date)
    #expect(copy["data"] as? Data == Data([0, 255]))
    #expect(copy["reference"] as? CKRecord.Reference == record["reference"] as? CKRecord.Reference)
    #expect((copy["asset"] as? CKAsset)?.fileURL?.path == "/tmp/a file")
    #expect(copy["list"] as? [String] == ["a", "b"])
    #expect(copy.encryptedValues["secret"] as? String == "hidden")
    let read = try #require(copy["place"] as? CLLocation)
    #expect(read.coordinate.latitude == 1.25)
    #expect(read.coordinate.longitude == 2.5)
    #expect(read.altitude == 3)
    #expect(read.horizontalAccuracy == 4)
    #expect(read.verticalAccuracy == 5)
    #expect(read.course == 6)
    #expect(read.speed == 7)
    #expect(read.timestamp == location.timestamp)
  }

  @Test func systemFieldsOnly() throws {
    let record = savedRecord()
    record["a"] = 1
    record.encryptedValues["s"] = "x"
    record.setParent(CKRecord.ID(recordName: "p", zoneID: record.recordID.zoneID))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: systemFields(of: record))
    unarchiver.requiresSecureCoding = true
    let copy = try #require(CKRecord(coder: unarchiver))
    unarchiver.finishDecoding()
    #expect(copy.recordID == record.recordID)
    #expect(copy.recordChangeTag == "1a")
    #expect(copy.recordType == "Note")
    #expect(copy.creationDate == record.creationDate)
    #expect(copy.parent == record.parent)
    #expect(copy.allKeys().isEmpty)
    #expect(copy.changedKeys().isEmpty)
    #expect(!copy.state.isParentChanged)
    copy["b"] = 2
    #expect(copy.changedKeys() == ["b"])
  }

  @Test func sharesUnarchiveAsRecords() throws {
    let share = CKShare(rootRecord: savedRecord())
    let data = try NSKeyedArchiver.archivedData(withRootObject: share, requiringSecureCoding: true)
    #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data) is CKShare)
  }

  @Test func shareSystemFields() throws {
    let root = savedRecord()
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "Title"
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: systemFields(of: share))
    let copy = CKShare(coder: unarchiver)
    #expect(copy.recordID == share.recordID)
    #expect(copy.rootRecordID == root.recordID)
    #expect(copy.owner == share.owner)
    #expect(copy.participants.count == 1)
    #expect(copy.allKeys().isEmpty)
    let asRecord = try #require(CKRecord(coder: try NSKeyedUnarchiver(forReadingFrom: systemFields(of: share))))
    #expect(asRecord.recordType == "cloudkit.share")
  }

  @Test func damagedArchives() throws {
    // The archive contains other values under the keys of these classes.
    let foreign = NSKeyedArchiver(requiringSecureCoding: true)
    foreign.encode("text", forKey: "CKRecord")
    foreign.encodeBytes([1, 2, 3], length: 3, forKey: "CKRecordID")
    foreign.encode(5, forKey: "CKReference")
    foreign.encode(NSData(data: Data([1, 2, 3])), forKey: "CKQuery")
    foreign.finishEncoding()
    func coder() throws -> NSKeyedUnarchiver { try NSKeyedUnarchiver(forReadingFrom: foreign.encodedData) }
    #expect(CKRecord(coder: try coder()) == nil)
    #expect(CKRecord.ID(coder: try coder()) == nil)
    #expect(CKRecord.Reference(coder: try coder()) == nil)
    #expect(CKRecordZone.ID(coder: try coder()) == nil)
    #expect(CKRecordZone(coder: try coder()) == nil)
    #expect(CKServerChangeToken(coder: try coder()) == nil)
    #expect(CKShare.Metadata(coder: try coder()) == nil)
    #expect(CKShare.Participant(coder: try coder()) == nil)
    #expect(CKUserIdentity(coder: try coder()) == nil)
    #expect(CKUserIdentity.LookupInfo(coder: try coder()) == nil)
    #expect(CLLocation(coder: try coder()) == nil)
    let share = CKShare(coder: try coder())
    #expect(share.recordChangeTag == nil)
    #expect(share.participants.count == 1)
    let query = CKQuery(coder: try coder())
    #expect(!query.predicate.evaluate(with: nil))
  }

  @Test(arguments: [
    ["recordName": ""], ["recordName": String(repeating: "x", count: 256)],
    ["zoneName": ""], ["ownerName": ""], ["recordType": ""],
  ])
  func hostileNames(_ change: [String: String]) throws {
    struct Zone: Codable { var zoneName = "Home", ownerName = "o" }
    struct ID: Codable { var recordName = "n", zoneID = Zone() }
    struct Fake: Codable { var recordType = "Note", recordID = ID(), values: [String: [String: Int]] = [:] }
    var fake = Fake()
    fake.recordID.recordName = change["recordName"] ?? "n"
    fake.recordID.zoneID.zoneName = change["zoneName"] ?? "z"
    fake.recordID.zoneID.ownerName = change["ownerName"] ?? "o"
    fake.recordType = change["recordType"] ?? "Note"
    #expect(try decode(fake) == nil)
  }

  @Test func hostileValues() throws {
    struct Zone: Codable { var zoneName = "Home", ownerName = "o" }
    struct ID: Codable { var recordName = "n", zoneID = Zone() }
    struct Nested: Codable { var list: [[String: [[String: Int]]]] = [["list": [["int64": 1]]]] }
    struct Fake<Value: Codable>: Codable { var recordType = "Note", recordID = ID(), values: [String: Value] }
    #expect(try decode(Fake(values: ["a": ["int64": 1]])) != nil)
    #expect(try decode(Fake(values: ["_a": ["int64": 1]])) != nil)
    #expect(try decode(Fake(values: ["__a": ["int64": 1]])) == nil)
    #expect(try decode(Fake(values: ["a": ["nothing": 1]])) == nil)
    #expect(try decode(Fake(values: ["a": ["location": [1.0]]])) == nil)
    #expect(try decode(Fake(values: ["a": Nested()])) == nil)
  }

  @Test func deeplyNestedText() throws {
    let depth = 200_000
    let list = String(repeating: #"{"list":["#, count: depth) + String(repeating: "]}", count: depth)
    let id = #"{"recordName":"n","zoneID":{"zoneName":"z","ownerName":"o"}}"#
    let text = #"{"recordType":"Note","recordID":\#(id),"values":{"a":\#(list)}}"#
    #expect(try decode(bytes: Array(text.utf8)) == nil)
    let shallow = #"{"recordType":"Note","recordID":\#(id),"values":{"a":{"list":[{"int64":1}]}}}"#
    #expect(try decode(bytes: Array(shallow.utf8))?["a"] as? [Int] == [1])
  }

  private func decode(_ payload: some Encodable) throws -> CKRecord? {
    try decode(bytes: Array(try JSONEncoder().encode(payload)))
  }

  private func decode(bytes: [UInt8]) throws -> CKRecord? {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encodeBytes(bytes, length: bytes.count, forKey: "CKRecord")
    archiver.finishEncoding()
    return CKRecord(coder: try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData))
  }
}
