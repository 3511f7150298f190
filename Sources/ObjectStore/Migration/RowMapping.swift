import LocalCloudStorage

/// Makes an object of the destination from one of the source.
struct RowMapping {
  /// An object, with its links in the tables that its relationships name.
  struct Result {
    var row: StoredRow
    var links: [Link]
  }

  struct Link {
    var relationship: Int
    var target: RowID
    var position: Int64
    var inversePosition: Int64
  }

  private let mapping: StoreMapping
  private let targets: [Int?]
  /// The entity of the destination, and how it is made.
  private let entity: Int
  private let schema: StoreSchema.Entity
  private let rules: StoreMapping.Entity
  /// The relationships of the entity that name tables of links.
  private let tables: [Int]

  init(_ mapping: StoreMapping, entity: Int, _ targets: [Int?]) {
    self.mapping = mapping
    self.targets = targets
    self.entity = entity
    schema = mapping.destination.entities[entity]
    rules = mapping.entities[entity]
    tables = schema.relationships.filter { mapping.destination.isLinkTable($0) }
  }

  /// `view`: of the source.
  func map(_ row: StoredRow, _ view: StoreView) throws -> Result {
    var result = StoredRow(
      id: RowID(entity: entity, number: row.id.number), version: row.version, attributes: [], toOnes: [])
    for (attribute, rule) in zip(schema.attributes, rules.attributes) {
      result.attributes.append(try value(of: attribute, rule, row, view))
    }
    for relationship in schema.toOnes {
      let found = try ends(of: row, relationship, view)
      if found.count > 1 {
        throw refusal(
          mapping.destination.relationships[relationship].name, row, view, "Several objects lead to this one")
      }
      result.toOnes.append(found.first?.target)
      result.positions.append(found.first?.inversePosition ?? 0)
    }
    return Result(row: result, links: try tables.flatMap { try ends(of: row, $0, view) })
  }

  private func value(
    of attribute: StoreSchema.Attribute, _ rule: StoreMapping.Attribute, _ row: StoredRow, _ view: StoreView
  ) throws -> StoredValue {
    guard let value = (rule.source.map { row.attributes[$0] } ?? .null).converted(to: attribute.type) else {
      throw refusal(attribute.name, row, view, "The value does not fit the attribute's type")
    }
    let wasRequired = rule.source.map { mapping.source.entities[Int(row.id.entity)].attributes[$0].isRequired }
    // A value that was missing though it was required stays missing.
    guard value == .null, wasRequired == nil || (attribute.isRequired && wasRequired == false) else { return value }
    if rule.defaultValue == .null, attribute.isRequired, !attribute.isDerived {
      throw refusal(
        attribute.name, row, view, "Validation error missing attribute values on mandatory destination attribute")
    }
    return rule.defaultValue
  }

  private func refusal(_ property: String, _ row: StoredRow, _ view: StoreView, _ reason: String) -> NotMigratable {
    NotMigratable(
      entity: schema.name, property: property, object: view.folder.names.text(row.id), reason: reason)
  }

  // MARK: Relationships

  /// The targets of an object's relationship, as objects of the destination. They come from the mapped source
  /// relationship, or otherwise from the mapped inverse.
  private func ends(of row: StoredRow, _ relationship: Int, _ view: StoreView) throws -> [Link] {
    var found: [Link] = []
    if let known = mapping.relationships[relationship] {
      found = try ends(of: row, known, isInverted: false, view)
    } else if let inverse = mapping.destination.relationships[relationship].inverse,
      let known = mapping.relationships[inverse]
    {
      found = try ends(of: row, known, isInverted: true, view)
    }
    return found.compactMap { link in
      guard let target = mapping.target(link.target, targets) else { return nil }
      return Link(
        relationship: relationship, target: target, position: link.position, inversePosition: link.inversePosition)
    }
  }

  /// The targets of a source object's relationship, or, inverted, the objects that have it as their target.
  private func ends(of row: StoredRow, _ known: Int, isInverted: Bool, _ view: StoreView) throws -> [Link] {
    func link(_ target: RowID, _ position: Int64, _ inversePosition: Int64) -> Link {
      Link(
        relationship: known, target: target, position: isInverted ? inversePosition : position,
        inversePosition: isInverted ? position : inversePosition)
    }
    switch (mapping.source.relationships[known].storage, isInverted) {
    case (.row, false), (.inverse, true):
      // The object's own row has the target.
      var toOne = known
      if case .inverse(let inverse) = mapping.source.relationships[known].storage { toOne = inverse }
      guard let slot = mapping.source.entities[Int(row.id.entity)].toOnes.firstIndex(of: toOne),
        let target = row.toOnes[slot]
      else { return [] }
      return [isInverted ? link(target, row.position(slot), 0) : link(target, 0, row.position(slot))]
    case (.row, true):
      return try view.sources(of: known, to: row.id).map { link($0.id, 0, $0.position) }
    case (.inverse(let inverse), false):
      return try view.sources(of: inverse, to: row.id).map { link($0.id, $0.position, 0) }
    case (.links(let table, let isForward), _):
      let isNear = isForward != isInverted
      let isMirrored = mapping.source.relationships[known].inverse == known
      let near = try view.links(table, isNear ? .forward : .backward, of: row.id).map { ($0.id, isNear) }
      // A relationship that is its own inverse is the same from both sides.
      let far =
        isMirrored ? try view.links(table, isNear ? .backward : .forward, of: row.id).map { ($0.id, !isNear) } : []
      return try (near + far).compactMap { other, isFrom in
        let pair = try view.storedLink(table, from: isFrom ? row.id : other, to: isFrom ? other : row.id)
        guard let pair else { return nil }
        let (mine, theirs) =
          isFrom ? (pair.position, pair.inversePosition) : (pair.inversePosition, pair.position)
        return isInverted ? link(other, theirs, mine) : link(other, mine, theirs)
      }
    }
  }
}
