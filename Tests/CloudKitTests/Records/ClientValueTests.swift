import CloudKit
import Foundation
import LocalCloudStorage
import Testing

@Suite("Field values and their conversion to Swift types")
struct ClientValueTests {
  private func read<Value>(_ value: Any, as type: Value.Type = Value.self) -> Value? {
    ClientValue(value)?.value(as: type)
  }

  @Test("numbers are converted to other number types, and other values are not")
  func numbersAreConvertedToOtherNumberTypes() throws {
    #expect(read(3, as: Double.self) == 3)
    #expect(read(3, as: Float.self) == 3)
    #expect(read(3, as: UInt8.self) == 3)
    #expect(read(2.75, as: Int.self) == 2)
    #expect(read(-2.75, as: Int.self) == -2)
    #expect(read(2.75, as: Float.self) == 2.75)
    #expect(read(300, as: UInt8.self) == 44)
    #expect(read(-1, as: UInt8.self) == 255)
    #expect(read(300.5, as: UInt8.self) == nil)
    #expect(read("3", as: Int.self) == nil)
    #expect(read("3", as: Double.self) == nil)
    #expect(read("true", as: Bool.self) == nil)
    #expect(read(0, as: Bool.self) == false)
    #expect(read(2, as: Bool.self) == true)
    #expect(read(0.0, as: Bool.self) == false)
    #expect(read(0.5, as: Bool.self) == true)
    #expect(read(true, as: Int.self) == 1)
    #expect(read(false, as: Int.self) == 0)
  }

  @Test("an integer above Int64.max keeps its value, also in an archive and in a list")
  func integerAboveInt64MaxKeepsItsValue() throws {
    #expect(read(UInt64.max, as: UInt64.self) == .max)
    #expect(read(UInt64.max, as: Double.self) == 0x1p64)
    #expect(read(UInt64.max, as: Bool.self) == true)
    #expect(read(UInt64.max, as: Int8.self) == -1)
    #expect(ClientValue(UInt64.max)?.swiftValue as? UInt64 == .max)
    // An unsigned integer within the server's range becomes an Int64.
    #expect(ClientValue(UInt64(7))?.swiftValue as? Int64 == 7)
    #expect(ClientValue(UInt64(Int64.max))?.swiftValue as? Int64 == .max)
    #expect(ClientValue(NSNumber(value: UInt64.max))?.swiftValue as? UInt64 == .max)
    #expect(ClientValue(NSNumber(value: -1))?.swiftValue as? Int64 == -1)
    let record = CKRecord(recordType: "Note")
    record["max"] = UInt64.max
    record["list"] = [1, UInt64.max]
    let copy = try #require(try archived(record))
    let max: UInt64? = copy["max"]
    let list: [UInt64]? = copy["list"]
    #expect(max == .max)
    #expect(list == [1, .max])
  }

  @Test("an NSNumber with a floating-point type is read as a Double, others as an Int64")
  func nsNumberWithAFloatingPointType() {
    #expect(ClientValue(NSNumber(value: 2.0))?.swiftValue as? Double == 2)
    #expect(ClientValue(NSNumber(value: Float(0.5)))?.swiftValue as? Double == 0.5)
    #expect(ClientValue(NSNumber(value: 2))?.swiftValue as? Int64 == 2)
    #expect(ClientValue(NSNumber(value: true))?.swiftValue as? Int64 == 1)
  }

  @Test("dates, data and texts are read only as their own types")
  func datesDataAndTextsAreRead() {
    let (date, data) = (Date(timeIntervalSinceReferenceDate: 1.5), Data([1, 2]))
    #expect(read(date, as: Date.self) == date)
    #expect(read(date, as: NSDate.self) == date as NSDate)
    #expect(read(data, as: Data.self) == data)
    #expect(read(data, as: Date.self) == nil)
    #expect(read("a", as: Data.self) == nil)
    #expect(read("a", as: Date.self) == nil)
    #expect(read(date, as: String.self) == nil)
    #expect(read("a", as: [String].self) == nil)
    #expect(read(["a"], as: String.self) == nil)
    #expect(read(["a", "b"], as: [String].self) == ["a", "b"])
    #expect(read(["a"], as: [Int].self) == nil)
    #expect(read([1, 2], as: [Double].self) == [1, 2])
    #expect(read([1.5], as: [Int].self) == [1])
  }

