import CloudService
import Foundation

/// What a cursor holds: the query, and where it left off.
struct QueryPage {
  var recordType: String
  var zone: CKRecordZoneID?
  /// The service's own cursor; nil for the first page.
  var position: String?

  private struct Payload: Codable {
    var recordType: String
    var zone: CKRecordZoneID.Archive?
    var position: String?
  }

  init(recordType: String, zone: CKRecordZoneID?, position: String?) {
    self.recordType = recordType
    self.zone = zone
    self.position = position
  }

  /// Throws `invalidArguments` for a cursor that no query gave.
  init(cursor: CKQueryCursor) throws(ServiceError) {
    guard let payload = try? JSONDecoder().decode(Payload.self, from: cursor.data), payload.position != nil else {
      throw .invalid("The cursor was not made by a query")
    }
    recordType = payload.recordType
    position = payload.position
    if let archive = payload.zone {
      guard let zoneID = CKRecordZoneID(archive: archive) else { throw .invalid("The cursor names no zone") }
      zone = zoneID
    }
  }

  var cursor: CKQueryCursor {
    let payload = Payload(recordType: recordType, zone: zone?.archive, position: position)
    return CKQueryCursor(data: (try? JSONEncoder().encode(payload)) ?? Data())
  }
}
