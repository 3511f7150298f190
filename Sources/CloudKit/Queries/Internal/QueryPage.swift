import Foundation
import LocalCloudModel
import LocalCloudStorage

/// The content of a cursor: the query and the position where it left off.
struct QueryPage {
  var query: Query
  var zone: CKRecordZoneID?
  /// The service's own cursor; nil for the first page.
  var position: String?

  private struct Payload: Codable {
    /// The query as a dictionary of CloudKit Web Services, in JSON.
    var query: String
    var zone: CKRecordZoneID.Archive?
    var position: String?
  }

  init(query: Query, zone: CKRecordZoneID?, position: String?) {
    self.query = query
    self.zone = zone
    self.position = position
  }

  /// Throws `invalidArguments` for a cursor that no query returned.
  init(cursor: CKQueryCursor) throws(ServiceError) {
    guard let payload = try? JSONDecoder().decode(Payload.self, from: cursor.data), payload.position != nil,
      let query = (try? JSONValue(parsing: Array(payload.query.utf8)))?.object.flatMap(Query.init)
    else {
      throw .invalid("The cursor was not made by a query")
    }
    self.query = query
    position = payload.position
    if let archive = payload.zone {
      guard let zoneID = CKRecordZoneID(archive: archive) else { throw .invalid("The cursor names no zone") }
      zone = zoneID
    }
  }

  var cursor: CKQueryCursor {
    let text = String(decoding: JSONValue.object(query.object).compact(), as: UTF8.self)
    let payload = Payload(query: text, zone: zone?.archive, position: position)
    return CKQueryCursor(data: (try? JSONEncoder().encode(payload)) ?? Data())
  }
}
