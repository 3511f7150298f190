import FaultInjection

/// Generates the steps of a ``GraphRun``.
struct GraphAuthor {
  private var generator: SeededGenerator
  private var lastKey = 0

  /// The maximal number of objects. It is small because complete graphs are compared.
  private static let most = 60

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  mutating func chance(_ percent: Int) -> Bool { random(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &generator) }

  /// An edit that is possible in a state; sometimes nil. `inChild`: in a child context, where new objects are not
  /// assigned to a store.
  mutating func edit(_ state: GraphState, inChild: Bool) -> GraphEdit? {
    let keys = state.nodes.keys.sorted()
    if keys.count < 8 || (keys.count < Self.most && chance(20)) {
      lastKey += 1
      let names = ["Folder", "Item", "Item", "Note", "Tag", "Cover", "Owner"]
      return .insert(lastKey, entity: pick(names) ?? "Item", store: inChild ? 0 : random(GraphRun.stores))
    }
    guard let key = pick(keys), let node = state.nodes[key] else { return nil }
    if chance(keys.count > Self.most - 10 ? 15 : 6) { return isDenied(key, state) ? nil : .delete(key) }
    if chance(40) { return value(of: key, node.entity) }
    guard let relationship = pick(GraphSchema.relationships(of: node.entity)) else { return nil }
    let members = node.links[relationship.name] ?? []
    let others = keys.filter { other in
      guard let target = state.nodes[other] else { return false }
      return target.store == node.store && GraphSchema.isKind(target.entity, of: relationship.destination)
        && other != key
    }
    if !relationship.isToMany { return .point(key, relationship.name, at: chance(25) ? nil : pick(others)) }
    if let member = pick(members), chance(35) { return .remove(key, relationship.name, member) }
    return pick(others).map { .add(key, relationship.name, $0) }
  }

  /// A value for an attribute.
  mutating func value(of key: Int, _ entity: String) -> GraphEdit? {
    let attributes = GraphSchema.attributes(of: entity)
    guard let name = pick(attributes.keys.sorted()), let type = attributes[name] else { return nil }
    return .set(key, name, GraphValue.random(type, &generator))
  }

  /// A batch request that is possible in a state; sometimes nil.
  mutating func batch(_ state: GraphState) -> GraphBatch? {
    let keys = state.nodes.keys.sorted()
    switch random(3) {
    case 0 where keys.count < Self.most:
      let entity = pick(["Item", "Note", "Tag", "Cover"]) ?? "Item"
      var rows: [Int: [String: String]] = [:]
      for _ in 0...random(4) {
        lastKey += 1
        rows[lastKey] = [:]
        if case .set(_, let name, let text?)? = value(of: lastKey, entity) { rows[lastKey]?[name] = text }
      }
      return .insert(entity: entity, store: random(GraphRun.stores), rows: rows)
    case 1:
      guard let entity = pick(["Folder", "Item", "Tag"]), case .set(_, let name, let text)? = value(of: 0, entity)
      else { return nil }
      let kin = keys.filter { GraphSchema.isKind(state.nodes[$0]?.entity ?? "", of: entity) }
      return .update(entity: entity, name, text, keys: kin.filter { _ in chance(30) })
    default:
      guard let entity = pick(["Item", "Tag", "Cover"]) else { return nil }
      let lone = keys.filter { key in
        guard let node = state.nodes[key] else { return false }
        return GraphSchema.isKind(node.entity, of: entity) && node.links.isEmpty
      }
      return .delete(entity: entity, keys: lone.filter { _ in chance(30) })
    }
  }

  /// Whether a delete rule denies the deletion of an object.
  func isDenied(_ key: Int, _ state: GraphState) -> Bool {
    guard let node = state.nodes[key] else { return false }
    return GraphSchema.relationships(of: node.entity).contains {
      $0.rule == .denyDeleteRule && !(node.links[$0.name] ?? []).isEmpty
    }
  }
}
