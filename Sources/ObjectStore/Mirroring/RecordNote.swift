import Storage

/// What the mirroring notes of single records, each in a row of the table `state`.
package enum RecordNote: String, Sendable, CaseIterable {
  /// An import could not read the record. Each import fetches it again until it can be read, or is deleted ([mirror-31]).
  case unread = "unread "
  /// An import did not believe the record's receipt ([mirror-42]).
  case ignoredReceipt = "receipt "

  /// The field of the row that holds the record's address.
  package static let field = "record"

  package func key(_ home: RecordHome) -> String { rawValue + home.key }

  /// The beginning of the keys of a zone's records.
  package func prefix(_ zone: ZoneHome) -> String { rawValue + zone.key + "|" }

  /// The records that have the note.
  package func records(in view: StoreView) throws -> [RecordHome] {
    try view.rows(prefix: rawValue, in: .state).compactMap { RecordHome($0.values[Self.field]) }
  }
}
