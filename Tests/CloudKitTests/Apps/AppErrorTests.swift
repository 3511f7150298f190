import CloudKit
import Foundation
import LocalCloud
import Testing

/// Errors as apps and Apple's samples handle them.
@Suite struct AppErrorTests {
  private func conflict(_ cloud: TestCloud) async throws -> (any Error)? {
    try await cloud.acting(as: "alice") { container in
      let database = container.privateCloudDatabase
      try await database.save(CKRecordZone(zoneID: testZoneID))
      try await database.save(note("n", "first"))
      let mine = try await database.record(for: note("n").recordID)
      let other = try await database.record(for: note("n").recordID)
      other["title"] = "theirs"
      try await database.save(other)
      mine["title"] = "mine"
      do {
        try await database.save(mine)
        return nil
      } catch { return error }
    }
  }

  @Test func switchesCatchesAndMerges() async throws {
    let cloud = try TestCloud()
    let error = try #require(try await conflict(cloud))
    var reached: [String] = []
    switch (error as? CKError)?.code {
    case .serverRecordChanged: reached.append("switch")
    case .zoneNotFound, .userDeletedZone, .networkFailure: break
    case .some, .none: break
    }
    func fail() throws { throw error }
    do { try fail() } catch let error as CKError where error.code == .serverRecordChanged { reached.append("where") }
    do { try fail() } catch CKError.serverRecordChanged { reached.append("pattern") }
    do { try fail() } catch let error as NSError where error.domain == CKErrorDomain { reached.append("nserror") }
    if case CKError.serverRecordChanged = error { reached.append("if case") }
    if let ckError = error as? CKError, ckError.code == CKError.Code.serverRecordChanged { reached.append("if let") }
    if let ckError = error as? CKError, ckError.code == CKError.serverRecordChanged { reached.append("static") }
    let nsError = error as NSError
    if nsError.code == CKError.Code.serverRecordChanged.rawValue { reached.append("raw") }
    if CKError.Code(rawValue: nsError.code) == .serverRecordChanged { reached.append("code(raw)") }
    #expect(
      reached == ["switch", "where", "pattern", "nserror", "if case", "if let", "static", "raw", "code(raw)"])

    let server = try #require(nsError.userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord)
    let client = try #require(nsError.userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord)
    let ancestor = try #require(nsError.userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord)
    #expect(server["title"] as? String == "theirs")
    #expect(client["title"] as? String == "mine")
    #expect(ancestor["title"] as? String == "first")
    #expect((error as? CKError)?.userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord === server)
    #expect((error as? CKError)?.errorUserInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord === server)
    #expect((error as? CKError)?.errorCode == 14)
    #expect(CKError.errorDomain == "CKErrorDomain")
    #expect(!error.localizedDescription.isEmpty)
    #expect(nsError.localizedDescription == error.localizedDescription)
    #expect(nsError.userInfo[NSUnderlyingErrorKey] is NSError)

