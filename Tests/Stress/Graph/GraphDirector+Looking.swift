/// Comparison of the processes' objects and histories with the reference.
extension GraphDirector {
  /// Lets every process read and merge the histories, and compares the histories with the reference.
  mutating func follow(
    from old: GraphState, to new: GraphState, _ process: Int, _ context: Int, except restarted: Int? = nil
  ) throws {
    var expected = Set<GraphTransaction>()
    for store in 0..<GraphRun.stores {
      let sets = GraphSets(from: old, to: new, store: store)
      if sets.isEmpty { continue }
      expected.insert(
        GraphTransaction(store: store, author: "p\(process)", context: "\(context)", sets: sets))
    }
    for other in processes.indices where other != restarted {
      let transactions = try ask(other, .transactions).transactions
      if transactions.count == expected.count, Set(transactions) == expected { continue }
      let stores = (0..<GraphRun.stores).map { store in
        let received = transactions.first { $0.store == store }?.sets ?? GraphSets()
        let wanted = expected.first { $0.store == store }?.sets ?? GraphSets()
        return "store \(store): \(received.without(wanted)), not \(wanted.without(received))"
      }
      expect(false, "p\(other) read \(transactions.count) transactions, not \(expected.count): \(stores)")
    }
  }

  mutating func look(_ process: Int, _ context: Int) throws {
    addStep("looks", "p\(process).\(context)")
    try catchUp(process, context)
    let nodes = try ask(process, .dump(context: context, keeps: author.chance(50))).nodes
    compare(nodes, clients.view(process, context, of: state), "p\(process).\(context) sees")
  }

  mutating func compare(_ nodes: [Int: GraphNode], _ expected: GraphState, _ text: String) {
    for key in Set(nodes.keys).union(expected.nodes.keys).sorted() {
      guard let node = nodes[key], var other = expected.nodes[key] else {
        expect(false, "\(text) \(key) as \(nodes[key] as Any), not \(expected.nodes[key] as Any)")
        continue
      }
      // An object has a store only after it is saved.
      if node.store < 0 { other.store = node.store }
      expect(
        node == other && (node.store >= 0 || state.nodes[key] == nil), "\(text) \(key) as \(node), not \(other)")
    }
  }

  /// A child's objects follow the saves of its parent. Unsaved changes of the parent appear after a refresh.
  mutating func catchUp(_ process: Int, _ context: Int) throws {
    guard context == GraphWorker.child, clients.catchUp(process) else { return }
    try ask(process, .refresh(context: context))
  }
}
