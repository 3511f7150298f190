import CloudKit
import Combine
import OSLog

struct Note: Identifiable, Hashable, Sendable {
  let id: CKRecord.ID
  var text: String

  init(_ record: CKRecord) {
    id = record.recordID
    text = record["text"] as? String ?? ""
  }
}

/// Fetches and saves the notes of one zone, and writes a log.
final class NoteStore: Sendable {
  private static let logger = Logger(subsystem: "com.example.ViewModels", category: "store")

  let database: CKDatabase
  let zone: CKRecordZone.ID

  init(database: CKDatabase, zone: CKRecordZone.ID) {
    self.database = database
    self.zone = zone
  }

  func notes() -> AnyPublisher<[Note], any Error> {
    let (database, zone) = (self.database, self.zone)
    return Deferred {
      Future<[Note], any Error> { promise in
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        database.fetch(withQuery: query, inZoneWith: zone) { result in
          promise(
            result.map { found in
              found.matchResults.compactMap { _, record in (try? record.get()).map(Note.init) }
            })
        }
      }
    }
    .handleEvents(
      receiveOutput: { Self.logger.info("fetched \($0.count) notes of \(zone.zoneName, privacy: .public)") },
      receiveCompletion: {
        guard case .failure(let error) = $0 else { return }
        Self.logger.error("no notes: \(error.localizedDescription, privacy: .public)")
      }
    )
    .eraseToAnyPublisher()
  }

  func save(_ text: String, as name: String) async throws {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    record["text"] = text
    try await database.save(record)
    Self.logger.notice("saved \(name, privacy: .public), \(text)")
  }

  /// Shares the whole zone publicly, and returns the link.
  func share() async throws -> URL {
    let share = CKShare(recordZoneID: zone)
    share.publicPermission = .readWrite
    try await database.save(share)
    guard let url = share.url else { throw CKError(.internalError) }
    return url
  }
}
