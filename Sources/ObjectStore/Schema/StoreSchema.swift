/// The entities of a store with their attributes, relationships and indexes, according to the model with which the
/// store was opened.
///
/// Entities and relationships are given by their indexes in these lists. The indexes hold for one version of a model:
/// the files name entities and properties by their names, and the store's index is rebuilt when the schema changes.
package struct StoreSchema: Sendable, Hashable {
  /// Ordered by name.
  package private(set) var entities: [Entity]
  /// Ordered by declaring entity and name. Inherited relationships are listed once, under the entity that declares
  /// them.
  package private(set) var relationships: [Relationship]

  package struct Entity: Sendable, Hashable {
    package var name: String
    package var parent: Int?
    package var isAbstract: Bool
    /// The attributes that are stored, own and inherited, ordered by name.
    package var attributes: [Attribute]
    /// All relationships, own and inherited, ordered by name.
    package var relationships: [Int]
    /// The to-one relationships, by name. The row holds their targets.
    package var toOnes: [Int]
    /// The indexes in ``toOnes`` of the relationships with an ordered inverse: rows have a position there.
    package var orderedToOnes: [Int] = []
    /// The fetch indexes, own and inherited.
    package var indexes: [FetchIndex]
    /// The entity itself and all below it.
    package var family: [Int]
    /// The topmost ancestor, or the entity itself.
    package var root: Int
    package var versionHash: String
    /// Identifier that another version of the model uses for this entity; nil if it is the name.
    package var renamingIdentifier: String?
  }

  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var type: AttributeType
    /// Whether large values are stored in files of their own.
    package var isExternal: Bool
    /// Whether the history preserves the value of a deleted object.
    package var isPreserved: Bool
    /// Whether the cloud holds the value encrypted.
    package var isEncrypted: Bool
    /// The expression that computes the value at each save, as in the model; nil for an attribute that is not derived.
    package var derivation: String?
    /// Whether the model requires a value. The store does not enforce it.
    package var isRequired: Bool
    /// Identifier that another version of the model uses for this attribute; nil if it is the name.
    package var renamingIdentifier: String?

    package var isDerived: Bool { derivation != nil }

    package init(
      name: String, type: AttributeType, isExternal: Bool = false, isPreserved: Bool = false, isEncrypted: Bool = false,
      derivation: String? = nil, isRequired: Bool = false, renamingIdentifier: String? = nil
    ) {
      (self.name, self.type, self.isExternal, self.isPreserved) = (name, type, isExternal, isPreserved)
      (self.isEncrypted, self.derivation, self.isRequired) = (isEncrypted, derivation, isRequired)
      self.renamingIdentifier = renamingIdentifier
    }
  }

  package enum AttributeType: String, Sendable, Hashable, CaseIterable {
    case integer16, integer32, integer64, decimal, double, float, string, boolean, date, binary, uuid, uri,
      transformable
  }

  package struct Relationship: Sendable, Hashable {
    package var name: String
    /// The entity that declares it.
    package var entity: Int
    package var destination: Int
    package var isToMany: Bool
    package var isOrdered: Bool
    package var inverse: Int?
    package var storage: RelationshipStorage
    /// Identifier that another version of the model uses for this relationship; nil if it is the name.
    package var renamingIdentifier: String?
  }

  /// Where the links of a relationship are stored.
  package enum RelationshipStorage: Sendable, Hashable {
    /// In the row of the object that has it: the relationship is to one object.
    case row
    /// Not stored: they follow from the rows of the inverse relationship, a to-one relationship.
    case inverse(Int)
    /// In rows of their own, one for each pair. `table`: the relationship that names the table. `isForward`: whether
    /// this is that relationship, so that its objects are the first ones of the pairs.
    case links(table: Int, isForward: Bool)
  }

  package struct FetchIndex: Sendable, Hashable {
    package var name: String
    package var elements: [Element]
    /// Whether no two objects of the entity that declares it, or of those below, may have the same values.
    package var isUnique: Bool

    package struct Element: Sendable, Hashable {
      package var property: String
      package var isAscending: Bool

      package init(property: String, isAscending: Bool) {
        (self.property, self.isAscending) = (property, isAscending)
      }
    }

    package init(name: String, elements: [Element], isUnique: Bool = false) {
      (self.name, self.elements, self.isUnique) = (name, elements, isUnique)
    }
  }
}

extension StoreSchema {
  /// An entity as a model declares it, without inherited properties.
  package struct Declaration: Sendable {
    package var name: String
    package var parent: String?
    package var isAbstract = false
    package var attributes: [Attribute] = []
    package var relationships: [RelationshipDeclaration] = []
    package var indexes: [FetchIndex] = []
    package var versionHash = ""
    package var renamingIdentifier: String?

    package init(name: String, parent: String? = nil) {
      (self.name, self.parent) = (name, parent)
    }
  }

