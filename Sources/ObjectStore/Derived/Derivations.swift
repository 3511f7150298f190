/// All derived attributes of a store's schema, and the properties that they depend on.
struct Derivations: Sendable {
  /// A property whose changes affect derived attributes, and the path back over `hops` to the objects that have them.
  struct Watch: Sendable, Hashable {
    enum Property: Sendable, Hashable {
      case attribute(Int)
      case toOne(Int)
    }

    /// Given by its index in the row.
    var property: Property
    var hops: [Int]
  }

  /// An aggregate that members of an entity are counted in.
  struct Membership: Sendable {
    var aggregate: Derivation.Aggregate
    /// The index, in the member's row, of the relationship to the owner.
    var toOne: Int
  }

  /// An aggregate over the pairs of a table.
  struct Pairing: Sendable {
    var aggregate: Derivation.Aggregate
    /// Whether owners come first in the pairs.
    var isForward: Bool
    /// Whether both objects of a pair are owners.
    var isOwnInverse: Bool
  }

  /// By entity.
  private(set) var own: [[Derivation]]
  private(set) var watches: [[Watch]]
  private(set) var memberships: [[Membership]]
  /// Keyed by the relationship that names the table.
  private(set) var pairings: [Int: [Pairing]] = [:]
  private(set) var isEmpty = true

  /// Throws ``ObjectStoreError/derivation(path:entity:attribute:reason:)`` for an attribute that can't be computed.
  init(_ schema: StoreSchema, path: String) throws(ObjectStoreError) {
    own = Array(repeating: [], count: schema.entities.count)
    watches = Array(repeating: [], count: schema.entities.count)
    memberships = Array(repeating: [], count: schema.entities.count)
    var watched = [Set<Watch>](repeating: [], count: schema.entities.count)
    var aggregates: Set<Derivation.Aggregate> = []
    for entity in schema.entities.indices {
      for (index, attribute) in schema.entities[entity].attributes.enumerated() {
        guard let text = attribute.derivation else { continue }
        let derivation: Derivation
        do { derivation = try Derivation(text, index: index, of: entity, schema) } catch {
          throw .derivation(
            path: path, entity: schema.entities[entity].name, attribute: attribute.name, reason: error.reason)
        }
        isEmpty = false
        own[entity].append(derivation)
        switch derivation.rule {
        case .now: break
        case .value(let hops, let attribute, _): Self.watch(hops, attribute, schema, &watched)
        case .aggregate(let aggregate): aggregates.insert(aggregate)
        }
      }
    }
    watches = watched.map { Array($0) }
    for aggregate in aggregates { addMemberships(aggregate, schema) }
  }

  private static func watch(_ hops: [Int], _ attribute: String, _ schema: StoreSchema, _ watched: inout [Set<Watch>]) {
    for (index, hop) in hops.enumerated() {
      let back = Array(hops[...index])
      for entity in schema.entities[schema.relationships[hop].destination].family {
        if index + 1 < hops.count {
          guard let slot = schema.entities[entity].toOnes.firstIndex(of: hops[index + 1]) else { continue }
          watched[entity].insert(Watch(property: .toOne(slot), hops: back))
        } else if let slot = schema.entities[entity].attributes.firstIndex(where: { $0.name == attribute }) {
          watched[entity].insert(Watch(property: .attribute(slot), hops: back))
        }
      }
    }
  }

  private mutating func addMemberships(_ aggregate: Derivation.Aggregate, _ schema: StoreSchema) {
    let relationship = schema.relationships[aggregate.relationship]
    switch relationship.storage {
    case .row: break
    case .inverse(let inverse):
      for entity in schema.entities.indices {
        guard let slot = schema.entities[entity].toOnes.firstIndex(of: inverse) else { continue }
        memberships[entity].append(Membership(aggregate: aggregate, toOne: slot))
      }
    case .links(let table, let isForward):
      pairings[table, default: []].append(
        Pairing(
          aggregate: aggregate, isForward: isForward, isOwnInverse: relationship.inverse == aggregate.relationship))
    }
  }
}
