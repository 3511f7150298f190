import LocalCloudStorage

extension StoreMapping {
  /// Infers the mapping from the names and renaming identifiers of two versions of a model. The caller sets default
  /// values and metadata afterwards.
  ///
  /// - Throws: ``NotInferable`` if the destination needs a mapping that can't be inferred.
  package init(from source: StoreSchema, to destination: StoreSchema) throws(NotInferable) {
    self.source = source
    self.destination = destination
    let matches = Matches(
      source.entities.map { ($0.name, $0.renamingIdentifier) },
      destination.entities.map { ($0.name, $0.renamingIdentifier) })
    entities = destination.entities.indices.map { Entity(source: matches.sources[$0], attributes: []) }
    relationships = [Int?](repeating: nil, count: destination.relationships.count)
    for index in entities.indices { try match(index) }
    try checkHierarchy()
    for index in relationships.indices { try checkRelationship(index) }
  }

  private static let types = "Source and destination attribute types are incompatible"

  // MARK: Properties

  private mutating func match(_ index: Int) throws(NotInferable) {
    let new = destination.entities[index]
    guard let old = entities[index].source.map({ source.entities[$0] }) else {
      entities[index].attributes = new.attributes.map { _ in Attribute(source: nil) }
      return
    }
    if new.isAbstract, !old.isAbstract {
      throw NotInferable(entity: new.name, reason: "The entity became abstract, and may have objects of its own")
    }
    let attributes = Matches(
      old.attributes.map { ($0.name, $0.renamingIdentifier) }, new.attributes.map { ($0.name, $0.renamingIdentifier) })
    let relationships = Matches(
      old.relationships.map { (source.relationships[$0].name, source.relationships[$0].renamingIdentifier) },
      new.relationships.map { (destination.relationships[$0].name, destination.relationships[$0].renamingIdentifier) })
    for (number, attribute) in new.attributes.enumerated() {
      let known = attributes.sources[number]
      if let known, !attribute.type.takes(old.attributes[known].type) {
        throw NotInferable(entity: new.name, property: attribute.name, reason: Self.types)
      }
      if known == nil, old.relationships.contains(where: { source.relationships[$0].name == attribute.name }) {
        throw NotInferable(entity: new.name, property: attribute.name, reason: "A relationship became an attribute")
      }
      entities[index].attributes.append(Attribute(source: known))
    }
    for (number, relationship) in new.relationships.enumerated() {
      let known = relationships.sources[number].map { old.relationships[$0] }
      let name = destination.relationships[relationship].name
      if known == nil, old.attributes.contains(where: { $0.name == name }) {
        throw NotInferable(entity: new.name, property: name, reason: "An attribute became a relationship")
      }
      if let known, let other = self.relationships[relationship], other != known {
        throw NotInferable(entity: new.name, property: name, reason: "Several relationships became one")
      }
      if let known { self.relationships[relationship] = known }
    }
  }

  private func checkRelationship(_ index: Int) throws(NotInferable) {
    guard let known = relationships[index] else { return }
    let (old, new) = (source.relationships[known], destination.relationships[index])
    let name = destination.entities[new.entity].name
    if old.isToMany, !new.isToMany {
      throw NotInferable(
        entity: name, property: new.name, reason: "A relationship to many objects became one to one object")
    }
    // The new destination must include the old destination.
    for (target, entity) in entities.enumerated() {
      guard let before = entity.source, source.entities[old.destination].family.contains(before),
        !destination.entities[target].isAbstract, !destination.entities[new.destination].family.contains(target)
      else { continue }
      throw NotInferable(
        entity: name, property: new.name,
        reason: "Source and destination relationships lead to entities that are not the same")
    }
  }

  /// Entities can be put above and below others, but two hierarchies can't become one.
  private func checkHierarchy() throws(NotInferable) {
    var roots: [Int: Int] = [:]
    for (index, entity) in entities.enumerated() {
      guard let before = entity.source else { continue }
      let (old, new) = (source.entities[before].root, destination.entities[index].root)
      if let other = roots[new], other != old {
        throw NotInferable(
          entity: destination.entities[index].name, reason: "Entities of several hierarchies got a common parent")
      }
      roots[new] = old
    }
  }
}

/// Matches old names with new ones by renaming identifiers. An identifier defaults to the name.
private struct Matches {
  /// For each of the new names the index of the old one.
  private(set) var sources: [Int?]

  init(_ old: [(name: String, identifier: String?)], _ new: [(name: String, identifier: String?)]) {
    sources = [Int?](repeating: nil, count: new.count)
    var taken: Set<Int> = []
    func indexes(_ key: (_ entry: (name: String, identifier: String?)) -> String) -> [String: Int] {
      Dictionary(old.enumerated().map { (key($1), $0) }) { first, _ in first }
    }
    let (byIdentifier, byName) = (indexes { $0.identifier ?? $0.name }, indexes { $0.name })
    func assign(_ found: (_ entry: (name: String, identifier: String?)) -> Int?) {
      for (index, entry) in new.enumerated() where sources[index] == nil {
        if let match = found(entry), taken.insert(match).inserted { sources[index] = match }
      }
    }
    assign { byIdentifier[$0.identifier ?? $0.name] }
    // The identifier of a later version may be the name of an earlier one.
    assign { byName[$0.identifier ?? $0.name] }
    assign { byName[$0.name] }
  }
}
