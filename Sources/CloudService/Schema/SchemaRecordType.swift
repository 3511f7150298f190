/// A record type: its fields, the indexes of its system fields, and its grants in the public database.
package struct SchemaRecordType: Sendable, Hashable {
  package enum Permission: String, Sendable, CaseIterable {
    case read = "READ"
    case create = "CREATE"
    case write = "WRITE"
  }

  package var fields: [String: SchemaField] = [:]
  /// The indexes of system fields that have any.
  package var systemIndexes: [String: SchemaField.Indexes] = [:]
  /// Permissions by role.
  package var grants: [String: Set<Permission>] = [:]

  package init() {}

  /// A type as its first record creates it ([record-public-2]).
  package static let justInTime: SchemaRecordType = {
    var type = SchemaRecordType()
    type.grants = ["_creator": [.write], "_icloud": [.create], "_world": [.read]]
    return type
  }()

  /// The type of users. Only the service creates their records.
  static let users: SchemaRecordType = {
    var type = SchemaRecordType()
    type.fields = ["roles": SchemaField(SchemaFieldType(.int64, isList: true))]
    type.grants = ["_creator": [.write], "_world": [.read]]
    return type
  }()

  /// - Assumption: the type of shares has the three fields that public exports of schemas show, without indexes.
  static let share: SchemaRecordType = {
    var type = SchemaRecordType.justInTime
    type.fields = [
      "cloudkit.thumbnailImageData": SchemaField(SchemaFieldType(.bytes)),
      "cloudkit.title": SchemaField(SchemaFieldType(.string)),
      "cloudkit.type": SchemaField(SchemaFieldType(.string)),
    ]
    return type
  }()

  /// The system fields of every type, with their types ([schema-text-6]).
  package static let systemFields: [String: SchemaFieldType] = [
    "___createTime": SchemaFieldType(.timestamp), "___createdBy": SchemaFieldType(.reference),
    "___etag": SchemaFieldType(.string),
    "___modTime": SchemaFieldType(.timestamp), "___modifiedBy": SchemaFieldType(.reference),
    "___recordID": SchemaFieldType(.reference),
  ]
}
