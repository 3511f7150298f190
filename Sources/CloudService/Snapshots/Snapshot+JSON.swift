import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The JSON forms of snapshots and their differences.
extension Snapshot {
  /// The number of records in all zones. An imported snapshot may name any numbers: `Int.max` if the sum is larger.
  package var records: Int {
    zones.reduce(0) { total, zone in
      let (sum, isOverflow) = total.addingReportingOverflow(zone.records)
      return isOverflow ? .max : sum
    }
  }

  /// `created` is a text, for example `2026-01-31T12:00:00.000Z`.
  package var object: JSONObject {
    var object: JSONObject = [
      "accounts": .array(accounts.map { .string($0) }), "created": .string(Timestamp.text(milliseconds: created)),
      "name": .string(name), "records": .integer(Int64(records)),
      "zones": .array(
        zones.map { zone in
          var object = zone.path.object
          object["records"] = .integer(Int64(zone.records))
          return .object(object)
        }),
    ]
    object["note"] = note.map { .string($0) }
    return object
  }
}

extension RestoreEffect {
  package var object: JSONObject {
    [
      "accounts": .object(accounts.object), "records": .object(records.object), "schemas": .object(schemas.object),
      "subscriptions": .object(subscriptions.object), "zones": .object(zones.object),
    ]
  }
}

extension RestoreEffect.Counts {
  fileprivate var object: JSONObject {
    [
      "changed": .integer(Int64(changed)), "lost": .integer(Int64(lost)), "returning": .integer(Int64(returning)),
    ]
  }
}

extension ZonePath {
  /// The account that owns the zone; nil in the public database.
  package var account: String? { database.account }

  /// The zone with its container, environment and database.
  package var object: JSONObject {
    var object = database.object
    object["zoneID"] = ["zoneName": .string(zone.string)]
    return object
  }
}

extension DatabasePath {
  /// The account that the database belongs to; nil for the public one.
  package var account: String? { scope.dropFirst().first }

  /// The database with its container and environment.
  package var object: JSONObject {
    var object: JSONObject = [
      "containerIdentifier": .string(container.string), "database": .string(scope.first ?? ""),
      "environment": .string(environment),
    ]
    object["account"] = account.map { .string($0) }
    return object
  }
}

extension TreeDifference {
  /// The kind of a record's change.
  static func kind(_ before: JSONObject?, _ after: JSONObject?) -> ChangeKind {
    before == nil ? .added : after == nil ? .removed : .changed
  }

  package var kind: ChangeKind {
    switch self {
    case .account(_, let kind), .schema(_, _, let kind), .subscription(_, _, let kind), .zone(_, let kind): kind
    case .record(_, let before, let after): Self.kind(before, after)
    case .loggedRecord(_, let difference): difference.kind
    }
  }

  /// `kind` is `account`, `schema`, `subscription`, `zone` or `record`. A record has its dictionaries `before` and
  /// `after`, as its files hold them, and the names of the fields that differ. From a log it has neither `before` nor
  /// `after`, and `fields` only if they were recorded.
  package var object: JSONObject {
    var object: JSONObject
    switch self {
    case .account(let name, _): object = ["account": .string(name), "kind": "account"]
    case .schema(let container, let environment, _):
      object = [
        "containerIdentifier": .string(container.string), "environment": .string(environment), "kind": "schema",
      ]
    case .subscription(let path, let id, _):
      object = path.object
      object["kind"] = "subscription"
      object["subscriptionID"] = .string(id)
    case .zone(let path, _):
      object = path.object
      object["kind"] = "zone"
    case .record(let path, let before, let after):
      let difference = RecordDifference(before, after)
      object = path.object
      object["kind"] = "record"
      object["recordName"] = .string(difference.name)
      object["recordType"] = .string(difference.type)
      object["before"] = before.map { .object($0) }
      object["after"] = after.map { .object($0) }
      object["fields"] = .array(difference.fields.map { .string($0.key) })
    case .loggedRecord(let path, let difference):
      object = path.object
      object["kind"] = "record"
      object["recordName"] = .string(difference.name.string)
      object["recordType"] = .string(difference.type)
      object["fields"] = difference.fields.map { .array($0.map { .string($0) }) }
      object["members"] = difference.members.map { .array($0.map { .string($0) }) }
    }
    object["change"] = .string(kind.rawValue)
    return object
  }
}
