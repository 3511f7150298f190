import CloudKit

/// An item of an app: the set of its edits. Two versions are merged by union.
struct EngineItem: Codable, Sendable {
  static let recordType = "Item"
  /// The type of a record that only shows that an engine fetches.
  static let markerType = "Marker"

  let zone: String
  var edits: Set<Int>
  /// The edits in the cloud's last known version.
  private var sentEdits: Set<Int> = []
  /// The record's identity and change tag in that version; nil: none is known.
  private var systemFields: Data?

  init(zone: String, edits: Set<Int>) {
    (self.zone, self.edits) = (zone, edits)
  }

  var isUnsent: Bool { systemFields == nil || !edits.isSubset(of: sentEdits) }

  /// Merges a version from the cloud.
  mutating func merge(_ record: CKRecord) {
    sentEdits = Self.edits(of: record)
    edits.formUnion(sentEdits)
    let coder = NSKeyedArchiver(requiringSecureCoding: true)
    record.encodeSystemFields(with: coder)
    coder.finishEncoding()
    systemFields = coder.encodedData
  }

  /// The record is no longer in the cloud. The next one that is sent is new.
  mutating func forgetRecord() { (sentEdits, systemFields) = ([], nil) }

  /// The record to send. With its change tag, the cloud refuses it if another device has changed the record since.
  func record(_ recordID: CKRecord.ID) -> CKRecord {
    let record =
      systemFields.flatMap(Self.record(systemFields:)) ?? CKRecord(recordType: Self.recordType, recordID: recordID)
    record["name"] = recordID.recordName
    record["edits"] = edits.sorted()
    return record
  }

  private static func record(systemFields: Data) -> CKRecord? {
    guard let coder = try? NSKeyedUnarchiver(forReadingFrom: systemFields) else { return nil }
    coder.requiresSecureCoding = true
    return CKRecord(coder: coder)
  }

  // MARK: Records

  static func edits(of record: CKRecord) -> Set<Int> { Set(record["edits"] as? [Int] ?? []) }

  /// The item's name in the record's content. It equals the record's name.
  static func name(of record: CKRecord) -> String? { record["name"] as? String }
}
