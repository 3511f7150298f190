/// The entities of a store, their attributes, relationships and indexes, as the model says that the store was opened
/// with.
///
/// Entities and relationships are named by their places in these lists. The places hold for one version of a model: the
/// files name entities and properties by their names, and the index is rebuilt when the schema changes.
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
    /// The relationships whose target is in the row: those to one object, ordered by name.
    package var toOnes: [Int]
    /// The places in ``toOnes`` of those whose inverse is ordered, so that rows have a position there.
    package var orderedToOnes: [Int] = []
    /// The fetch indexes, own and inherited.
    package var indexes: [FetchIndex]
    /// The entity itself and all below it.
    package var family: [Int]
    /// The topmost entity above it, or the entity itself.
    package var root: Int
    package var versionHash: String
    /// By what another version of the model knows the entity; nil if that is the name.
    package var renamingIdentifier: String?
  }

  package struct Attribute: Sendable, Hashable {
    package var name: String
    package var type: AttributeType
    /// Whether large values are kept in files of their own.
    package var isExternal: Bool
    /// Whether a deletion remembers the value in the history.
    package var isPreserved: Bool
    /// Whether the cloud holds the value encrypted.
    package var isEncrypted: Bool
    /// What the value is computed from at each save, as the model has it; nil for an attribute that is not derived.
    package var derivation: String?
    /// Whether the model wants a value. The store does not.
    package var isRequired: Bool
    /// By what another version of the model knows the attribute; nil if that is the name.
    package var renamingIdentifier: String?

    package var isDerived: Bool { derivation != nil }

    package init(
      name: String, type: AttributeType, isExternal: Bool = false, isPreserved: Bool = false, isEncrypted: Bool = false,
      derivation: String? = nil, isRequired: Bool = false, renamingIdentifier: String? = nil
    ) {
      self.name = name
      self.type = type
      self.isExternal = isExternal
      self.isPreserved = isPreserved
      self.isEncrypted = isEncrypted
      self.derivation = derivation
      self.isRequired = isRequired
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
    /// By what another version of the model knows the relationship; nil if that is the name.
    package var renamingIdentifier: String?
  }

  /// Where the links of a relationship are kept.
  package enum RelationshipStorage: Sendable, Hashable {
    /// In the row of the object that has it: the relationship is to one object.
    case row
    /// Nowhere: it follows from the rows of the inverse relationship, which is to one object.
    case inverse(Int)
    /// In rows of their own, one for each pair. `table`: the relationship by which the table is named. `isForward`:
    /// whether this is that relationship, so that its objects come first in the pairs.
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
        self.property = property
        self.isAscending = isAscending
      }
    }

    package init(name: String, elements: [Element], isUnique: Bool = false) {
      self.name = name
      self.elements = elements
      self.isUnique = isUnique
    }
  }
}

extension StoreSchema {
  /// An entity as a model declares it, without what it inherits.
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
      self.name = name
      self.parent = parent
    }
  }

  package struct RelationshipDeclaration: Sendable {
    package var name: String
    package var destination: String
    package var isToMany: Bool
    package var isOrdered: Bool
    /// The name of the inverse relationship, which the destination has or inherits.
    package var inverse: String?
    package var renamingIdentifier: String?

    package init(
      name: String, destination: String, isToMany: Bool, isOrdered: Bool = false, inverse: String? = nil,
      renamingIdentifier: String? = nil
    ) {
      self.name = name
      self.destination = destination
      self.isToMany = isToMany
      self.isOrdered = isOrdered
      self.inverse = inverse
      self.renamingIdentifier = renamingIdentifier
    }
  }

  /// Resolves names and inheritance. The model was validated: parents and destinations exist, and nothing inherits from
  /// itself.
  package init(_ declarations: [Declaration]) {
    let sorted = declarations.sorted { $0.name < $1.name }
    let places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.name, $0) })
    relationships = []
    for (place, entity) in sorted.enumerated() {
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
        relationships.append(
          Relationship(
            name: relationship.name, entity: place, destination: places[relationship.destination] ?? place,
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, inverse: nil, storage: .row,
            renamingIdentifier: relationship.renamingIdentifier))
      }
    }
    entities = []
    for place in sorted.indices {
      var chain = [place]
      while let parent = sorted[chain[0]].parent.flatMap({ places[$0] }) { chain.insert(parent, at: 0) }
      let own = relationships.indices.filter { chain.contains(relationships[$0].entity) }
      let all = own.sorted { relationships[$0].name < relationships[$1].name }
      entities.append(
        Entity(
          name: sorted[place].name, parent: chain.dropLast().last, isAbstract: sorted[place].isAbstract,
          attributes: chain.flatMap { sorted[$0].attributes }.sorted { $0.name < $1.name }, relationships: all,
          toOnes: all.filter { !relationships[$0].isToMany }, indexes: chain.flatMap { sorted[$0].indexes },
          family: [], root: chain[0], versionHash: sorted[place].versionHash,
          renamingIdentifier: sorted[place].renamingIdentifier))
    }
    for place in entities.indices {
      var ancestor: Int? = place
      while let present = ancestor {
        entities[present].family.append(place)
        ancestor = entities[present].parent
      }
    }
    resolveInverses(sorted, places)
  }

  private mutating func resolveInverses(_ declarations: [Declaration], _ places: [String: Int]) {
    for place in relationships.indices {
      let declared = declarations[relationships[place].entity].relationships
        .first { $0.name == relationships[place].name }
      relationships[place].inverse = declared?.inverse.flatMap { name in
        entities[relationships[place].destination].relationships.first { relationships[$0].name == name }
      }
    }
    for place in relationships.indices where relationships[place].isToMany {
      guard let inverse = relationships[place].inverse else {
        relationships[place].storage = .links(table: place, isForward: true)
        continue
      }
      relationships[place].storage =
        relationships[inverse].isToMany
        ? .links(table: min(place, inverse), isForward: place <= inverse) : .inverse(inverse)
    }
    for place in entities.indices {
      entities[place].orderedToOnes = entities[place].toOnes.indices.filter { isOrdered(entities[place].toOnes[$0]) }
    }
  }

  /// Whether the inverse of a relationship is ordered and follows from the rows that have this one.
  private func isOrdered(_ toOne: Int) -> Bool {
    relationships.contains { $0.storage == .inverse(toOne) && $0.isOrdered }
  }

  /// The schema without what tells versions of a model apart whose stores are alike.
  var layout: StoreSchema {
    var layout = self
    for place in entities.indices {
      layout.entities[place].versionHash = ""
      layout.entities[place].renamingIdentifier = nil
      layout.entities[place].indexes = []
      for number in entities[place].attributes.indices {
        layout.entities[place].attributes[number].isRequired = false
        layout.entities[place].attributes[number].renamingIdentifier = nil
      }
    }
    for place in relationships.indices { layout.relationships[place].renamingIdentifier = nil }
    return layout
  }

  package func entity(named name: String) -> Int? { entities.firstIndex { $0.name == name } }

  /// The relationship of that name which an entity has or inherits.
  package func relationship(named name: String, of entity: Int) -> Int? {
    entities[entity].relationships.first { relationships[$0].name == name }
  }
}
