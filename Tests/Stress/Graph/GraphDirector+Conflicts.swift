/// Saves that must fail or meet a conflict.
extension GraphDirector {
  // MARK: Conflicts

  /// A context that merges no saves changes an object. Before it saves, another process may change or delete that
  /// object.
  mutating func conflict(_ process: Int) throws {
    let all = clients.busy
    let free = state.nodes.filter { node in !all.contains { $0.key == node.key } }
    guard let key = author.pick(free.keys.sorted()), let base = state.nodes[key] else { return }
    guard let ours = author.value(of: key, base.entity), let theirs = author.value(of: key, base.entity) else { return }
    let other = (process + 1 + author.random(GraphRun.processes - 1)) % GraphRun.processes
    // Only if the other process's context has no unsaved edits.
    guard clients[other, 0].edits.isEmpty else { return }
    addStep("conflicts", "p\(process) \(ours) against p\(other) \(theirs)")
    let stale = GraphWorker.stale
    try ask(process, .reset(context: stale))
    try ask(process, .edit(context: stale, ours))
    let kind = author.random(4)
    if kind > 0 {
      let edit = kind == 1 ? .delete(key) : theirs
      if kind == 1, !isDeletable(key, all) { return try giveUp(process) }
      try ask(other, .edit(context: 0, edit))
      clients[other, 0].edits = [edit]
      clients[other, 0].touched = GraphSets(from: state, to: state.applying([edit])).touched(state, state)
      try save(other, 0)
    }
    let policy = author.pick(GraphPolicy.allCases) ?? .error
    let isChange = base.applying(ours) != base
    let isConflict = state.nodes[key] != base && (isChange || state.nodes[key] == nil)
    let answer = try ask(process, .save(context: stale, policy: policy))
    if policy == .error {
      let expected = isConflict && isChange
      expect(
        answer.code == (expected ? 133_020 : nil) && answer.conflicts == (expected ? [key] : []),
        "the save ended with \(answer.code ?? 0) about \(answer.conflicts)")
      if expected { return try giveUp(process) }
    }
    expect(answer.code == nil, "the save ended with \(answer.code ?? 0)")
    try applySave(ours, base, policy, isConflict, process)
    try giveUp(process)
  }

  /// The state after a save with a conflict.
  private mutating func applySave(
    _ edit: GraphEdit, _ base: GraphNode, _ policy: GraphPolicy, _ isConflict: Bool, _ process: Int
  ) throws {
    guard case .set(let key, let name, let value) = edit else { return }
    var after = state
    if let now = state.nodes[key] {
      let isTheirs = now.values[name] != base.values[name]
      switch policy {
      case .rollback where isConflict: break
      case .storeTrump where isConflict && isTheirs: break
      default: if value != base.values[name] { after.apply(edit) }
      }
    }
    try follow(from: state, to: after, process, GraphWorker.stale)
    state = after
  }

  private mutating func giveUp(_ process: Int) throws {
    try ask(process, .reset(context: GraphWorker.stale))
  }

  private func isDeletable(_ key: Int, _ busy: Set<GraphTouch>) -> Bool {
    let after = state.applying([.delete(key)])
    let touched = GraphSets(from: state, to: after).touched(state, after)
    return !author.isDenied(key, state) && busy.isDisjoint(with: touched)
  }

  /// Deletes an owner of folders: the save must fail and change nothing.
  mutating func deny(_ process: Int) throws {
    guard clients[process, 0].edits.isEmpty,
      let key = author.pick(state.nodes.keys.filter { author.isDenied($0, state) }.sorted())
    else { return }
    addStep("denials", "p\(process) \(key)")
    try ask(process, .edit(context: 0, .delete(key)))
    let answer = try ask(process, .save(context: 0, policy: .error))
    expect(answer.code == 1600, "the deletion of \(key) ended with \(answer.code ?? 0)")
    try ask(process, .rollback(context: 0))
    try look(process, 0)
  }
}

extension GraphNode {
  /// The node with a value set.
  func applying(_ edit: GraphEdit) -> GraphNode {
    guard case .set(_, let name, let value) = edit else { return self }
    var node = self
    node.values[name] = value
    return node
  }
}
