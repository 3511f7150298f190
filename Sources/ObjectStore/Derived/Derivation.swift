import LocalCloudPredicateFormat

/// How a derived attribute of an entity is computed, with the names of its expression resolved.
struct Derivation: Sendable {
  enum Rule: Sendable {
    case now
    /// `hops`: to-one relationships, one after another. `attribute`: of the object at the end.
    case value(hops: [Int], attribute: String, PredicateFunction?)
    case aggregate(Aggregate)
  }

  /// The number of members of a relationship, or the sum of one of their attributes.
  struct Aggregate: Sendable, Hashable {
    var relationship: Int
    /// Nil for the number.
    var attribute: String?
  }

  /// The attribute's index in its entity.
  var index: Int
  var type: StoreSchema.AttributeType
  var rule: Rule

  /// Throws ``Problem`` for an expression that can't be computed.
  init(_ text: String, index: Int, of entity: Int, _ schema: StoreSchema) throws(Problem) {
    self.index = index
    type = schema.entities[entity].attributes[index].type
    guard let expression = DerivedExpression(text) else {
      throw Problem(reason: "the form of the expression is not known")
    }
    switch expression {
    case .now:
      rule = .now
      guard type == .date else { throw Problem(reason: "now() is a date") }
    case .value(let path, let function):
      let (hops, attribute) = try Self.resolve(path, of: entity, schema)
      rule = .value(hops: hops, attribute: attribute.name, function)
      if function != nil, type != .string || attribute.type != .string {
        throw Problem(reason: "the function is one of strings")
      }
      try Self.require(attribute, fits: type)
    case .count(let name):
      rule = .aggregate(Aggregate(relationship: try Self.toMany(name, of: entity, schema)))
      guard type.isNumber else { throw Problem(reason: "the number of objects is a number") }
    case .sum(let name, let path):
      let relationship = try Self.toMany(name, of: entity, schema)
      let attribute = try Self.attribute(path, of: schema.relationships[relationship].destination, schema)
      rule = .aggregate(Aggregate(relationship: relationship, attribute: attribute.name))
      guard type.isNumber, attribute.type.isNumber else { throw Problem(reason: "a sum is one of numbers") }
    }
  }

  struct Problem: Error {
    var reason: String
  }

  // MARK: Names

  private static func resolve(
    _ path: [String], of entity: Int, _ schema: StoreSchema
  ) throws(Problem) -> (hops: [Int], attribute: StoreSchema.Attribute) {
    var entity = entity
    var hops: [Int] = []
    for name in path.dropLast() {
      guard let relationship = schema.relationship(named: name, of: entity),
        !schema.relationships[relationship].isToMany
      else { throw Problem(reason: "'\(name)' is no relationship of \(schema.entities[entity].name) to one object") }
      hops.append(relationship)
      entity = schema.relationships[relationship].destination
    }
    return (hops, try attribute(path.last ?? "", of: entity, schema))
  }

  private static func attribute(
    _ name: String, of entity: Int, _ schema: StoreSchema
  ) throws(Problem) -> StoreSchema.Attribute {
    guard let attribute = schema.entities[entity].attributes.first(where: { $0.name == name }) else {
      throw Problem(reason: "'\(name)' is no stored attribute of \(schema.entities[entity].name)")
    }
    if attribute.isDerived { throw Problem(reason: "'\(name)' is derived itself") }
    return attribute
  }

  private static func toMany(_ name: String, of entity: Int, _ schema: StoreSchema) throws(Problem) -> Int {
    guard let relationship = schema.relationship(named: name, of: entity), schema.relationships[relationship].isToMany
    else { throw Problem(reason: "'\(name)' is no relationship of \(schema.entities[entity].name) to many objects") }
    return relationship
  }

  private static func require(_ attribute: StoreSchema.Attribute, fits type: StoreSchema.AttributeType) throws(Problem)
  {
    if attribute.type == type || (attribute.type.isNumber && type.isNumber) { return }
    throw Problem(reason: "'\(attribute.name)' is of the type \(attribute.type.rawValue), not \(type.rawValue)")
  }
}

extension StoreSchema.AttributeType {
  var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
  var isNumber: Bool { isInteger || self == .double || self == .float || self == .decimal }
}
