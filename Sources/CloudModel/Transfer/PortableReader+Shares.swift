import LocalCloudStorage

/// Reading of the share-only keys of a record ([record-json-5]).
extension PortableReader {
  static func share(_ object: JSONObject, named name: String) throws(PortableProblem) -> PortableShare {
    var share = PortableShare()
    if let root = object["forRecord"] {
      guard let name = root["recordName"]?.string, !name.isEmpty else {
        throw PortableProblem("expected an object with \"recordName\"", key: "forRecord")
      }
      share.root = ExactName(name)
    }
    let isZoneWide = ExactName(name) == Record.zoneWideShareName
    guard isZoneWide == (share.root == nil) else {
      throw PortableProblem(
        isZoneWide
          ? "the share of a whole zone has no root"
          : "it is missing: expected {\"recordName\": …} of the record that is shared",
        key: "forRecord")
    }
    if let permission = object["publicPermission"] {
      share.publicPermission = try self.permission(permission, key: "publicPermission")
    }
    share.participants = try people("participants", in: object)
    share.blocked = try people("blocked", in: object)
    share.requesters = try people("requesters", in: object) ?? []
    if let denies = object["denyAccessRequests"] {
      guard let denies = denies.bool else { throw PortableProblem("expected true or false", key: "denyAccessRequests") }
      share.areRequestsAllowed = !denies
    }
    return share
  }

  private static func permission(_ value: JSONValue, key: String) throws(PortableProblem) -> SharePermission {
    guard let permission = value.string.flatMap({ SharePermission(rawValue: $0) }), permission != .unknown else {
      throw PortableProblem("expected NONE, READ_ONLY or READ_WRITE", key: key)
    }
    return permission
  }

  private static func people(_ key: String, in object: JSONObject) throws(PortableProblem) -> [PortablePerson]? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let list = value.array else { throw PortableProblem("a list was expected", key: key) }
    var people: [PortablePerson] = []
    for (index, item) in list.enumerated() { people.append(try person(item, key: "\(key)[\(index)]")) }
    return people
  }

  private static func person(_ value: JSONValue, key: String) throws(PortableProblem) -> PortablePerson {
    guard let identity = value["userIdentity"]?.object else {
      throw PortableProblem("expected an object with \"userIdentity\"", key: key)
    }
    if let lookup = identity["lookupInfo"] {
      let handle = lookup["emailAddress"] ?? lookup["phoneNumber"] ?? lookup["userRecordName"]
      guard handle?.string != nil else {
        throw PortableProblem(
          "expected \"emailAddress\", \"phoneNumber\" or \"userRecordName\"", key: "\(key).userIdentity.lookupInfo")
      }
    }
    var person = PortablePerson(identity: UserIdentity(identity))
    person.account = value["x-local"]?["account"]?.string
    if let role = value["type"] {
      guard let role = role.string.flatMap({ ParticipantRole(rawValue: $0) }) else {
        throw PortableProblem("expected USER, ADMINISTRATOR, PUBLIC_USER or OWNER", key: "\(key).type")
      }
      person.role = role
    }
    if let permission = value["permission"], person.role != .owner {
      person.permission = try self.permission(permission, key: "\(key).permission")
    }
    return person
  }
}
