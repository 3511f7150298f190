import CloudStore

extension JSONObject {
  /// Whether there is such a member, null or not. (`object[key] == nil` would ask for a member that is null.)
  func contains(_ key: String) -> Bool {
    switch self[key] {
    case .some: true
    case .none: false
    }
  }
}
