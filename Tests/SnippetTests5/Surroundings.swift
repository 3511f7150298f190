import CloudKit
import Synchronization

// Declarations that Apple's samples need.

/// The app of the sharing samples.
final class SharingApp: Sendable {
  let container: CKContainer
  let recordZone = CKRecordZone(zoneName: "Contacts")
  private let seen = Mutex<[CKRecord]>([])

  init(_ container: CKContainer) {
    self.container = container
  }

  var privateCloudDatabase: CKDatabase { container.privateCloudDatabase }
  var sharedCloudDatabase: CKDatabase { container.sharedCloudDatabase }

  func processChanges(
    _ changes: (
      modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
      deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
    )
  ) {
    let records = changes.modificationResultsByID.values.compactMap { try? $0.get().record }
    seen.withLock { $0 += records }
  }

  var contacts: [CKRecord] { seen.withLock { $0 } }
}

/// Replaces UIKit's class.
final class UIApplication: Sendable {}

// Apple's name.
// swift-format-ignore: AlwaysUseLowerCamelCase
func os_log(_ message: String) {}

/// The common base of the samples about people.
class People: @unchecked Sendable {
  let database: CKDatabase
  let lastPersonRecordId = CKRecord.ID(recordName: "last")
  let penultimatePersonRecordId = CKRecord.ID(recordName: "penultimate")
  // Sendable: protected by a mutex.
  private let errors = Mutex<[any Error]>([])

  init(_ database: CKDatabase) {
    self.database = database
  }

  func reportError(_ error: any Error, itemId: CKRecord.ID? = nil) {
    errors.withLock { $0.append(error) }
  }

  var reportedErrors: [any Error] { errors.withLock { $0 } }

  func addPeople() async throws {
    let people = [lastPersonRecordId, penultimatePersonRecordId].map { CKRecord(recordType: "Person", recordID: $0) }
    _ = try await database.modifyRecords(saving: people, deleting: [])
  }
}

final class PeopleWithHandlers: People, @unchecked Sendable {}
final class PeopleWithFunctions: People, @unchecked Sendable {}
final class PeopleWithSingleFunctions: People, @unchecked Sendable {}
