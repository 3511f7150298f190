import CloudKit
import Testing

@Suite("Values of a record")
struct RecordValueTests {
  let record = CKRecord(recordType: "Note")

  // [record-value-2]
  @Test func swiftValuesCastBack() {
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    record["string"] = "text"
    record["int"] = 42
    record["bool"] = true
    record["double"] = 1.5
    record["float"] = Float(0.5)
    record["uint"] = UInt(7)
    record["int64"] = Int64.min
    record["uint8"] = UInt8(255)
    record["date"] = date
    record["data"] = Data([1, 2])
    #expect(record["string"] as? String == "text")
    #expect(record["int"] as? Int == 42)
    #expect(record["int"] as? Double == 42)
    #expect(record["bool"] as? Bool == true)
    #expect(record["bool"] as? Int == 1)
    #expect(record["double"] as? Double == 1.5)
    #expect(record["float"] as? Float == 0.5)
    #expect(record["uint"] as? UInt == 7)
    #expect(record["int64"] as? Int64 == .min)
    #expect(record["uint8"] as? UInt8 == 255)
    #expect(record["date"] as? Date == date)
    #expect(record["data"] as? Data == Data([1, 2]))
    #expect(record["string"] as? Int == nil)
    #expect(record["int"] as? String == nil)
    #expect(record["missing"] as? String == nil)
    #expect(record["string"] is String)
    #expect(record["int"] as? NSNumber == 42)
    #expect(record["string"] as? NSString == "text")
  }

  @Test func listsCastBack() {
    let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a"), action: .deleteSelf)
    record["strings"] = ["a", "b"]
    record["ints"] = [1, 2]
    record["bools"] = [true, false]
    record["doubles"] = [1.5, 2]
    record["dates"] = [Date(timeIntervalSinceReferenceDate: 1)]
    record["datas"] = [Data([1])]
    record["references"] = [reference]
    record["locations"] = [CLLocation(latitude: 1, longitude: 2)]
    record["empty"] = [String]()
    #expect(record["strings"] as? [String] == ["a", "b"])
    #expect(record["ints"] as? [Int] == [1, 2])
    #expect(record["bools"] as? [Bool] == [true, false])
    #expect(record["doubles"] as? [Double] == [1.5, 2])
    #expect(record["dates"] as? [Date] == [Date(timeIntervalSinceReferenceDate: 1)])
    #expect(record["datas"] as? [Data] == [Data([1])])
    #expect(record["references"] as? [CKRecord.Reference] == [reference])
    #expect((record["locations"] as? [CLLocation])?.first?.coordinate.longitude == 2)
    #expect(record["empty"] as? [String] == [])
    #expect(record["strings"] as? [Int] == nil)
    #expect((record["strings"] as? NSArray)?.count == 2)
  }

  @Test func typedReading() {
    record["string"] = "text"
    record["int"] = 42
    record["half"] = 2.75
    record["list"] = ["a"]
    record["bool"] = true
    let string: String? = record["string"]
    let int: Int? = record["int"]
    let asDouble: Double? = record["int"]
    let truncated: Int? = record["half"]
    let list: [String]? = record["list"]
    let bool: Bool? = record["bool"]
    let wrong: String? = record["int"]
    let missing: Date? = record["missing"]
    let object: NSString? = record["string"]
    #expect(string == "text")
    #expect(int == 42)
    #expect(asDouble == 42)
    #expect(truncated == 2)
    #expect(list == ["a"])
    #expect(bool == true)
    #expect(wrong == nil)
    #expect(missing == nil)
    #expect(object == "text")
    let orDefault: Int = record["count"] ?? 3
    #expect(orDefault == 3)
    let anyValue: (any CKRecordValueProtocol)? = record["int"]
    #expect(anyValue as? Int64 == 42)
    let objectValue: CKRecordValue? = record["int"]
    #expect(objectValue as? Int == 42)
  }

  @Test("setValuesForKeys and dictionaryWithValues use NSNull for a missing value")
  func manyValuesByKeys() {
    let record = CKRecord(recordType: "Note")
    record["old"] = "x"
    record.setValuesForKeys(["text": "a", "count": 2, "old": NSNull()])
    #expect(record["text"] == "a")
    #expect(record["count"] == 2)
    #expect(record["old"] == nil)
    #expect(record.changedKeys() == ["count", "old", "text"])
    let values = record.dictionaryWithValues(forKeys: ["text", "count", "old", "text"])
    #expect(Set(values.keys) == ["text", "count", "old"])
    #expect(values["text"] as? String == "a")
    #expect(values["count"] as? Int == 2)
    #expect(values["old"] is NSNull)
    #expect(record.dictionaryWithValues(forKeys: []).isEmpty)
  }