    // The usual merge: copies the client's keys into the server's record.
    try await cloud.acting(as: "alice") { container in
      for key in client.changedKeys() { server[key] = client[key] }
      for key in client.allKeys() { server[key] = client[key] }
      let saved = try await container.privateCloudDatabase.save(server)
      #expect(saved["title"] as? String == "mine")
    }
  }

  @Test @available(*, deprecated) func partialErrorsByEveryAccess() async throws {
    let cloud = try TestCloud()
    let container = try cloud.container(of: "alice")
    let database = container.privateCloudDatabase
    try await database.save(CKRecordZone(zoneID: testZoneID))
    try await database.save(note("there"))
    let missing = CKRecord.ID(recordName: "missing", zoneID: testZoneID)
    let elsewhere = CKRecord.ID(recordName: "x", zoneID: CKRecordZone.ID(zoneName: "Nowhere"))
    let error = await withCheckedContinuation { continuation in
      let operation = CKFetchRecordsOperation(recordIDs: [note("there").recordID, missing, elsewhere])
      operation.fetchRecordsCompletionBlock = { _, error in continuation.resume(returning: error) }
      database.add(operation)
    }
    let ckError = try #require(error as? CKError)
    #expect(ckError.code == .partialFailure)
    #expect((ckError.partialErrorsByItemID?[missing] as? CKError)?.code == .unknownItem)
    #expect((ckError.partialErrorsByItemID?[elsewhere] as? CKError)?.code == .zoneNotFound)
    #expect(ckError.partialErrorsByItemID?.count == 2)
    let info = ckError.userInfo[CKPartialErrorsByItemIDKey]
    #expect((info as? [AnyHashable: any Error])?.count == 2)
    #expect((info as? [CKRecord.ID: any Error])?.count == 2)
    #expect((info as? [AnyHashable: CKError])?.count == 2)
    #expect((info as? [AnyHashable: NSError])?.count == 2)
    #expect((info as? NSDictionary)?.count == 2)
    #expect((ckError.userInfo[CKPartialErrorsByItemIDKey] as? [CKRecord.ID: CKError])?[missing]?.code == .unknownItem)
    for partial in ckError.partialErrorsByItemID ?? [:] {
      #expect(partial.key.base is CKRecord.ID)
      #expect(partial.key as? CKRecord.ID != nil)
      #expect((partial.value as NSError).domain == CKErrorDomain)
    }
  }

  @Test func retryAfterOfABusyZone() async throws {
    let cloud = try TestCloud()
    let container = try LocalCloud.acting(as: "alice", root: cloud.cloud.path) { cloud.container() }
    try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
    let error = CKError(.requestRateLimited, userInfo: [CKErrorRetryAfterKey: 3.5])
    #expect(error.retryAfterSeconds == 3.5)
    #expect((error as NSError).userInfo[CKErrorRetryAfterKey] as? Double == 3.5)
    #expect((error as NSError).userInfo[CKErrorRetryAfterKey] as? NSNumber == 3.5)
    #expect(CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: NSNumber(value: 3)]).retryAfterSeconds == 3)
    #expect(CKError(.zoneBusy).retryAfterSeconds == nil)
    #expect(CKError(.zoneBusy) == CKError(.zoneBusy))
    #expect(Set([CKError(.zoneBusy), CKError(.zoneBusy), CKError(.zoneNotFound)]).count == 2)
  }

  @Test func nsErrorsOfOurDomain() {
    let plain: any Error = NSError(domain: CKErrorDomain, code: CKError.Code.networkUnavailable.rawValue)
    #expect((plain as? CKError)?.code == .networkUnavailable)
    let other: any Error = NSError(domain: NSCocoaErrorDomain, code: 4)
    #expect((other as? CKError) == nil)
    let unknown: any Error = NSError(domain: CKErrorDomain, code: 4711)
    _ = (unknown as? CKError)?.code
    let mine: any Error = CocoaError(.fileNoSuchFile)
    #expect((mine as? CKError) == nil)
    if let urlError = mine as? URLError { Issue.record("\(urlError)") }
  }

  @Test func accountRules() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let record = CKRecord(recordType: "News", recordID: CKRecord.ID(recordName: "one"))
      record["title"] = "hello"
      try await container.publicCloudDatabase.save(record)
    }
    try await cloud.acting(as: nil) { container in
      let `public` = container.publicCloudDatabase
      let status = try await container.accountStatus()
      #expect(status == .noAccount)
      #expect(try await `public`.record(for: CKRecord.ID(recordName: "one"))["title"] as? String == "hello")
      let query = CKQuery(recordType: "News", predicate: NSPredicate(value: true))
      #expect(try await `public`.records(matching: query).matchResults.count == 1)
      #expect(await code { try await `public`.save(CKRecord(recordType: "News")) } == .notAuthenticated)
      #expect(
        await code { try await `public`.deleteRecord(withID: CKRecord.ID(recordName: "one")) } == .notAuthenticated)
      for database in [container.privateCloudDatabase, container.sharedCloudDatabase] {
        #expect(await code { _ = try await database.records(for: []) } == .notAuthenticated)
        #expect(await code { _ = try await database.modifyRecords() } == .notAuthenticated)
        #expect(await code { _ = try await database.allRecordZones() } == .notAuthenticated)
        #expect(await code { _ = try await database.databaseChanges(since: nil) } == .notAuthenticated)
        #expect(await code { _ = try await database.records(matching: query) } == .notAuthenticated)
      }
      #expect(await code { _ = try await container.userRecordID() } == .notAuthenticated)
    }
  }

  // [record-system-4]
  @Test func defaultAndPublicZones() async throws {
    let cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      let `private` = container.privateCloudDatabase
      let `public` = container.publicCloudDatabase
      let record = CKRecord(recordType: "Note")
      #expect(record.recordID.zoneID == CKRecordZone.default().zoneID)
      let saved = try await `private`.save(record)
      #expect(saved.recordID.zoneID.zoneName == CKRecordZone.ID.defaultZoneName)
      #expect(saved.recordID.zoneID.ownerName == CKCurrentUserDefaultName)
      #expect(saved.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
      #expect(try await `private`.allRecordZones().map(\.zoneID) == [.default])
      #expect(try await `private`.recordZone(for: .default).capabilities == [])
      #expect(await code { try await `public`.save(CKRecordZone(zoneName: "Z")) } == .badDatabase)
      #expect(await code { _ = try await `public`.databaseChanges(since: nil) } == .badDatabase)
      #expect(
        await code { _ = try await `private`.recordZoneChanges(inZoneWith: .default, since: nil) }
          == .serverRejectedRequest)
      #expect(
        await code { try await `private`.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Gone")) }
          == .zoneNotFound)
      #expect(
        await code { try await container.sharedCloudDatabase.save(CKRecord(recordType: "A")) }
          == .invalidArguments)
      // The default zone is not atomic: the valid record stays.
      let good = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "good"))
      let again = CKRecord(recordType: "Note", recordID: saved.recordID)
      let results = try await `private`.modifyRecords(saving: [good, again], deleting: [])
      #expect(results.saveResults[good.recordID]?.value != nil)
      #expect(results.saveResults[again.recordID]?.code == .serverRecordChanged)
    }
  }
}
