import CloudKit
import LocalCloud
import LocalCloudStorage
import Testing

/// Alice with a zone of her own, a zone that Bob shares with her, and records in the public database. Her account then
/// gets a state, and the test makes the calls of the table.
struct AccountStateStage {
  typealias State = AccountStateTable.State

  let cloud: TestCloud
  private let state: State
  private let shared: CKRecordZone.ID
  private let link: URL

  init(_ state: State) async throws {
    (cloud, self.state) = (try TestCloud(), state)
    let bobs = CKRecordZone.ID(zoneName: "Bobs")
    link = try await cloud.acting(as: "bob") { container in
      let share = CKShare(recordZoneID: bobs)
      share.publicPermission = .readWrite
      try await container.privateCloudDatabase.save(CKRecordZone(zoneID: bobs))
      _ = try await container.privateCloudDatabase.modifyRecords(
        saving: [note("n", in: bobs), note("gone", in: bobs), share], deleting: [])
      return try #require(share.url)
    }
    let bob = try await cloud.acting(as: "bob") { try await $0.userRecordID().recordName }
    shared = CKRecordZone.ID(zoneName: "Bobs", ownerName: bob)
    let link = link
    try await cloud.acting(as: "alice") { container in
      try await container.accept(try await container.shareMetadata(for: link))
      for name in ["Home", "Gone"] {
        try await container.privateCloudDatabase.save(CKRecordZone(zoneName: name))
      }
      for name in ["n", "gone"] {
        try await container.privateCloudDatabase.save(note(name))
        try await container.publicCloudDatabase.save(note(name, in: .default))
      }
    }
    try await cloud.acting(as: "alice") { _ in
      switch state {
      case .nobody: try LocalCloud.signOut()
      case .stranger, .available: break
      case .unknown: try LocalCloud.setStatus(.couldNotDetermine, of: "alice")
      case .restricted: try LocalCloud.setStatus(.restricted, of: "alice")
      case .noAccount: try LocalCloud.setStatus(.noAccount, of: "alice")
      case .notReady: try LocalCloud.setStatus(.temporarilyUnavailable, of: "alice")
      }
    }
  }

  func acting<Value>(_ body: (CKContainer) async throws -> Value) async throws -> Value {
    try await cloud.acting(as: state == .stranger ? "stranger" : "alice", body)
  }

  /// The error code of the call, or of its first failing item; nil for success.
  func answer(_ row: AccountStateTable.Row) async throws -> Int? {
    try await acting { container in
      await code {
        switch row.database {
        case "private": try await call(row.call, container.privateCloudDatabase, testZoneID, container)
        case "shared": try await call(row.call, container.sharedCloudDatabase, shared, container)
        case "public": try await call(row.call, container.publicCloudDatabase, .default, container)
        default: try await call(row.call, container)
        }
      }?.rawValue
    }
  }

  private func call(
    _ call: String, _ database: CKDatabase, _ zoneID: CKRecordZone.ID, _ container: CKContainer
  ) async throws {
    switch call {
    case "fetch": _ = try await database.record(for: note("n", in: zoneID).recordID)
    case "fetchNothing": _ = try await database.records(for: [])
    case "fetchUser": try await fetchUser(database)
    case "save": _ = try await database.save(note("new", in: zoneID))
    case "delete": try await database.deleteRecord(withID: note("gone", in: zoneID).recordID)
    case "modifyNothing": _ = try await database.modifyRecords(saving: [], deleting: [])
    case "query":
      let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
      let found = try await database.records(matching: query, inZoneWith: zoneID).matchResults
      try #require(!found.isEmpty)
    case "allZones": try #require(try await !database.allRecordZones().isEmpty)
    case "zone": _ = try await database.recordZone(for: zoneID)
    case "noZones": _ = try await database.recordZones(for: [])
    case "saveZone":
      _ = try await database.save(
        CKRecordZone(zoneID: CKRecordZone.ID(zoneName: "New", ownerName: zoneID.ownerName)))
    case "deleteZone":
      let own = CKRecordZone.ID(zoneName: "Gone")
      try await database.deleteRecordZone(withID: zoneID == testZoneID ? own : zoneID)
    case "zoneFeed": _ = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil)
    case "databaseFeed": _ = try await database.databaseChanges(since: nil)
    default: Issue.record("no call \(call)")
    }
  }

  private func call(_ call: String, _ container: CKContainer) async throws {
    switch call {
    case "userRecordID": _ = try await container.userRecordID()
    case "participant": _ = try await container.shareParticipant(forEmailAddress: "bob@example.com")
    case "noParticipants": _ = try await container.shareParticipants(forEmailAddresses: [])
    case "metadata": _ = try await container.shareMetadata(for: link)
    case "noMetadata": _ = try await container.shareMetadatas(for: [])
    case "acceptNothing": _ = try await container.accept([])
    case "webToken": _ = try await webAuthToken("an API token", container)
    default: Issue.record("no call \(call)")
    }
  }

  private func fetchUser(_ database: CKDatabase) async throws {
    let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
    let record = try await withCheckedThrowingContinuation { continuation in
      let found = Collector<CKRecord>()
      operation.perRecordResultBlock = { _, result in result.value.map(found.append) }
      operation.fetchRecordsResultBlock = { result in continuation.resume(with: result.map { found.values.first }) }
      database.add(operation)
    }
    #expect(record?.recordType == CKRecord.SystemType.userRecord)
  }
}

func webAuthToken(_ apiToken: String, _ container: CKContainer) async throws -> String {
  try await withCheckedThrowingContinuation { continuation in
    let operation = CKFetchWebAuthTokenOperation(apiToken: apiToken)
    operation.fetchWebAuthTokenResultBlock = { continuation.resume(with: $0) }
    container.privateCloudDatabase.add(operation)
  }
}
