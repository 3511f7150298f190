import CloudKit
import Foundation
import LocalCloud
import LocalCloudStorage
import Testing

@Suite("Functions for zones")
struct ZoneFunctionTests {
  let cloud: TestCloud
  let database: CKDatabase

  init() throws {
    cloud = try TestCloud()
    database = try cloud.container(of: "alice").privateCloudDatabase
  }

  // [zone-owner-1], [zone-owner-4], [zone-save-2], [zone-save-3], [zone-delete-2]
  @Test func savingAndDeleting() async throws {
    let zone = CKRecordZone(zoneID: testZoneID)
    #expect(zone.capabilities == [])
    let saved = try await database.save(zone)
    #expect(saved.capabilities == [.fetchChanges, .atomic, .sharing, .zoneWideSharing])
    try await database.save(note("n"))
    try await database.save(zone)
    #expect(try await database.record(for: note("n").recordID).recordID == note("n").recordID)
    // The owner's real name refers to the same zone. Answers use the current user's default name.
    let name = try await cloud.container(of: "alice").userRecordID().recordName
    let real = CKRecordZone.ID(zoneName: "Home", ownerName: name)
    #expect(try await database.recordZone(for: real).zoneID == testZoneID)
    let byRealName = try await database.records(for: [CKRecord.ID(recordName: "n", zoneID: real)])
    #expect(byRealName.first?.key.zoneID == real)
    #expect(byRealName.first?.value.value?.recordID.zoneID == testZoneID)
    #expect(try await database.recordZone(for: .default).capabilities == [])
    let results = try await database.modifyRecordZones(deleting: [testZoneID, CKRecordZone.ID(zoneName: "Absent")])
    #expect(results.deleteResults[testZoneID]?.value != nil)
    #expect(results.deleteResults[CKRecordZone.ID(zoneName: "Absent")]?.code == .zoneNotFound)
    #expect(await code { _ = try await database.recordZone(for: testZoneID) } == .zoneNotFound)
  }

  // [zone-save-1], [zone-save-5]
  @Test func refusals() async throws {
    let shared = try cloud.container(of: "alice").sharedCloudDatabase
    #expect(await code { try await shared.save(CKRecordZone(zoneID: testZoneID)) } == .invalidArguments)
    #expect(await code { try await database.save(CKRecordZone(zoneName: "_mine")) } == .invalidArguments)
    let locked = CKRecordZone(zoneName: "Locked")
    locked.encryptionScope = .perZone
    try await database.save(CKRecordZone(zoneName: "Locked"))
    #expect(await code { try await database.save(locked) } == .serverRejectedRequest)
    #expect(await code { _ = try await database.allRecordZones() } == nil)
  }

  // [zone-list-1]
  @available(*, deprecated)
  @Test func operations() async throws {
    let journal = Journal()
    let absent = CKRecordZone.ID(zoneName: "Absent")
    let modify = CKModifyRecordZonesOperation(
      recordZonesToSave: [CKRecordZone(zoneID: testZoneID)], recordZoneIDsToDelete: [absent])
    modify.perRecordZoneDeleteBlock = { zoneID, result in journal.write("\(zoneID.zoneName) \(result.value != nil)") }
    modify.modifyRecordZonesResultBlock = { journal.write("\($0.value != nil)") }
    modify.modifyRecordZonesCompletionBlock = { saved, deleted, error in
      let inner = (error as? CKError)?.partialErrorsByItemID?[absent] as? CKError
      journal.write("\(saved?.count ?? 0) \(deleted?.count ?? 0) \(inner?.code == .zoneNotFound)")
    }
    await run(modify, on: database)
    #expect(journal.lines == ["Absent false", "true", "1 0 true"])
    let fetch = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
    #expect(fetch.recordZoneIDs == nil)
    fetch.perRecordZoneResultBlock = { zoneID, _ in journal.write(zoneID.zoneName) }
    fetch.fetchRecordZonesCompletionBlock = { zones, error in journal.write("\(zones?.count ?? 0) \(error == nil)") }
    await run(fetch, on: database)
    #expect(Set(journal.lines.dropFirst(3)) == ["_defaultZone", "Home", "2 true"])
  }

  @Test func noCloud() async throws {
    let nowhere = cloud.cloud.path + "/nowhere"
    let database = try LocalCloud.acting(as: "alice", root: nowhere) { cloud.container().privateCloudDatabase }
    do {
      _ = try await database.allRecordZones()
      Issue.record("found a cloud")
    } catch let error as CKError {
      let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(error.code == .badContainer)
      #expect(underlying?.userInfo["LocalCloudCause"] as? String == "noCloud")
      #expect((underlying?.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix("/nowhere") == true)
      #expect((error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)?.contains("localcloud init") == true)
    }
    let container = try LocalCloud.acting(as: "alice", root: nowhere) { cloud.container() }
    let status = await withCheckedContinuation { done in
      container.accountStatus { status, error in done.resume(returning: error == nil ? nil : status) }
    }
    #expect(status == .couldNotDetermine)
    let stranger = try cloud.container(of: "nobody")
    #expect(await code { _ = try await stranger.privateCloudDatabase.allRecordZones() } == .notAuthenticated)
  }
}
