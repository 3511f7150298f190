import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The versions of one record that the zone's log has, oldest first.
package struct RecordHistory: Sendable, Hashable {
  /// A field's value in a version.
  package enum Value: Sendable, Hashable {
    case plain(FieldValue)
    /// An encrypted value that the account can open.
    case opened(FieldValue)
    /// An encrypted value that the account has no key for.
    case sealed
  }

  /// A field that a version changed; a nil value is missing in that version, or is not stored.
  package struct Field: Sendable, Hashable {
    package var key: String
    package var before: Value?
    package var after: Value?
  }

  package struct Version: Sendable, Hashable {
    package enum Change: String, Sendable {
      case created, changed, deleted
      /// Created or changed: the log no longer has the version before.
      case saved
      /// The record has a new tag because a child was saved, or it entered or left a share; its fields did not change.
      case touched
    }

    package var change: Change
    package var sequence: Int64
    package var changeTag: String
    package var type: String
    /// Nil if it was not recorded, as for each version that is touched.
    package var stamp: Stamp?
    /// The changed fields, sorted by key; nil if they were not recorded.
    package var fields: [Field]?
    /// The names of other members that changed, such as `parent`.
    package var members: [String]
    /// The shares that the record was in before and is in now, if it moved.
    package var shareBefore: String?
    package var shareAfter: String?
    /// Whether the tree still has the values before and after the change.
    package var hasBefore: Bool
    package var hasAfter: Bool
  }

  package var record: RecordIdentifier
  package var versions: [Version]
  /// Up to this sequence the log keeps at most the last version; 0 if it has all of them.
  package var horizon: Int64
  /// The time of the zone's first change after the horizon, in milliseconds since 1970; nil if it is unknown, or if the
  /// horizon is 0.
  package var completeSince: Int64?
}

// MARK: JSON

extension RecordHistory {
  /// The members beside the versions. `isComplete` says whether the log has all versions; otherwise `completeAfter`
  /// and `completeSince` say from which sequence and time on.
  package var head: JSONObject {
    var object: JSONObject = [
      "isComplete": .bool(horizon == 0), "recordName": .string(record.name.string),
      "zoneID": .object(record.zone.object),
    ]
    if horizon > 0 { object["completeAfter"] = .integer(horizon) }
    object["completeSince"] = completeSince.map { .string(Timestamp.text(milliseconds: $0)) }
    return object
  }
}

extension RecordHistory.Version {
  /// `fields` is absent if the fields were not recorded, and `modified` if the author was not. `before` and `after` have
  /// the values of changed fields, and are absent if these are not stored.
  package var object: JSONObject {
    var object: JSONObject = [
      "change": .string(change.rawValue), "recordChangeTag": .string(changeTag), "recordType": .string(type),
      "sequence": .integer(sequence),
    ]
    object["modified"] = stamp.map { .object($0.object) }
    object["members"] = members.isEmpty ? nil : .array(members.map { .string($0) })
    object["shareBefore"] = shareBefore.map { .string($0) }
    object["shareAfter"] = shareAfter.map { .string($0) }
    guard let fields else { return object }
    func values(_ value: (RecordHistory.Field) -> RecordHistory.Value?) -> JSONValue {
      .object(JSONObject(fields.compactMap { field in value(field).map { (field.key, .object($0.object)) } }))
    }
    object["fields"] = .array(fields.map { .string($0.key) })
    if fields.isEmpty { return object }
    if hasBefore, change != .created { object["before"] = values(\.before) }
    if hasAfter { object["after"] = values(\.after) }
    return object
  }
}

extension RecordHistory.Value {
  /// A field's dictionary; without `value` if it is sealed.
  package var object: JSONObject {
    switch self {
    case .plain(let value): return value.field
    case .opened(let value):
      var field = value.field
      field["isEncrypted"] = true
      return field
    case .sealed: return ["isEncrypted": true]
    }
  }
}