  @Test func foundationObjectsAndCasts() {
    let name = "text"
    record["string"] = NSString(string: "object")
    record["number"] = NSNumber(value: 1.5)
    record["array"] = NSArray(array: [NSNumber(value: 1), NSNumber(value: 2)])
    record["date"] = NSDate(timeIntervalSinceReferenceDate: 5)
    record["data"] = NSData(data: Data([9]))
    record["cast"] = name as CKRecordValue
    record["any"] = (7 as Any) as? CKRecordValue
    record.setObject("set" as NSString, forKey: "set")
    record.setValue("kvc", forKey: "kvc")
    #expect(record["string"] as? String == "object")
    #expect(record["number"] as? Double == 1.5)
    #expect(record["array"] as? [Int] == [1, 2])
    #expect(record["date"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
    #expect(record["data"] as? Data == Data([9]))
    #expect(record["cast"] as? String == "text")
    #expect(record["any"] as? Int == 7)
    #expect(record["set"] as? String == "set")
    #expect(record.value(forKey: "kvc") as? String == "kvc")
    #expect(record.object(forKey: "kvc") as? String == "kvc")
  }

  @Test("a key path may lead through system fields, references and lists")
  func keyPaths() {
    let zone = CKRecordZone.ID(zoneName: "Home")
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone))
    record["title"] = "One"
    record["sizes"] = [3, 5]
    record["author"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "ann", zoneID: zone), action: .none)
    #expect(record.value(forKeyPath: "title") as? String == "One")
    #expect(record.value(forKeyPath: "recordID.zoneID.zoneName") as? String == "Home")
    #expect(record.value(forKeyPath: "author.recordID.recordName") as? String == "ann")
    #expect(record.value(forKeyPath: "sizes.@count") as? Int == 2)
    #expect(record.value(forKeyPath: "sizes.@max.self") as? Int == 5)
    #expect(record.value(forKey: "recordType") as? String == "Note")
    #expect(record.value(forKeyPath: "missing.name") == nil)
    #expect(record.value(forKeyPath: "creationDate") == nil)
  }

  @Test func optionalsAndNil() {
    let some: String? = "a"
    let none: String? = nil
    record["a"] = some
    record["b"] = none
    #expect(record.allKeys() == ["a"])
    record["a"] = nil
    #expect(record.allKeys().isEmpty)
    #expect(record.changedKeys() == ["a", "b"])
  }

  @Test func cloudKitObjects() {
    let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a"), action: .none)
    let asset = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/file"))
    let location = CLLocation(latitude: 10, longitude: 20)
    record["reference"] = reference
    record["asset"] = asset
    record["place"] = location
    #expect(record["reference"] as? CKRecord.Reference == reference)
    #expect(record["asset"] as? CKAsset === asset)
    #expect(record["place"] as? CLLocation === location)
    let typed: CKRecord.Reference? = record["reference"]
    #expect(typed == reference)
  }

  @Test func mutableObjectsAreCopied() {
    let text = NSMutableString(string: "one")
    let list = NSMutableArray(array: [NSString(string: "one")])
    record["text"] = text
    record["list"] = list
    text.append(" more")
    list.add(NSString(string: "two"))
    #expect(record["text"] as? String == "one")
    #expect(record["list"] as? [String] == ["one"])
  }

  @Test func bigAndOddNumbers() {
    record["max"] = UInt64.max
    record["nan"] = Double.nan
    let max: UInt64? = record["max"]
    #expect(max == .max)
    #expect((record["nan"] as? Double)?.isNaN == true)
    record["huge"] = 1e300
    let huge: Int? = record["huge"]
    #expect(huge == nil)
  }

  @Test func iteration() {
    record["b"] = 2
    record["a"] = "one"
    record.encryptedValues["c"] = "secret"
    #expect(record.map(\.0) == ["a", "b"])
    #expect(record.first { $0.0 == "a" }?.1 as? String == "one")
    #expect(record.first { $0.0 == "b" }?.1 as? Int64 == 2)
  }

  @Test func tokens() {
    record["a"] = "Crème brûlée, twice"
    record["b"] = ["TWICE baked"]
    record["c"] = 5
    #expect(record.allTokens() == ["creme", "brulee", "twice", "baked"])
  }
}
