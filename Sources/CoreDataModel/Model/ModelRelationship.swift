/// A relationship of an entity to a destination.
package struct ModelRelationship: Sendable, Hashable {
  /// The effect on the destination when the object is deleted. The raw values are those of Apple's `NSDeleteRule`.
  package enum DeleteRule: UInt, Sendable, Hashable, CaseIterable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3

    /// The name in a model file.
    package var fileName: String {
      switch self {
      case .noAction: "No Action"
      case .nullify: "Nullify"
      case .cascade: "Cascade"
      case .deny: "Deny"
      }
    }

    /// Nil for a name that no rule has.
    package init?(fileName: String) {
      guard let rule = Self.allCases.first(where: { $0.fileName == fileName }) else { return nil }
      self = rule
    }
  }

  /// The relationship that leads back. The entity that declares it may be a parent of the destination.
  package struct Inverse: Sendable, Hashable {
    package var name: String
    package var entity: String

    package init(name: String, entity: String) {
      self.name = name
      self.entity = entity
    }
  }

  package var name: String
  /// The name of the destination's entity.
  package var destination: String
  package var inverse: Inverse?
  package var isOptional = false
  package var isTransient = false
  package var isToMany = false
  package var isOrdered = false
  package var minCount = 0
  /// 0 if there is no limit; 1 for a relationship to one.
  package var maxCount = 1
  package var deleteRule = DeleteRule.nullify
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [String: String] = [:]

  package init(name: String, destination: String) {
    self.name = name
    self.destination = destination
  }
}
