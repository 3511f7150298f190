import CoreData

/// An object in the reference: all its values, and both sides of its relationships.
struct GraphNode: Hashable, Codable {
  var entity: String
  var store: Int
  /// Values that are not nil, as texts.
  var values: [String: String]
  /// Related keys, sorted unless the relationship is ordered; no entry for an empty relationship.
  var links: [String: [Int]] = [:]

  /// The names of the properties that differ from another version.
  func differences(from other: GraphNode) -> Set<String> {
    Set(
      GraphSchema.properties(of: entity).filter {
        values[$0] != other.values[$0] || (links[$0] ?? []) != (other.links[$0] ?? [])
      })
  }
}

/// One change, in any context.
enum GraphEdit: Hashable, Codable {
  case insert(Int, entity: String, store: Int)
  case set(Int, String, String?)
  /// Sets a relationship to one object.
  case point(Int, String, at: Int?)
  case add(Int, String, Int)
  case remove(Int, String, Int)
  case delete(Int)

  /// The objects that the edit names. Notifications list them even if they are unchanged afterwards.
  var keys: [Int] {
    switch self {
    case .insert(let key, _, _), .set(let key, _, _), .delete(let key): [key]
    case .point(let key, _, let target): [key] + (target.map { [$0] } ?? [])
    case .add(let key, _, let target), .remove(let key, _, let target): [key, target]
    }
  }

  /// The property that the edit sets, also if its value stays the same.
  var touch: GraphTouch? {
    switch self {
    case .insert, .delete: nil
    case .set(let key, let name, _), .point(let key, let name, _),
      .add(let key, let name, _), .remove(let key, let name, _):
      GraphTouch(key: key, property: name)
    }
  }
}

/// The reference: a graph as a dictionary, and the effect of each change on it, written from the rules only.
struct GraphState: Equatable {
  private(set) var nodes: [Int: GraphNode] = [:]

  /// Combines the objects of each store from that store's state.
  init(stores: [GraphState]) {
    for (store, state) in stores.enumerated() {
      nodes.merge(state.nodes.filter { $0.value.store == store }) { first, _ in first }
    }
  }

  init() {}

  func applying(_ edits: [GraphEdit]) -> GraphState {
    var state = self
    for edit in edits { state.apply(edit) }
    return state
  }

  mutating func apply(_ edit: GraphEdit) {
    switch edit {
    case .insert(let key, let entity, let store):
      let attributes = GraphSchema.attributes(of: entity)
      nodes[key] = GraphNode(
        entity: entity, store: store, values: GraphSchema.defaults.filter { attributes[$0.key] != nil })
    case .set(let key, let name, let value): nodes[key]?.values[name] = value
    case .point(let key, let name, let target): point(key, name, at: target)
    case .add(let key, let name, let target):
      let relationship = relationship(key, name)
      if inverse(of: relationship).isToMany {
        link(key, relationship, target)
      } else if nodes[target]?.links[relationship.inverse] != [key] {
        point(target, relationship.inverse, at: key)
      }
    case .remove(let key, let name, let target): unlink(key, relationship(key, name), target)
    case .delete(let key): delete(key)
    }
  }

  private func relationship(_ key: Int, _ name: String) -> GraphSchema.Relationship {
    GraphSchema.relationship(name, of: nodes[key]?.entity ?? "")
  }

  private func inverse(of relationship: GraphSchema.Relationship) -> GraphSchema.Relationship {
    GraphSchema.relationship(relationship.inverse, of: relationship.destination)
  }

  private mutating func point(_ key: Int, _ name: String, at target: Int?) {
    let relationship = relationship(key, name)
    if nodes[key]?.links[name] == target.map({ [$0] }) { return }
    for old in nodes[key]?.links[name] ?? [] { unlink(key, relationship, old) }
    guard let target else { return }
    // The partner of a one-to-one relationship loses its own.
    if !inverse(of: relationship).isToMany {
      for old in nodes[target]?.links[relationship.inverse] ?? [] { unlink(old, relationship, target) }
    }
    link(key, relationship, target)
  }

  private mutating func link(_ key: Int, _ relationship: GraphSchema.Relationship, _ target: Int) {
    insert(target, into: key, relationship)
    insert(key, into: target, inverse(of: relationship))
  }

  private mutating func insert(_ target: Int, into key: Int, _ relationship: GraphSchema.Relationship) {
    var members = nodes[key]?.links[relationship.name] ?? []
    if members.contains(target) { return }
    members.append(target)
    nodes[key]?.links[relationship.name] = relationship.isOrdered ? members : members.sorted()
  }

  private mutating func unlink(_ key: Int, _ relationship: GraphSchema.Relationship, _ target: Int) {
    drop(target, from: key, relationship.name)
    drop(key, from: target, relationship.inverse)
  }

  private mutating func drop(_ target: Int, from key: Int, _ name: String) {
    guard let members = nodes[key]?.links[name] else { return }
    let left = members.filter { $0 != target }
    nodes[key]?.links[name] = left.isEmpty ? nil : left
  }

  /// The caller must not delete an object if a delete rule denies it.
  private mutating func delete(_ key: Int) {
    guard let node = nodes[key] else { return }
    nodes[key] = nil
    for relationship in GraphSchema.relationships(of: node.entity) {
      for target in node.links[relationship.name] ?? [] {
        drop(key, from: target, relationship.inverse)
        if relationship.rule == .cascadeDeleteRule { delete(target) }
      }
    }
  }
}

/// Keys of objects by their kind of change.
struct GraphSets: Hashable, Codable, CustomStringConvertible {
  var inserted = Set<Int>()
  var updated = Set<Int>()
  var deleted = Set<Int>()
  /// The names of the changed properties of the updated objects.
  var properties: [Int: Set<String>] = [:]

  var description: String {
    let changes = updated.sorted().map { "\($0) \((properties[$0] ?? []).sorted())" }
    return "+\(inserted.sorted()) -\(deleted.sorted()) ~\(changes)"
  }

  /// The changes in this value that another one lacks.
  func without(_ other: GraphSets) -> GraphSets {
    var rest = GraphSets(
      inserted: inserted.subtracting(other.inserted), updated: updated.subtracting(other.updated),
      deleted: deleted.subtracting(other.deleted))
    for (key, names) in properties where names != other.properties[key] {
      rest.updated.insert(key)
      rest.properties[key] = names
    }
    return rest
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension GraphSets {
  /// The differences between two states. `store`: within one store only.
  init(from old: GraphState, to new: GraphState, store: Int? = nil) {
    for key in Set(old.nodes.keys).union(new.nodes.keys) {
      if let store, (new.nodes[key] ?? old.nodes[key])?.store != store { continue }
      switch (old.nodes[key], new.nodes[key]) {
      case (nil, _?): inserted.insert(key)
      case (_?, nil): deleted.insert(key)
      case (let one?, let other?) where one != other:
        updated.insert(key)
        properties[key] = other.differences(from: one)
      default: break
      }
    }
  }

  /// All properties that the change affects: no other context may change them concurrently.
  func touched(_ old: GraphState, _ new: GraphState) -> Set<GraphTouch> {
    var touched = Set<GraphTouch>()
    for key in inserted.union(deleted) {
      let entity = (new.nodes[key] ?? old.nodes[key])?.entity ?? ""
      for name in GraphSchema.properties(of: entity) { touched.insert(GraphTouch(key: key, property: name)) }
    }
    for (key, names) in properties { for name in names { touched.insert(GraphTouch(key: key, property: name)) } }
    return touched
  }
}

struct GraphTouch: Hashable {
  var key: Int
  var property: String
}