  package struct RelationshipDeclaration: Sendable {
    package var name: String
    package var destination: String
    package var isToMany: Bool
    package var isOrdered: Bool
    /// The name of the inverse relationship. The destination declares or inherits it.
    package var inverse: String?
    package var renamingIdentifier: String?

    package init(
      name: String, destination: String, isToMany: Bool, isOrdered: Bool = false, inverse: String? = nil,
      renamingIdentifier: String? = nil
    ) {
      (self.name, self.destination, self.isToMany, self.isOrdered) = (name, destination, isToMany, isOrdered)
      (self.inverse, self.renamingIdentifier) = (inverse, renamingIdentifier)
    }
  }

  /// Resolves names and inheritance. The model was validated: parents and destinations exist, and nothing inherits from
  /// itself.
  package init(_ declarations: [Declaration]) {
    let sorted = declarations.sorted { $0.name < $1.name }
    let indexByName = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.name, $0) })
    relationships = []
    for (index, entity) in sorted.enumerated() {
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
        relationships.append(
          Relationship(
            name: relationship.name, entity: index, destination: indexByName[relationship.destination] ?? index,
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, inverse: nil, storage: .row,
            renamingIdentifier: relationship.renamingIdentifier))
      }
    }
    entities = []
    for index in sorted.indices {
      var chain = [index]
      while let parent = sorted[chain[0]].parent.flatMap({ indexByName[$0] }) { chain.insert(parent, at: 0) }
      let own = relationships.indices.filter { chain.contains(relationships[$0].entity) }
      let all = own.sorted { relationships[$0].name < relationships[$1].name }
      entities.append(
        Entity(
          name: sorted[index].name, parent: chain.dropLast().last, isAbstract: sorted[index].isAbstract,
          attributes: chain.flatMap { sorted[$0].attributes }.sorted { $0.name < $1.name }, relationships: all,
          toOnes: all.filter { !relationships[$0].isToMany }, indexes: chain.flatMap { sorted[$0].indexes },
          family: [], root: chain[0], versionHash: sorted[index].versionHash,
          renamingIdentifier: sorted[index].renamingIdentifier))
    }
    for index in entities.indices {
      var ancestor: Int? = index
      while let present = ancestor {
        entities[present].family.append(index)
        ancestor = entities[present].parent
      }
    }
    resolveInverses(sorted, indexByName)
  }

  private mutating func resolveInverses(_ declarations: [Declaration], _ indexByName: [String: Int]) {
    for index in relationships.indices {
      let declared = declarations[relationships[index].entity].relationships
        .first { $0.name == relationships[index].name }
      relationships[index].inverse = declared?.inverse.flatMap { name in
        entities[relationships[index].destination].relationships.first { relationships[$0].name == name }
      }
    }
    for index in relationships.indices where relationships[index].isToMany {
      guard let inverse = relationships[index].inverse else {
        relationships[index].storage = .links(table: index, isForward: true)
        continue
      }
      relationships[index].storage =
        relationships[inverse].isToMany
        ? .links(table: min(index, inverse), isForward: index <= inverse) : .inverse(inverse)
    }
    for index in entities.indices {
      entities[index].orderedToOnes = entities[index].toOnes.indices.filter { isOrdered(entities[index].toOnes[$0]) }
    }
  }

  /// Whether the inverse of a relationship is ordered and follows from the rows that have this one.
  private func isOrdered(_ toOne: Int) -> Bool {
    relationships.contains { $0.storage == .inverse(toOne) && $0.isOrdered }
  }

  /// The schema without the parts that may differ between model versions that store the same data.
  var layout: StoreSchema {
    var layout = self
    for index in entities.indices {
      layout.entities[index].versionHash = ""
      layout.entities[index].renamingIdentifier = nil
      layout.entities[index].indexes = []
      for number in entities[index].attributes.indices {
        layout.entities[index].attributes[number].isRequired = false
        layout.entities[index].attributes[number].renamingIdentifier = nil
      }
    }
    for index in relationships.indices { layout.relationships[index].renamingIdentifier = nil }
    return layout
  }

  package func entity(named name: String) -> Int? { entities.firstIndex { $0.name == name } }

  /// The relationship of an entity by its name, declared or inherited.
  package func relationship(named name: String, of entity: Int) -> Int? {
    entities[entity].relationships.first { relationships[$0].name == name }
  }
}
