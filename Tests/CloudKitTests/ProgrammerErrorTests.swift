import CloudKit
import Foundation
import Testing

@Suite("Where Apple raises an exception")
struct ProgrammerErrorTests {
  @Test func keys() async {
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["_a"] = 1 }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["a b"] = 1 }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["é"] = 1 }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["1a"] = 1 }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")[""] = 1 }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["cloudkit.title"] = "a" }
    await #expect(processExitsWith: .failure) {
      CKRecord(recordType: "Note")[String(repeating: "a", count: 256)] = 1
    }
    await #expect(processExitsWith: .success) {
      CKRecord(recordType: "Note")[String(repeating: "a", count: 255)] = 1
      CKRecord(recordType: "Note")["a_1"] = 1
    }
  }

  @Test func values() async {
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["a"] = Unsupported() }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note")["a"] = [["a"]] }
    await #expect(processExitsWith: .failure) { CKRecord(recordType: "Note").setValue(NSNull(), forKey: "a") }
    await #expect(processExitsWith: .failure) {
      CKRecord(recordType: "Note").encryptedValues["a"] = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
    }
    await #expect(processExitsWith: .failure) {
      let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a"), action: .none)
      CKRecord(recordType: "Note").encryptedValues["a"] = [reference]
    }
  }

  @Test func namesAndTypes() async {
    await #expect(processExitsWith: .failure) { _ = CKRecord.ID(recordName: "") }
    await #expect(processExitsWith: .failure) { _ = CKRecord.ID(recordName: String(repeating: "a", count: 256)) }
    await #expect(processExitsWith: .failure) { _ = CKRecordZone.ID(zoneName: "") }
    await #expect(processExitsWith: .failure) { _ = CKRecordZone(zoneName: "") }
    await #expect(processExitsWith: .failure) { _ = CKRecord(recordType: "") }
    await #expect(processExitsWith: .failure) { _ = CKRecord(recordType: "_Note") }
    await #expect(processExitsWith: .failure) { _ = CKAsset(fileURL: URL(string: "https://example.org/a")!) }
  }

  @Test("a query without a type, with an OR, or that compares two values stops where it is made, and says why")
  func queries() async throws {
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CKQuery(recordType: "", predicate: NSPredicate(value: true))
    }
    #expect(said(empty).contains("'CKException', reason: 'recordType must not be nil or empty'"))
    let or = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]
      _ = CKQuery(recordType: "Note", predicate: NSCompoundPredicate(orPredicateWithSubpredicates: parts))
    }
    #expect(said(or).contains("reason: 'Invalid predicate: a == 1 OR b == 2 (Error Domain=CKErrorDomain Code=12 "))
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CKQuery(recordType: "Note", predicate: NSPredicate(format: "'a' == 'b' AND c == 1"))
    }
    #expect(said(values).contains(#""Invalid left expression in <"a" == "b">: <"a"> is not an evaluated object"#))
  }

  private func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func subscriptions() async {
    await #expect(processExitsWith: .failure) { _ = query(.firesOnce) }
    await #expect(processExitsWith: .failure) { _ = query([]) }
    await #expect(processExitsWith: .success) { _ = query([.firesOnce, .firesOnRecordDeletion]) }
  }

  @Test func hierarchy() async {
    await #expect(processExitsWith: .failure) {
      let parentID = CKRecord.ID(recordName: "p")
      CKRecord(recordType: "Note").parent = CKRecord.Reference(recordID: parentID, action: .deleteSelf)
    }
    await #expect(processExitsWith: .failure) {
      _ = CKShare(rootRecord: savedRecord(), shareID: CKRecord.ID(recordName: "s"))
    }
  }

  @Test func participants() async {
    await #expect(processExitsWith: .failure) { share(with: []).publicPermission = .unknown }
    await #expect(processExitsWith: .failure) {
      share(with: [], publicPermission: .readOnly).addParticipant(participant("a@x.y"))
    }
    await #expect(processExitsWith: .failure) {
      share(with: []).addParticipant(participant("a@x.y", role: .publicUser))
    }
    await #expect(processExitsWith: .failure) {
      let ann = participant("a@x.y")
      share(with: []).addParticipant(ann)
      CKShare(rootRecord: savedRecord(name: "other")).addParticipant(ann)
    }
    await #expect(processExitsWith: .failure) { share(with: []).removeParticipant(participant("a@x.y")) }
    await #expect(processExitsWith: .failure) {
      let mine = share(with: [])
      mine.removeParticipant(mine.owner)
    }
  }
}

private func query(_ options: CKQuerySubscription.Options) -> CKQuerySubscription {
  CKQuerySubscription(recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "a", options: options)
}

private struct Unsupported: CKRecordValueProtocol {}
