import PredicateFormat

extension PredicateTree {
  /// The predicate with ANY before each comparison whose left side leads through a relationship to many, as in the
  /// queries that Core Data makes of it.
  func comparingAny(of entity: NSEntityDescription) -> PredicateTree {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      guard comparison.modifier == nil, case .keyPath(.subject, let names) = comparison.left,
        entity.leadsThroughMany(names)
      else { return self }
      comparison.modifier = .any
      return .comparison(comparison)
    case .and(let members): return .and(members.map { $0.comparingAny(of: entity) })
    case .or(let members): return .or(members.map { $0.comparingAny(of: entity) })
    case .not(let member): return .not(member.comparingAny(of: entity))
    }
  }
}

extension NSEntityDescription {
  /// Whether a path goes on behind a relationship to many, and does not count or add up what is there.
  fileprivate func leadsThroughMany(_ names: [String]) -> Bool {
    var (entity, isMany) = (self as NSEntityDescription?, false)
    for (place, name) in names.enumerated() {
      if name.hasPrefix("@") { return false }
      guard let relationship = entity?.relationshipsByName[name] else { return isMany && place == names.count - 1 }
      if relationship.isToMany, place < names.count - 1 { isMany = true }
      entity = relationship.destinationEntity
    }
    return isMany
  }
}
