import CloudKit
import Foundation
import LocalCloudStorage
import Testing

@Suite("Exceptions for programmer errors")
struct ProgrammerErrorTests {
  @Test func keys() async {
    await expectException(
      "key (__a) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")["__a"] = 1 })
    await expectException(
      "key (a b) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")["a b"] = 1 })
    await expectException(
      "key (é) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")["é"] = 1 })
    await expectException(
      "key (1a) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")["1a"] = 1 })
    await expectException(
      "Field key must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")[""] = 1 })
    await expectException(
      "key (cloudkit.title) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) {
        CKRecord(recordType: "Note")["cloudkit.title"] = "a"
      })
    await expectException(
      "Field key is longer than 255 characters",
      #expect(processExitsWith: .failure, observing: saying) {
        CKRecord(recordType: "Note")[String(repeating: "a", count: 256)] = 1
      })
    await #expect(processExitsWith: .success) {
      CKRecord(recordType: "Note")[String(repeating: "a", count: 255)] = 1
      CKRecord(recordType: "Note")["a_1"] = 1
      CKRecord(recordType: "Note")["_a"] = 1
    }
  }

  @Test("a key with a leading underscore is a value in memory, and is refused by a save")
  func underscores() async throws {
    let cloud = try TestCloud()
    let database = try cloud.container(of: "alice").privateCloudDatabase
    let record = CKRecord(recordType: "Note")
    record["_a"] = 1
    #expect(record["_a"] == 1)
    let error = await #expect(throws: CKError.self) { try await database.save(record) }
    #expect(error?.code == .invalidArguments)
  }

  private static func refusal(of type: String) -> String {
    "Invalid value type for CKRecord: \(type). Values must be strings, numbers, dates, data, locations, references, "
      + "assets, or arrays of these"
  }

  @Test func values() async {
    let name = "NSInvalidArgumentException"
    await expectException(
      Self.refusal(of: "Unsupported"), named: name,
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")["a"] = Unsupported() })
    await expectException(
      Self.refusal(of: "Array<Array<String>>"), named: name,
      #expect(processExitsWith: .failure, observing: saying) { CKRecord(recordType: "Note")["a"] = [["a"]] })
    await expectException(
      Self.refusal(of: "NSNull"), named: name,
      #expect(processExitsWith: .failure, observing: saying) {
        CKRecord(recordType: "Note").setValue(NSNull(), forKey: "a")
      })
    let encrypted = "References and assets cannot be stored in encryptedValues: a"
    await expectException(
      encrypted,
      #expect(processExitsWith: .failure, observing: saying) {
        CKRecord(recordType: "Note").encryptedValues["a"] = CKAsset(fileURL: URL(fileURLWithPath: "/a"))
      })
    await expectException(
      encrypted,
      #expect(processExitsWith: .failure, observing: saying) {
        let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a"), action: .none)
        CKRecord(recordType: "Note").encryptedValues["a"] = [reference]
      })
  }

  @Test func namesAndTypes() async {
    await expectException(
      "recordName must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecord.ID(recordName: "") })
    await expectException(
      "recordName is longer than 255 characters",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKRecord.ID(recordName: String(repeating: "a", count: 256))
      })
    await expectException(
      "zoneName must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecordZone.ID(zoneName: "") })
    await expectException(
      "zoneName must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecordZone(zoneName: "") })
    await expectException(
      "ownerName must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecordZone.ID(zoneName: "a", ownerName: "") })
    await expectException(
      "recordType must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecord(recordType: "") })
    await expectException(
      "Non-file URL", named: "NSInvalidArgumentException",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKAsset(fileURL: URL(string: "https://example.org/a")!)
      })
  }

  @Test(
    "a record type with characters other than letters, digits and underscores raises an exception with Apple's words")
  func recordTypes() async {
    await expectException(
      "recordType (AppMessage.Message) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecord(recordType: "AppMessage.Message") })
    await expectException(
      "recordType (_Note) contains invalid characters",
      #expect(processExitsWith: .failure, observing: saying) { _ = CKRecord(recordType: "_Note") })
  }

  // [query-predicate-3]
  @Test("a query without a type, with an OR, or with a comparison of two constants raises an exception with the reason")
  func queryWithoutAType() async {
    await expectException(
      "recordType must not be nil or empty",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKQuery(recordType: "", predicate: NSPredicate(value: true))
      })
    await expectException(
      #"Invalid predicate: a == 1 OR b == 2 (Error Domain=CKErrorDomain Code=12 "Invalid predicate a == 1 OR b == 2")"#,
      #expect(processExitsWith: .failure, observing: saying) {
        let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]
        _ = CKQuery(recordType: "Note", predicate: NSCompoundPredicate(orPredicateWithSubpredicates: parts))
      })
    await expectException(
      #"Invalid predicate: "a" == "b" AND c == 1 (Error Domain=CKErrorDomain Code=12 "#
        + #""Invalid left expression in <"a" == "b">: <"a"> is not an evaluated object expression")"#,
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKQuery(recordType: "Note", predicate: NSPredicate(format: "'a' == 'b' AND c == 1"))
      })
  }

  @Test("with LOCALCLOUD_STRICT a query with an unsupported predicate raises an exception when it is created")
  func strictQueries() async {
    await expectException(
      #"Unexpected expression: title ENDSWITH "a""#,
      #expect(processExitsWith: .failure, observing: saying) {
        setenv("LOCALCLOUD_STRICT", "on", 1)
        strictQuery("count == 1")
        strictQuery("title BEGINSWITH 'a' AND NOT count IN {1, 2} AND now() > due AND self CONTAINS 'a'")
        strictQuery("title ENDSWITH 'a'")
      })
    await expectException(
      #"Unexpected expression: title ==[c] "a" (options of a comparison are not supported)"#,
      #expect(processExitsWith: .failure, observing: saying) {
        setenv("LOCALCLOUD_STRICT", "on", 1)
        strictQuery("count == 1 AND title ==[c] 'a'")
      })
    await expectException(
      "Unexpected expression: NOT (a == 1 AND b == 2) (only filters joined by AND are supported)",
      #expect(processExitsWith: .failure, observing: saying) {
        setenv("LOCALCLOUD_STRICT", "on", 1)
        strictQuery("NOT (a == 1 AND b == 2)")
      })
    await expectException(
      "Unexpected expression: block predicates can't be sent to the server",
      #expect(processExitsWith: .failure, observing: saying) {
        setenv("LOCALCLOUD_STRICT", "on", 1)
        _ = CKQuery(recordType: "Note", predicate: NSPredicate { _, _ in true })
      })
    await #expect(processExitsWith: .success) {
      for setting in ["off", "", "maybe", nil] {
        if let setting { setenv("LOCALCLOUD_STRICT", setting, 1) } else { unsetenv("LOCALCLOUD_STRICT") }
        strictQuery("title ENDSWITH 'a'")
      }
    }
  }

  @Test func subscriptions() async {
    let reason =
      "You must specify at least one of firesOnRecordCreation, firesOnRecordUpdate and firesOnRecordDeletion in the "
      + "options of a CKQuerySubscription"
    await expectException(
      reason, named: "NSInvalidArgumentException",
      #expect(processExitsWith: .failure, observing: saying) { _ = query(.firesOnce) })
    await expectException(
      reason, named: "NSInvalidArgumentException",
      #expect(processExitsWith: .failure, observing: saying) { _ = query([]) })
    await #expect(processExitsWith: .success) { _ = query([.firesOnce, .firesOnRecordDeletion]) }
  }

  @Test func hierarchy() async {
    await expectException(
      "A parent reference must have the action CKReferenceActionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        let parentID = CKRecord.ID(recordName: "p")
        CKRecord(recordType: "Note").parent = CKRecord.Reference(recordID: parentID, action: .deleteSelf)
      })
    await expectException(
      "The share and its root record must be in the same zone: s:(_defaultZone:__defaultOwner__), n1:(Home:_abc)",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKShare(rootRecord: savedRecord(), shareID: CKRecord.ID(recordName: "s"))
      })
  }

  @Test func participants() async {
    await expectException(
      "publicPermission cannot be set to CKShareParticipantPermissionUnknown",
      #expect(processExitsWith: .failure, observing: saying) { share(with: []).publicPermission = .unknown })
    await expectException(
      "Participants cannot be added to a share whose publicPermission is not CKShareParticipantPermissionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: [], publicPermission: .readOnly).addParticipant(participant("a@x.y"))
      })
    await expectException(
      "Participants cannot be removed from a share whose publicPermission is not CKShareParticipantPermissionNone",
      #expect(processExitsWith: .failure, observing: saying) {
        let ann = participant("a@x.y", status: .accepted)
        share(with: [ann], publicPermission: .readOnly).removeParticipant(ann)
      })
    await expectException(
      "Only private users and administrators can be added to a share",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: []).addParticipant(participant("a@x.y", role: .publicUser))
      })
    await expectException(
      "The participant is already on another share; remove it from there first",
      #expect(processExitsWith: .failure, observing: saying) {
        let ann = participant("a@x.y")
        share(with: []).addParticipant(ann)
        CKShare(rootRecord: savedRecord(name: "other")).addParticipant(ann)
      })
    await expectException(
      "The participant is not on this share",
      #expect(processExitsWith: .failure, observing: saying) {
        share(with: []).removeParticipant(participant("a@x.y"))
      })
    await expectException(
      "The owner cannot be removed from a share",
      #expect(processExitsWith: .failure, observing: saying) {
        let mine = share(with: [])
        mine.removeParticipant(mine.owner)
      })
  }

  @Test("an inherited factory method raises an exception for an app's own subclass")
  func inheritedFactoryMethodRaisesAnException() async {
    await expectException(
      "OwnFetch inherits a factory that makes CKFetchRecordsOperation only",
      #expect(processExitsWith: .failure, observing: saying) { OwnFetch.fetchCurrentUserRecordOperation() })
    await expectException(
      "OwnParticipant cannot be made",
      #expect(processExitsWith: .failure, observing: saying) { OwnParticipant.oneTimeURLParticipant() })
  }

  @Test("a predicate argument with more than 100 nested collections raises an exception")
  func deepCollections() async {
    await expectException(
      "Collections more than 100 levels deep in a predicate", named: "NSInvalidArgumentException",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = NSPredicate(format: "a == %@", argumentArray: [nested(100)])
      })
    await #expect(processExitsWith: .success) { _ = NSPredicate(format: "a == %@", argumentArray: [nested(90)]) }
  }

  @Test("creating a CKError from an error of another domain, or from none, raises an exception")
  func creatingACKErrorFromAnError() async {
    await expectException(
      "Not an error of CKErrorDomain: other",
      #expect(processExitsWith: .failure, observing: saying) {
        _ = CKError(_nsError: NSError(domain: "other", code: 1))
      })
    #if !canImport(ObjectiveC)
      await expectException(
        "There is no error to bridge",
        #expect(processExitsWith: .failure, observing: saying) {
          _ = CKError._unconditionallyBridgeFromObjectiveC(nil)
        })
    #endif
  }

  @Test("encoding with a coder that does not support keys raises an exception")
  func encodingWithACoder() async {
    await expectException(
      "CloudKit objects can only be encoded with a keyed archiver",
      #expect(processExitsWith: .failure, observing: saying) {
        CKRecord.ID(recordName: "a").encode(with: KeylessCoder())
      })
    await expectException(
      "CloudKit objects can only be encoded with a keyed archiver",
      #expect(processExitsWith: .failure, observing: saying) {
        CKRecord(recordType: "Note").encodeSystemFields(with: KeylessCoder())
      })
  }
}

private func query(_ options: CKQuerySubscription.Options) -> CKQuerySubscription {
  CKQuerySubscription(recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "a", options: options)
}

private func strictQuery(_ format: String) {
  _ = CKQuery(recordType: "Note", predicate: NSPredicate(format: format))
}

/// This number of nested lists.
private func nested(_ levels: Int) -> Any {
  (0..<levels).reduce("a" as Any) { inner, _ in [inner] }
}

private struct Unsupported: CKRecordValueProtocol {}

private final class OwnFetch: CKFetchRecordsOperation, @unchecked Sendable {}

private final class OwnParticipant: CKShareParticipant, @unchecked Sendable {}

private final class KeylessCoder: NSCoder {
  override var allowsKeyedCoding: Bool { false }
}
