import LocalCloudModel
import LocalCloudStorage

/// The fields that every record has ([query-field-1]); the raw values are the schema's spellings.
enum SystemField: String, CaseIterable {
  case recordID = "___recordID"
  case created = "___createTime"
  case creator = "___createdBy"
  case modified = "___modTime"
  case modifier = "___modifiedBy"
  case parent = "___parent"
  case share = "___share"

  /// The field for any name that apps, the web API or schemas use for it.
  init?(key: String) {
    guard let field = Self.names[key] ?? Self(rawValue: key) else { return nil }
    self = field
  }

  private static let names: [String: SystemField] = [
    "recordID": .recordID, "recordName": .recordID, "creationDate": .created, "createdTimestamp": .created,
    "modificationDate": .modified, "modifiedTimestamp": .modified, "creatorUserRecordID": .creator,
    "createdUserRecordName": .creator, "lastModifiedUserRecordID": .modifier, "modifiedUserRecordName": .modifier,
    "parent": .parent, "share": .share,
  ]

  /// The spelling in the server's messages.
  var serverName: String { self == .recordID ? "recordName" : rawValue }

  var type: SchemaFieldType {
    switch self {
    case .created, .modified: SchemaFieldType(.timestamp)
    case .recordID, .creator, .modifier, .parent, .share: SchemaFieldType(.reference)
    }
  }

  /// Whether its references are to users: these are the same in every zone.
  var isUser: Bool { self == .creator || self == .modifier }

  func value(of record: Record) -> FieldValue? {
    switch self {
    case .recordID: .reference(ReferenceValue(record: record.id.name))
    case .created: .timestamp(Moment(milliseconds: record.created.timestamp))
    case .modified: .timestamp(Moment(milliseconds: record.modified.timestamp))
    case .creator: .reference(ReferenceValue(record: ExactName(record.created.userRecordName)))
    case .modifier: .reference(ReferenceValue(record: ExactName(record.modified.userRecordName)))
    case .parent: record.parent.map { .reference(ReferenceValue(record: $0)) }
    case .share: record.share.map { .reference(ReferenceValue(record: $0)) }
    }
  }
}

extension Record {
  /// The value of a field; `system` is set if the field is a system field.
  func value(of key: String, _ system: SystemField?) -> FieldValue? {
    guard let system else { return fields[key] }
    return system.value(of: self)
  }
}
