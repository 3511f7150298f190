import CloudKit
import Testing

@Suite("Pending changes of a record")
struct RecordChangeTests {
  @Test func settingMarksTheKey() {
    let record = savedRecord()
    #expect(record.changedKeys().isEmpty)
    record["a"] = 1
    record["a"] = 1
    record["gone"] = nil
    #expect(record.changedKeys() == ["a", "gone"])
    #expect(record.allKeys() == ["a"])
  }

  @Test func parentIsNoKey() {
    let record = savedRecord()
    record.setParent(CKRecord.ID(recordName: "p", zoneID: record.recordID.zoneID))
    #expect(record.changedKeys().isEmpty)
    #expect(record.state.isParentChanged)
    #expect(record.parent?.action == CKRecord.ReferenceAction.none)
    record.setParent(savedRecord(name: "other"))
    #expect(record.parent?.recordID.recordName == "other")
    record.parent = nil
    #expect(record.parent == nil)
  }

  // [encryption-value-5]
  @Test func encryptedKeys() {
    let record = savedRecord()
    record.encryptedValues["secret"] = "text"
    record.encryptedValues["numbers"] = [1, 2]
    record["plain"] = 1
    #expect(record.encryptedValues["secret"] as? String == "text")
    let typed: [Int]? = record.encryptedValues["numbers"]
    #expect(typed == [1, 2])
    #expect(record["secret"] == nil)
    #expect(record.encryptedValues["plain"] == nil)
    #expect(record.allKeys() == ["numbers", "plain", "secret"])
    #expect(record.changedKeys() == ["numbers", "plain", "secret"])
    #expect(record.encryptedValues.allKeys() == ["numbers", "secret"])
    #expect(record.encryptedValues.changedKeys() == ["numbers", "secret"])
    record["secret"] = "open"
    #expect(record.encryptedValues["secret"] == nil)
    #expect(record.encryptedValues.changedKeys() == ["numbers"])
  }

  @Test func copiesAreIndependent() throws {
    let record = savedRecord()
    record["a"] = 1
    record.encryptedValues["s"] = "x"
    let copy = try #require(record.copy() as? CKRecord)
    #expect(copy !== record)
    #expect(copy != record)
    #expect(copy["a"] as? Int == 1)
    #expect(copy.encryptedValues["s"] as? String == "x")
    #expect(copy.changedKeys() == ["a", "s"])
    #expect(copy.recordChangeTag == "1a")
    copy["a"] = 2
    record["b"] = 3
    #expect(record["a"] as? Int == 1)
    #expect(copy["b"] == nil)
  }

  // [record-save-7]
  @Test func adoptingTheServersAnswer() {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n"))
    record["a"] = 1
    record["b"] = 1
    record.parent = CKRecord.Reference(recordID: CKRecord.ID(recordName: "p"), action: .none)
    let sent = record.state
    record["b"] = 2
    var answer = RecordState(recordType: "Note", recordID: record.recordID)
    answer.changeTag = "2"
    answer.creationDate = Date(timeIntervalSinceReferenceDate: 1)
    answer.parent = sent.parent
    record.adoptServerState(answer, sent: sent)
    #expect(record.recordChangeTag == "2")
    #expect(record.creationDate == Date(timeIntervalSinceReferenceDate: 1))
    #expect(record.changedKeys() == ["b"])
    #expect(record["b"] as? Int == 2)
    #expect(!record.state.isParentChanged)
    #expect(record.parent != nil)
  }

  @Test func identityAndDefaults() {
    let record = CKRecord(recordType: "Note")
    #expect(record.recordType == "Note")
    #expect(UUID(uuidString: record.recordID.recordName) != nil)
    #expect(record.recordID.zoneID == .default)
    #expect(record.recordChangeTag == nil)
    #expect(record.creationDate == nil)
    #expect(record.share == nil)
    #expect(CKRecord.SystemType.userRecord == "Users")
    #expect(CKRecord.SystemType.share == "cloudkit.share")
  }

  @Test func sharedBetweenTasks() async {
    let record = CKRecord(recordType: "Note")
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<50 { group.addTask { record["k\(index)"] = index } }
    }
    #expect(record.allKeys().count == 50)
  }
}
