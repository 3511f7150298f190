extension ModelReader {
  /// Checks the references by name, after all names are read: a file may use an entity's name before it declares the
  /// entity.
  mutating func check() {
    let family = EntityFamily(model)
    for entity in model.entities {
      checkParent(of: entity, family)
      checkInheritance(of: entity, family)
      for relationship in entity.relationships { check(relationship, of: entity, family) }
      for property in entity.fetchedProperties where family[property.fetchRequest.entity] == nil {
        fail(
          "\(entity.name).\(property.name) fetches an unknown entity \(XMLReader.quoted(property.fetchRequest.entity))",
          at: .property(property.name, of: entity.name))
      }
      checkNames(in: entity, family)
    }
    for request in model.fetchRequests where family[request.entity] == nil {
      fail(
        "the fetch request \(request.name) fetches an unknown entity \(XMLReader.quoted(request.entity))",
        at: .fetchRequest(request.name))
    }
    for configuration in model.configurations {
      for member in configuration.entities where family[member] == nil {
        fail(
          "the configuration \(configuration.name) has an unknown entity \(XMLReader.quoted(member))",
          at: .configuration(configuration.name))
      }
    }
    checkClasses()
  }

  // MARK: Entities

  private mutating func checkParent(of entity: ModelEntity, _ family: EntityFamily) {
    guard let parent = entity.parent else { return }
    if family[parent] == nil {
      fail("\(entity.name) has an unknown parent \(XMLReader.quoted(parent))", at: .entity(entity.name))
    } else if family.isEndless(entity.name) {
      fail(
        "\(entity.name) has parents without an end, or more than \(EntityFamily.maximumDepth)", at: .entity(entity.name)
      )
    }
  }

  /// - Assumption: an entity can't have a property of a name that it inherits.
  private mutating func checkInheritance(of entity: ModelEntity, _ family: EntityFamily) {
    for (name, owner) in family.redeclaredProperties(of: entity) {
      fail("\(entity.name) inherits a property \(name) of \(owner)", at: .property(name, of: entity.name))
    }
  }

  /// Checks the properties that constraints and indexes name. An index changes no result, so a wrong one is no reason
  /// to refuse a model.
  private mutating func checkNames(in entity: ModelEntity, _ family: EntityFamily) {
    for name in family.unknownProperties(entity.uniquenessConstraints.joined(), of: entity.name) {
      fail(
        "\(entity.name) has a uniqueness constraint of an unknown property \(XMLReader.quoted(name))",
        at: .entity(entity.name))
    }
    for index in entity.fetchIndexes {
      let names = index.elements.compactMap { element -> String? in
        guard case .property(let name) = element.subject else { return nil }
        return name
      }
      for name in family.unknownProperties(names, of: entity.name) {
        warn(
          "the index \(index.name) of \(entity.name) has an unknown property \(XMLReader.quoted(name))",
          at: .entity(entity.name))
      }
    }
  }

  /// A class that is written for one entity can't be written for another one.
  private mutating func checkClasses() {
    var owners: [String: String] = [:]
    for entity in model.entities where entity.codeGeneration != .manual {
      guard let name = entity.className?.name else {
        warn("\(entity.name) has no class for which code could be generated", at: .entity(entity.name))
        continue
      }
      if let owner = owners.updateValue(entity.name, forKey: name) {
        fail("the class \(name) is generated for \(owner) and for \(entity.name)", at: .entity(entity.name))
      }
    }
  }

  // MARK: Relationships

  private mutating func check(_ relationship: ModelRelationship, of entity: ModelEntity, _ family: EntityFamily) {
    let (name, subject) = ("\(entity.name).\(relationship.name)", Subject.property(relationship.name, of: entity.name))
    guard family[relationship.destination] != nil else {
      return fail("\(name) leads to an unknown entity \(XMLReader.quoted(relationship.destination))", at: subject)
    }
    guard let inverse = relationship.inverse else { return warn("\(name) has no inverse", at: subject) }
    let inverseName = "\(inverse.entity).\(inverse.name)"
    guard family.isEntity(relationship.destination, kindOf: inverse.entity) else {
      return fail(
        "\(name) has an inverse of \(XMLReader.quoted(inverse.entity)), which is neither its destination "
          + "\(relationship.destination) nor a parent of it", at: subject)
    }
    guard let back = family.relationship(inverse.name, of: inverse.entity)?.relationship else {
      return fail("\(name) has an unknown inverse \(XMLReader.quoted(inverseName))", at: subject)
    }
    guard
      family.isEntity(back.destination, kindOf: entity.name) || family.isEntity(entity.name, kindOf: back.destination)
    else {
      return fail("\(name) has the inverse \(inverseName), which leads to \(back.destination)", at: subject)
    }
    guard let backInverse = back.inverse else {
      return fail("\(name) has the inverse \(inverseName), which has none", at: subject)
    }
    // Either may name a parent or a child of the entity that declares the other one.
    let owner = family.relationship(backInverse.name, of: backInverse.entity)?.owner
    guard backInverse.name == relationship.name, owner == entity.name else {
      return fail(
        "\(name) has the inverse \(inverseName), whose inverse is \(backInverse.entity).\(backInverse.name)",
        at: subject)
    }
  }
}
