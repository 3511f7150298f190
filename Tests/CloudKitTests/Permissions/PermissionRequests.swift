import CloudKit

/// A way to make the requests of the permission table through Apple's API.
protocol PermissionRequests: Sendable {
  init(_ database: CKDatabase)

  func record(_ recordID: CKRecord.ID) async throws -> CKRecord
  func zone(_ zoneID: CKRecordZone.ID) async throws -> CKRecordZone
  func notes(_ zoneID: CKRecordZone.ID, _ query: CKQuery) async throws -> [CKRecord]
  func changes(_ zoneID: CKRecordZone.ID) async throws -> [CKRecord]
  /// - Throws: the error of the first record.
  func save(_ records: [CKRecord]) async throws
  func delete(_ recordID: CKRecord.ID) async throws
  func save(_ zone: CKRecordZone) async throws
  func delete(_ zoneID: CKRecordZone.ID) async throws
}

/// An error that was reported where Apple's API does not report it.
struct MisplacedError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
