import CloudKit
import Foundation
import LocalCloud
import LocalCloudModel
import LocalCloudService
import TestSupport
import Testing

@Suite("Error texts of refused saves")
struct SaveErrorTests {
  private let cloud: TestCloud

  init() async throws {
    cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
      let first = note("n1", "text")
      first["tags"] = ["a"]
      try await container.privateCloudDatabase.save(first)
    }
  }

  private func saving(
    _ records: [CKRecord], environment: String = "development", isolation: isolated (any Actor)? = #isolation
  ) async throws -> [CKError?] {
    try await LocalCloud.acting(as: "alice", root: cloud.cloud.path, environment: environment) {
      let (saves, _) = try await cloud.container().privateCloudDatabase.modifyRecords(
        saving: records, deleting: [], atomically: true)
      return records.map { record in
        if case .failure(let error)? = saves[record.recordID] { error as? CKError } else { nil }
      }
    }
  }

  /// Expects a description with the record's ID, and the server's words in a separate key.
  private func expect(
    _ error: (any Error)?, _ code: CKError.Code, _ recordID: CKRecord.ID, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = try #require(error as? CKError, sourceLocation: sourceLocation)
    let description = "Error saving record \(recordID) to server: \(words)"
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(error.localizedDescription == description, sourceLocation: sourceLocation)
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == description, sourceLocation: sourceLocation)
    #expect(error.userInfo["CKErrorDescription"] as? String == description, sourceLocation: sourceLocation)
    #expect(error.userInfo["ServerErrorDescription"] as? String == words, sourceLocation: sourceLocation)
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(underlying?.localizedDescription == words, sourceLocation: sourceLocation)
  }

  @Test("the description contains the record's ID as one line with its name and zone")
  func descriptionContainsTheRecordsID() async throws {
    let record = note("n2")
    record["title"] = 5
    #expect(
      try await saving([record])[0]?.localizedDescription
        == "Error saving record <CKRecordID: recordName=n2, zoneID=Home:__defaultOwner__> to server: invalid attempt to "
        + "set value type INT64 for field 'title' for type 'Note', defined to be: STRING")
  }

  @Test("each refusal by the schema names the record and has the server's words ([record-error-2])")
  func eachRefusalByTheSchemaNames() async throws {
    let wrong = note("wrong")
    wrong["title"] = 5
    try expect(
      try await saving([wrong])[0], .invalidArguments, wrong.recordID,
      "invalid attempt to set value type INT64 for field 'title' for type 'Note', defined to be: STRING")
    let empty = note("empty")
    empty["new"] = [String]()
    try expect(
      try await saving([empty])[0], .invalidArguments, empty.recordID,
      "cannot use an empty list to initialize a new field (field 'new' in record type 'Note' should be more precise)")
    let sealed = note("sealed")
    sealed.encryptedValues["title"] = "secret"
    try expect(
      try await saving([sealed])[0], .invalidArguments, sealed.recordID,
      "Attempt to save encrypted data in non encrypted field type (field 'title' in record type 'Note')")
  }

  @Test("refusals of unknown types and fields in production name the record")
  func refusalsOfUnknownTypesAndFields() async throws {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n"))
    try expect(
      try await saving([record], environment: "production")[0], .invalidArguments, record.recordID,
      "Cannot create new type Note in production schema")
    _ = try cloud.cloud.service.schemas.deploySchema(by: Caller(account: "alice", container: "iCloud.test"))
    record["late"] = 1
    try expect(
      try await saving([record], environment: "production")[0], .invalidArguments, record.recordID,
      "Cannot create or modify field 'late' in record 'Note' in production schema")
  }

  @Test("conflicts and duplicate record names are described with the record")
  func conflictsAndDuplicateRecordNamesAreDescribed() async throws {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      func refusal(_ record: CKRecord) async -> (any Error)? {
        do { try await database.save(record) } catch { return error }
        return nil
      }
      try expect(
        await refusal(note("n1", "again")), .serverRecordChanged, note("n1").recordID, "record to insert already exists"
      )
      let mine = try await database.record(for: note("n1").recordID)
      let theirs = try await database.record(for: note("n1").recordID)
      theirs["title"] = "theirs"
      try await database.save(theirs)
      mine["title"] = "mine"
      try expect(
        await refusal(mine), .serverRecordChanged, mine.recordID, "client oplock error updating record")
    }
  }

  @Test("a child of a failed child has the first of the server's internal codes")
  func childOfAFailedChild() async throws {
    let (child, grandchild) = (note("child"), note("grandchild"))
    child.setParent(note("none"))
    grandchild.setParent(child)
    let errors = try await saving([child, grandchild])
    #expect(errors[0]?.code == .referenceViolation)
    try expect(errors[1], .internalError, grandchild.recordID, "The parent 'child' could not be saved")
  }

  @Test("other failures are not described as saves: batchRequestFailed, client errors, fetches and whole requests")
  func otherFailuresAreNotDescribedAsSaves() async throws {
    let wrong = note("wrong")
    wrong["title"] = 5
    let errors = try await saving([wrong, note("innocent")])
    let innocent = try #require(errors[1])
    #expect(innocent.code == .batchRequestFailed)
    #expect(innocent.userInfo["ServerErrorDescription"] == nil)
    #expect(!innocent.localizedDescription.contains("to server"))

    let bare = note("bare")
    bare["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/at/all"))
    let missing = try #require(try await saving([bare])[0])
    #expect(missing.code == .assetFileNotFound)
    #expect(missing.userInfo["ServerErrorDescription"] == nil)
    #expect(!missing.localizedDescription.contains("to server"))

    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      do {
        _ = try await database.record(for: note("absent").recordID)
        Issue.record("fetched")
      } catch let error as CKError {
        #expect(error.localizedDescription.hasPrefix("Error fetching record <CKRecordID: recordName=absent, "))
      }
      do {
        try await database.save(CKShare(rootRecord: try await database.record(for: note("n1").recordID)))
        Issue.record("saved")
      } catch let error as CKError {
        #expect(error.localizedDescription.hasPrefix("An added share is being saved without its rootRecord"))
      }
    }
  }
}
