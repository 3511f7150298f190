import CloudModel
import CloudStore
import Storage

extension ShareDetails {
  /// Those of a record that a zone was asked for; the error names its file.
  init(_ stored: StoredRecord, in reader: any ZoneReader) throws(ServiceError) {
    self = try stored.naming(reader.zone.recordPath(stored.name)) { () throws(ServiceError) in
      try ShareDetails(stored)
    }
  }

  init(_ stored: StoredRecord) throws(ServiceError) { try self.init(ofRecord: stored.object) }

  /// What the links that lead to the share end with: its record's own, and those for one person.
  func links(of record: StoredRecord) -> [String] {
    [record.shortGUID].compactMap { $0 } + participants.compactMap(\.shortGUID)
  }
}

extension ZoneReader {
  /// The share of this name; nil where nothing has the name, or a record that is none.
  func share(_ name: ExactName) throws -> (record: StoredRecord, details: ShareDetails)? {
    guard let stored = try record(name), stored.type == Record.shareType else { return nil }
    return (stored, try ShareDetails(stored, in: self))
  }
}
