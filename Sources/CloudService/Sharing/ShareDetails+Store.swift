import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

extension ShareDetails {
  /// Reads the details of a share's record from a zone; the error names the record's file.
  init(_ stored: StoredRecord, in reader: any ZoneReader) throws(ServiceError) {
    self = try stored.naming(reader.zone.recordPath(stored.name)) { () throws(ServiceError) in
      try ShareDetails(stored)
    }
  }

  init(_ stored: StoredRecord) throws(ServiceError) { try self.init(ofRecord: stored.object) }

  /// The last parts of all links that lead to the share: the record's own, and those for one person.
  func links(of record: StoredRecord) -> [String] {
    [record.shortGUID].compactMap { $0 } + participants.compactMap(\.shortGUID)
  }
}

extension ZoneReader {
  /// The share of this name; nil if there is no record of this name, or it is not a share.
  func share(_ name: ExactName) throws -> (record: StoredRecord, details: ShareDetails)? {
    guard let stored = try record(name), stored.type == Record.shareType else { return nil }
    return (stored, try ShareDetails(stored, in: self))
  }
}
