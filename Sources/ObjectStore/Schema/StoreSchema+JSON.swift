import LocalCloudStorage

/// The schema in `store.json`: each entity's own declarations by name, as a person reads them.
extension StoreSchema {
  var json: JSONValue {
    .object(
      JSONObject(
        entities.indices.map { index in (entities[index].name, json(entity: index)) }))
  }

  private func json(entity index: Int) -> JSONValue {
    let entity = entities[index]
    var object: JSONObject = [:]
    let inherited = entity.parent.map { Set(entities[$0].attributes) } ?? []
    let attributes = entity.attributes.filter { !inherited.contains($0) }
    if !attributes.isEmpty {
      object["attributes"] = .object(JSONObject(attributes.map { ($0.name, $0.json) }))
    }
    let own = entity.relationships.filter { relationships[$0].entity == index }
    if !own.isEmpty {
      object["relationships"] = .object(JSONObject(own.map { (relationships[$0].name, json(relationship: $0)) }))
    }
    let inheritedIndexes = entity.parent.map { entities[$0].indexes.count } ?? 0
    let indexes = entity.indexes.dropFirst(inheritedIndexes)
    if !indexes.isEmpty { object["indexes"] = .array(indexes.map(\.json)) }
    if let parent = entity.parent { object["parent"] = .string(entities[parent].name) }
    if entity.isAbstract { object["abstract"] = true }
    if !entity.versionHash.isEmpty { object["hash"] = .string(entity.versionHash) }
    object["renaming"] = entity.renamingIdentifier.map(JSONValue.string)
    return .object(object)
  }

  private func json(relationship index: Int) -> JSONValue {
    let relationship = relationships[index]
    var object: JSONObject = ["destination": .string(entities[relationship.destination].name)]
    if let inverse = relationship.inverse { object["inverse"] = .string(relationships[inverse].name) }
    if relationship.isToMany { object["toMany"] = true }
    if relationship.isOrdered { object["ordered"] = true }
    object["renaming"] = relationship.renamingIdentifier.map(JSONValue.string)
    return .object(object)
  }

  /// Nil if it is not the description of a schema.
  init?(_ json: JSONValue) {
    guard let entities = json.object else { return nil }
    var declarations: [Declaration] = []
    for (name, entity) in entities {
      guard let declaration = Declaration(name, entity) else { return nil }
      declarations.append(declaration)
    }
    let names = Set(declarations.map(\.name))
    for declaration in declarations {
      guard declaration.parent.map(names.contains) ?? true,
        declaration.relationships.allSatisfy({ names.contains($0.destination) })
      else { return nil }
    }
    guard Self.isAcyclic(declarations) else { return nil }
    self.init(declarations)
  }

  private static func isAcyclic(_ declarations: [Declaration]) -> Bool {
    let parents = Dictionary(declarations.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    return declarations.allSatisfy { declaration in
      var (name, steps) = (declaration.parent, 0)
      while let present = name, steps <= declarations.count { (name, steps) = (parents[present] ?? nil, steps + 1) }
      return name == nil
    }
  }
}

extension StoreSchema.Attribute {
  fileprivate var json: JSONValue {
    var object: JSONObject = ["type": .string(type.rawValue)]
    if isExternal { object["external"] = true }
    if isPreserved { object["preserved"] = true }
    if isEncrypted { object["encrypted"] = true }
    if let derivation { object["derived"] = .string(derivation) }
    if isRequired { object["required"] = true }
    object["renaming"] = renamingIdentifier.map(JSONValue.string)
    return .object(object)
  }

  fileprivate init?(_ name: String, _ json: JSONValue) {
    guard let type = json["type"]?.string.flatMap({ StoreSchema.AttributeType(rawValue: $0) }) else { return nil }
    self.init(
      name: name, type: type, isExternal: json["external"]?.bool == true, isPreserved: json["preserved"]?.bool == true,
      isEncrypted: json["encrypted"]?.bool == true, derivation: json["derived"]?.string,
      isRequired: json["required"]?.bool == true, renamingIdentifier: json["renaming"]?.string)
  }
}

extension StoreSchema.FetchIndex {
  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "elements": .array(
        elements.map { .object(["ascending": .bool($0.isAscending), "property": .string($0.property)]) }),
      "name": .string(name),
    ]
    if isUnique { object["unique"] = true }
    return .object(object)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let elements = json["elements"]?.array else { return nil }
    self.init(
      name: name,
      elements: elements.compactMap { element in
        element["property"]?.string.map { Element(property: $0, isAscending: element["ascending"]?.bool != false) }
      }, isUnique: json["unique"]?.bool == true)
  }
}

extension StoreSchema.Declaration {
  fileprivate init?(_ name: String, _ json: JSONValue) {
    self.init(name: name, parent: json["parent"]?.string)
    isAbstract = json["abstract"]?.bool == true
    versionHash = json["hash"]?.string ?? ""
    renamingIdentifier = json["renaming"]?.string
    for (name, attribute) in json["attributes"]?.object ?? [:] {
      guard let attribute = StoreSchema.Attribute(name, attribute) else { return nil }
      attributes.append(attribute)
    }
    for (name, relationship) in json["relationships"]?.object ?? [:] {
      guard let destination = relationship["destination"]?.string else { return nil }
      relationships.append(
        StoreSchema.RelationshipDeclaration(
          name: name, destination: destination, isToMany: relationship["toMany"]?.bool == true,
          isOrdered: relationship["ordered"]?.bool == true, inverse: relationship["inverse"]?.string,
          renamingIdentifier: relationship["renaming"]?.string))
    }
    for index in json["indexes"]?.array ?? [] {
      guard let index = StoreSchema.FetchIndex(index) else { return nil }
      indexes.append(index)
    }
  }
}
