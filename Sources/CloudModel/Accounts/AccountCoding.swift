import LocalCloudStorage

extension Account {
  package var object: JSONObject {
    var object: JSONObject = [
      "created": .string(Timestamp.text(milliseconds: created)),
      "emails": .array(emails.map { .string($0) }),
      "name": .string(name),
      "phones": .array(phones.map { .string($0) }),
      "status": .string(status.name),
      "storage": .string(storage.rawValue),
      "userRecordName": .string(userRecordName),
    ]
    if let components = person.object { object["nameComponents"] = .object(components) }
    if !permissions.isEmpty {
      object["permissions"] = .object(
        permissions.reduce(into: JSONObject()) { $0[$1.key] = .object($1.value.object) })
    }
    if !roles.isEmpty { object["roles"] = .object(rolesObject) }
    if !keys.isEmpty { object["keys"] = .object(JSONObject(keys.map { ($0, .object($1.object)) })) }
    return object
  }

  package init?(_ object: JSONObject) {
    guard let name = object["name"]?.string, let userRecordName = object["userRecordName"]?.string,
      let status = object["status"]?.string.flatMap(AccountStatus.init(name:)),
      let created = object["created"]?.string.flatMap(Timestamp.milliseconds(text:))
    else { return nil }
    self.init(name: name, userRecordName: userRecordName, created: created)
    emails = object["emails"]?.array?.compactMap(\.string) ?? []
    phones = object["phones"]?.array?.compactMap(\.string) ?? []
    person = PersonName(object["nameComponents"]?.object)
    self.status = status
    if let storage = object["storage"] {
      guard let storage = storage.string.flatMap(AccountStorage.init) else { return nil }
      self.storage = storage
    }
    for (container, permission) in object["permissions"]?.object ?? [:] {
      guard let permission = permission.object.flatMap(Discoverability.init) else { return nil }
      permissions[container] = permission
    }
    if let roles = object["roles"] {
      guard let roles = Self.roles(roles) else { return nil }
      self.roles = roles
    }
    if let keys = object["keys"] {
      guard let keys = keys.object else { return nil }
      for (container, value) in keys {
        // If an invalid key counted as missing, a new key would replace it, and all values sealed for the old key would
        // be lost.
        guard let key = AccountKey(value) else { return nil }
        self.keys[container] = key
      }
    }
  }

  package var identity: UserIdentity { UserIdentity(userRecordName: userRecordName, name: person) }

  /// The identity with an address, number or user record name, as the owner and administrators of a share see a
  /// requester.
  package var contact: UserIdentity {
    var contact = identity
    contact.lookup =
      emails.first.map(LookupInfo.email) ?? phones.first.map(LookupInfo.phone) ?? .userRecordName(userRecordName)
    return contact
  }
}

extension PersonName {
  private static var keys: [(String, WritableKeyPath<PersonName, String?>)] {
    [
      ("familyName", \.family), ("givenName", \.given), ("middleName", \.middle), ("namePrefix", \.prefix),
      ("nameSuffix", \.suffix), ("nickname", \.nickname),
    ]
  }

  package var object: JSONObject? {
    var object: JSONObject = [:]
    for (key, keyPath) in Self.keys {
      if let value = self[keyPath: keyPath] { object[key] = .string(value) }
    }
    return object.isEmpty ? nil : object
  }

  package init(_ object: JSONObject?) {
    self.init()
    for (key, keyPath) in Self.keys { self[keyPath: keyPath] = object?[key]?.string }
  }

  /// The full name, for example `Ada Lovelace`, or the nickname; nil if neither is known.
  package var text: String? {
    let parts = [given, family].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nickname : parts.joined(separator: " ")
  }
}
