/// The entities of a model with their parents and children.
///
/// It handles any model: an unknown parent counts as none, a cycle of parents ends at its first repetition, and of very
/// many ancestors the nearest ``maximumDepth`` count. The time of a query grows only with that number, because a model
/// may be hostile.
package struct EntityFamily: Sendable {
  static let maximumDepth = 100

  /// A class, since lines of entities are made by the thousand.
  private final class Member: Sendable {
    let entity: ModelEntity
    let names: Set<String>
    let relationships: [String: ModelRelationship]

    init(_ entity: ModelEntity) {
      self.entity = entity
      names = Set(entity.propertyNames)
      relationships = Dictionary(
        entity.relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  private let members: [String: Member]

  package init(_ model: ManagedModel) {
    members = Dictionary(model.entities.map { ($0.name, Member($0)) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(_ name: String) -> ModelEntity? { members[name]?.entity }

  private func memberLine(of name: String) -> [Member] {
    var (result, seen) = ([Member](), Set<String>())
    var next: String? = name
    while let name = next, let member = members[name], result.count <= Self.maximumDepth, seen.insert(name).inserted {
      result.append(member)
      next = member.entity.parent
    }
    return result
  }

  /// The entity, its parent, that one's parent and so on.
  package func line(of name: String) -> [ModelEntity] { memberLine(of: name).map(\.entity) }

  /// An entity's parent, that one's parent and so on.
  package func ancestors(of name: String) -> [ModelEntity] { Array(line(of: name).dropFirst()) }

  /// Whether an entity is another one, or below it.
  package func isEntity(_ name: String, kindOf other: String) -> Bool {
    memberLine(of: name).contains { $0.entity.name == other }
  }

  /// A relationship of an entity or one that it inherits, and the name of the entity that declares it.
  package func relationship(_ name: String, of entity: String) -> (relationship: ModelRelationship, owner: String)? {
    for member in memberLine(of: entity) {
      if let relationship = member.relationships[name] { return (relationship, member.entity.name) }
    }
    return nil
  }

  /// Names that are no property's of the entity, own or inherited.
  func unknownProperties(_ names: some Sequence<String>, of entity: String) -> [String] {
    let line = memberLine(of: entity)
    return names.filter { name in !line.contains { $0.names.contains(name) } }
  }

  /// The entity's own properties that an ancestor has, too, with that ancestor's name.
  func redeclaredProperties(of entity: ModelEntity) -> [(name: String, owner: String)] {
    let ancestors = memberLine(of: entity.name).dropFirst()
    return entity.propertyNames.compactMap { name in
      ancestors.first { $0.names.contains(name) }.map { (name, $0.entity.name) }
    }
  }

  /// Whether the ancestors do not end: one of them is there a second time, or they are too many.
  func isEndless(_ name: String) -> Bool {
    guard let last = memberLine(of: name).last?.entity.parent else { return false }
    return members[last] != nil
  }
}

extension ModelEntity {
  /// The names of the entity's own properties, in the file's order by kind.
  package var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}
