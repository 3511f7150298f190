import LocalCloudStorage

/// The custom roles of an account in public databases.
extension Account {
  /// The account's roles in the container and environment of `caller`.
  package subscript(rolesIn caller: Caller) -> Set<String> {
    get { roles[caller.container]?[caller.environment] ?? [] }
    set {
      roles[caller.container, default: [:]][caller.environment] = newValue.isEmpty ? nil : newValue
      if roles[caller.container]?.isEmpty == true { roles[caller.container] = nil }
    }
  }

  /// The roles as the account's document has them: by container, then by environment, in order of the names.
  var rolesObject: JSONObject {
    var object: JSONObject = [:]
    for (container, environments) in roles {
      var byEnvironment: JSONObject = [:]
      for (environment, names) in environments {
        byEnvironment[environment.rawValue] = .array(names.sorted().map { .string($0) })
      }
      object[container] = .object(byEnvironment)
    }
    return object
  }

  /// Nil for a value in another form: an account with unreadable roles is damaged, and gets none.
  static func roles(_ value: JSONValue) -> [String: [CloudEnvironment: Set<String>]]? {
    guard let containers = value.object else { return nil }
    var roles: [String: [CloudEnvironment: Set<String>]] = [:]
    for (container, environments) in containers {
      guard let environments = environments.object else { return nil }
      for (environment, names) in environments {
        guard let environment = CloudEnvironment(rawValue: environment), let names = names.array else { return nil }
        let texts = names.compactMap(\.string)
        guard texts.count == names.count else { return nil }
        if !texts.isEmpty { roles[container, default: [:]][environment] = Set(texts) }
      }
    }
    return roles
  }
}