  @Test("a list is read with its element type; mixed and empty lists are arrays of objects")
  func listIsReadWithItsElementType() throws {
    let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a"), action: .none)
    let asset = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
    let location = CLLocation(latitude: 1, longitude: 2)
    func list(_ elements: Any) -> (any CKRecordValueProtocol)? { ClientValue(elements)?.swiftValue }
    #expect(list(["a"]) as? [String] == ["a"])
    #expect(list([1, 2]) as? [Int64] == [1, 2])
    #expect(list([1.5]) as? [Double] == [1.5])
    #expect(list([Date(timeIntervalSinceReferenceDate: 1)]) as? [Date] == [Date(timeIntervalSinceReferenceDate: 1)])
    #expect(list([Data([1])]) as? [Data] == [Data([1])])
    #expect((list([location]) as? [CLLocation])?.first === location)
    #expect(list([reference]) as? [CKRecord.Reference] == [reference])
    #expect((list([asset]) as? [CKAsset])?.first === asset)
    let mixed = try #require(list(["a", 1] as [Any]) as? NSArray)
    #expect(mixed.count == 2 && mixed[0] as? String == "a" && mixed[1] as? Int == 1)
    let numbers = try #require(list([1, 2.5] as [Any]) as? NSArray)
    #expect(numbers.count == 2 && numbers[1] as? Double == 2.5)
    #expect(read([1, 2.5] as [Any], as: [Double].self) == [1, 2.5])
    #expect((list([Any]()) as? NSArray)?.count == 0)
    // A nested list, and values that no record can store.
    #expect(ClientValue([["a"]]) == nil)
    #expect(ClientValue([["a"]] as [Any]) == nil)
    #expect(ClientValue([NSNull()] as [Any]) == nil)
    #expect(ClientValue(NSNull()) == nil)
    #expect(ClientValue(NSArray(array: [NSNull()])) == nil)
  }

  @Test("references and assets, and lists that contain them, can't be encrypted")
  func referencesAndAssetsAndListsThatContain() throws {
    let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a"), action: .none)
    let asset = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
    for value in [reference, asset, [reference], ["a", asset] as [Any]] as [Any] {
      #expect(ClientValue(value)?.isEncryptable == false, "\(value)")
    }
    for value in ["a", 1, 2.5, Data([1]), Date(), CLLocation(latitude: 1, longitude: 2), ["a"], [Int]()] as [Any] {
      #expect(ClientValue(value)?.isEncryptable == true, "\(value)")
    }
  }

  @Test("an archive contains the server's values, encrypted values and parent")
  func serverValues() throws {
    let record = savedRecord()
    let (old, new) = (CKRecord.ID(recordName: "old", zoneID: record.recordID.zoneID), CKRecord.ID(recordName: "new"))
    record["title"] = "old"
    record.encryptedValues["secret"] = "old"
    record.setParent(old)
    record.withState { (state: inout RecordState) -> Void in
      state.clearEdits()
      state.rememberServerValues()
    }
    #expect(record.changedKeys().isEmpty)
    #expect(!record.state.isParentChanged)
    record["title"] = "new"
    record.encryptedValues["secret"] = "new"
    record.setParent(new)
    for same in [record, try #require(try archived(record)), try #require(record.copy() as? CKRecord)] {
      let ancestor = CKRecord(state: try #require(same.state.ancestor))
      #expect(ancestor["title"] as? String == "old")
      #expect(ancestor.encryptedValues["secret"] as? String == "old")
      #expect(ancestor.parent?.recordID == old)
      #expect(ancestor.changedKeys().isEmpty)
      #expect(!ancestor.state.isParentChanged)
      #expect(same["title"] as? String == "new")
      #expect(same.encryptedValues["secret"] as? String == "new")
      #expect(same.parent?.recordID == new)
      #expect(same.changedKeys() == ["secret", "title"])
    }
    // The server has returned no values for this record.
    #expect(note("n", "a").state.ancestor == nil)
  }
}
