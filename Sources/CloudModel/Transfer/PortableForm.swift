import LocalCloudStorage

/// Converts records to the form that `export` writes: the Web Services dictionaries ([record-json-3], [record-json-5])
/// without the keys that only the server sets. An export of the imported records gives the same text again.
package struct PortableForm {
  /// Returns the local name of the account with a user record name.
  private let account: (_ userRecordName: String) -> String?
  /// The user record name of the exporting account; nil without one.
  package let own: String?
  private let scope: DatabaseScope
  /// Whether to write dates, tags and links as well. An import ignores them.
  package var showsSystemKeys = false

  package init(own: String?, scope: DatabaseScope, account: @escaping (_ userRecordName: String) -> String?) {
    self.own = own
    self.scope = scope
    self.account = account
  }

  /// Replaces the name of the account's own user record, as that name differs between clouds.
  package static let ownUserRecord = "__defaultOwner__"
  static let systemKeys = ["created", "modified", "recordChangeTag", "share", "shortGUID", "url"]

  /// The dictionary of a record. `paths`: the files with the content of assets.
  package func object(of record: Record, _ paths: [ContentName: String]) -> JSONObject {
    let full = record.object
    var object: JSONObject = [
      "fields": .object(fields(of: record, full["fields"]?.object ?? [:], paths)),
      "recordName": .string(record.type == Record.userType ? Self.ownUserRecord : record.id.name.string),
      "recordType": .string(record.type), "zoneID": .object(zone(record.id.zone)),
    ]
    object["parent"] = full["parent"]
    if let details = record.shareDetails { add(details, full, to: &object) }
    if showsSystemKeys {
      for key in Self.systemKeys { object[key] = full[key] }
    }
    return object
  }

  /// The dictionary of one of the account's own zones, with the properties that are fixed at its creation.
  package func object(of zone: Zone) -> JSONObject {
    var object: JSONObject = ["zoneID": .object(self.zone(zone.id))]
    if zone.encryptionScope != .perRecord { object["encryptionScope"] = .string(zone.encryptionScope.rawValue) }
    return object
  }

  /// The account's own zones become the importing account's, so their owner is left out.
  private func zone(_ zone: ZoneIdentifier) -> JSONObject {
    scope == .shared ? zone.object : ZoneIdentifier(name: zone.name).object
  }

  private func fields(of record: Record, _ fields: JSONObject, _ paths: [ContentName: String]) -> JSONObject {
    var result = fields
    for (key, value) in record.fields where !value.assets.isEmpty {
      guard var field = fields[key]?.object else { continue }
      let values = value.assets.map { asset -> JSONValue in
        var object = AssetValue(name: asset.name).object
        if let path = asset.name.flatMap({ paths[$0] }) { object["x-local"] = ["path": .string(path)] }
        return .object(object)
      }
      if case .list = value { field["value"] = .array(values) } else { field["value"] = values[0] }
      result[key] = .object(field)
    }
    return result
  }

  // MARK: Shares

  private func add(_ details: ShareDetails, _ full: JSONObject, to object: inout JSONObject) {
    object["publicPermission"] = full["publicPermission"]
    object["denyAccessRequests"] = full["denyAccessRequests"]
    if let root = details.root { object["forRecord"] = ["recordName": .string(root.string)] }
    let invited = details.participants.filter { $0.role != .owner || $0.identity.userRecordName != own }
    object["participants"] = .array(invited.map { .object(self.object(of: $0)) })
    let lists = [("blocked", details.accessRequests.blocked), ("requesters", details.accessRequests.requesters)]
    for (key, list) in lists where !list.isEmpty {
      object[key] = .array(list.map { .object(self.object(of: $0)) })
    }
  }

  private func object(of participant: Participant) -> JSONObject {
    var object = object(of: participant.identity)
    object["permission"] = .string(participant.permission.rawValue)
    object["type"] = .string(participant.role.rawValue)
    return object
  }

  /// The dictionary of an identity. An address identifies the user in every cloud, the account's name in a cloud with
  /// the same accounts, and the user record name only in this cloud.
  private func object(of identity: UserIdentity) -> JSONObject {
    var object: JSONObject = [:]
    var person = identity
    person.name = nil
    switch identity.lookup {
    case .email, .phone: person.userRecordName = nil
    case .userRecordName, nil:
      person.lookup = nil
      if let account = identity.userRecordName.flatMap(account) {
        object["x-local"] = ["account": .string(account)]
      }
    }
    object["userIdentity"] = .object(person.object)
    return object
  }
}
