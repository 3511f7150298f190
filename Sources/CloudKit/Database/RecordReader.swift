import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService

/// Reads one record again and again, as `CKDatabase.record(for:)` does, for a wait.
///
/// Threads: blocks on the disk and on locks, so call it on a thread that may block.
package struct RecordReader: Sendable {
  private let request: Request
  private let record: RecordIdentifier

  /// `acting` determines the account and the container.
  package init(_ acting: ActingIdentity, _ recordID: CKRecordID, in scope: CKDatabaseScope) throws(ServiceError) {
    request = try Request(acting, scope: scope)
    record = request.translator.identifier(recordID)
  }

  /// The folders that change with the record.
  package func watchedFolders() throws(ServiceError) -> WatchedFolders {
    try request.service.watchedFolders(of: [.zone(record.zone, request.scope)], by: request.caller)
  }

  /// The present record; nil if the record or its zone does not exist.
  ///
  /// - Throws: `badContainer` if the cloud was removed, and the errors of a fetch.
  package func current() throws(ServiceError) -> CKRecord? {
    try request.service.requireCurrent()
    let fetch = FetchRecordsRequest(scope: request.scope, records: [record], withAssets: true)
    do {
      return try request.record(try request.service.records.fetchRecords(fetch, by: request.caller)[0].get())
    } catch {
      if [.unknownItem, .zoneNotFound, .userDeletedZone].contains(error.code) { return nil }
      throw error
    }
  }
}
