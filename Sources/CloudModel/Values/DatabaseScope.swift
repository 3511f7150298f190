/// One of the three databases of a container, with CloudKit's raw values.
package enum DatabaseScope: Int, Sendable, CaseIterable {
  case `public` = 1
  case `private` = 2
  case shared = 3

  package var name: String {
    switch self {
    case .public: "public"
    case .private: "private"
    case .shared: "shared"
    }
  }

  package init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }
}

/// Development and production hold separate data and separate schemas.
package enum CloudEnvironment: String, Sendable, CaseIterable {
  case development
  case production
}
