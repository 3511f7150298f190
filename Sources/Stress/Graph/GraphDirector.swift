import FaultInjection
import ObjectStore
import Platform

/// Directs the processes of a ``GraphRun``, and checks what they answer against the reference.
struct GraphDirector {
  /// A context of a process, and its unsaved edits.
  private struct Desk {
    var edits: [GraphEdit] = []
    var touched = Set<GraphTouch>()
  }

  private let folder: String
  private let executable: String
  private var processes: [GraphProcess] = []
  private var author: GraphAuthor
  /// What is saved.
  private var state = GraphState()
  /// By process and context; without the contexts that follow nothing.
  private var desks: [[Desk]]
  /// The processes whose child contexts have not seen yet what their parents changed since.
  private var behind = Set<Int>()
  var report: GraphRun.Report

  init(_ folder: String, executable: String, seed: UInt64) throws {
    self.folder = folder
    self.executable = executable
    author = GraphAuthor(seed: seed)
    desks = Array(repeating: Array(repeating: Desk(), count: GraphWorker.stale), count: GraphRun.processes)
    report = GraphRun.Report(seed: seed)
    for number in 0..<GraphRun.processes { processes.append(try GraphProcess("p\(number)", executable, folder)) }
  }

  func end() { for process in processes { process.kill() } }

  // MARK: Steps

  mutating func step() throws {
    report.steps += 1
    let process = author.random(GraphRun.processes)
    let context = author.random(GraphWorker.stale)
    switch author.random(100) {
    case 0..<70: try edit(process, context)
    case 70..<80: try save(process, context)
    case 80..<83: try batch(process)
    case 83..<86: try killInSave(process)
    case 86..<89: try rollBack(process, context)
    case 89..<91: try reset(process, context)
    case 91..<94: try conflict(process)
    case 94..<96: try deny(process)
    case 96: try restart(process)
    case 97: try purge(process)
    default: try look(process, context)
    }
  }

  private mutating func note(_ kind: String, _ text: String = "") {
    report.counts[kind, default: 0] += 1
    report.story = (report.story + ["\(report.steps): \(kind) \(text)"]).suffix(40)
  }

  private mutating func expect(_ isAsExpected: Bool, _ text: @autoclosure () -> String) {
    if !isAsExpected { report.problems.append("step \(report.steps): \(text())") }
  }

  /// What a context sees.
  private func view(_ process: Int, _ context: Int) -> GraphState {
    let base = context == GraphWorker.child ? view(process, 1) : state
    return base.applying(desks[process][context].edits)
  }

  /// What other contexts change meanwhile; those that a context reads from aside.
  private func busy(_ process: Int, _ context: Int) -> Set<GraphTouch> {
    var busy = Set<GraphTouch>()
    for (number, contexts) in desks.enumerated() {
      for (other, desk) in contexts.enumerated() where (number, other) != (process, context) {
        if number == process, context == GraphWorker.child, other == 1 { continue }
        busy.formUnion(desk.touched)
      }
    }
    return busy
  }

  private mutating func edit(_ process: Int, _ context: Int) throws {
    try catchUp(process, context)
    let before = view(process, context)
    let busy = busy(process, context)
    for _ in 0..<20 {
      guard let edit = author.edit(before, inChild: context == GraphWorker.child) else { continue }
      let after = before.applying([edit])
      let sets = GraphSets(from: before, to: after)
      var touched = sets.touched(before, after)
      if let touch = edit.touch { touched.insert(touch) }
      // An object with covers or items is gone with all that others do to them.
      guard busy.isDisjoint(with: touched) else { continue }
      note("edits", "p\(process).\(context) \(edit)")
      let answer = try processes[process].ask(.edit(context: context, edit))
      desks[process][context].edits.append(edit)
      if context == 1 { behind.insert(process) }
      desks[process][context].touched.formUnion(touched)
      expect(answer.code == nil, "error \(answer.code ?? 0)")
      expect(
        answer.changed.inserted == sets.inserted && answer.changed.deleted == sets.deleted
          && answer.changed.updated.isSuperset(of: sets.updated)
          && answer.changed.updated.isDisjoint(with: sets.inserted.union(sets.deleted)),
        "told of \(answer.changed), not of \(sets)")
      return
    }
  }

  /// A child's objects follow what its parent saves. What the parent only changed, they have when they are read anew.
  private mutating func catchUp(_ process: Int, _ context: Int) throws {
    guard context == GraphWorker.child, behind.remove(process) != nil else { return }
    _ = try processes[process].ask(.refresh(context: context))
  }

  private mutating func save(_ process: Int, _ context: Int, policy: GraphPolicy = .error) throws {
    note("saves", "p\(process).\(context)")
    let desk = desks[process][context]
    let parent = context == GraphWorker.child ? view(process, 1) : state
    let after = parent.applying(desk.edits)
    let answer = try processes[process].ask(.save(context: context, policy: policy))
    expect(answer.code == nil, "error \(answer.code ?? 0) about \(answer.conflicts)")
    let sets = GraphSets(from: parent, to: after)
    let touched = Set(desk.touched.map(\.key) + desk.edits.flatMap(\.keys))
    expect(
      answer.saved.inserted == sets.inserted && answer.saved.deleted == sets.deleted
        && answer.saved.updated.isSuperset(of: sets.updated) && answer.saved.updated.isSubset(of: touched),
      "told of \(answer.saved), not of \(sets)")
    desks[process][context] = Desk()
    if context == GraphWorker.child {
      desks[process][1].edits += desk.edits
      desks[process][1].touched.formUnion(desk.touched)
      return
    }
    try follow(from: state, to: after, process, context)
    state = after
  }

  /// A batch request about objects that nobody is changing.
  private mutating func batch(_ process: Int) throws {
    let busy = busy(-1, -1)
    guard let batch = author.batch(state) else { return }
    let after = state.applying(batch.edits)
    guard busy.isDisjoint(with: GraphSets(from: state, to: after).touched(state, after)) else { return }
    note("batches", "p\(process) \(batch)")
    let answer = try processes[process].ask(.batch(batch))
    expect(answer.code == nil, "error \(answer.code ?? 0)")
    try follow(from: state, to: after, process, 0)
    state = after
  }

  /// Kills a process while it saves: each store is as before or as after, as a whole.
  private mutating func killInSave(_ process: Int) throws {
    let context = author.random(GraphWorker.child)
    let after = view(process, context)
    guard after != state else { return }
    note("kills", "p\(process).\(context)")
    try processes[process].kill(in: .save(context: context, policy: .error), after: author.random(4_000))
    desks[process] = Array(repeating: Desk(), count: GraphWorker.stale)
    behind.remove(process)
    processes[process] = try GraphProcess("p\(process)", executable, folder)
    let nodes = try processes[process].ask(.dump(context: 0, keeps: false)).nodes
    let stores = (0..<GraphRun.stores).map { store in
      let own = nodes.filter { $0.value.store == store }
      return own == after.nodes.filter { $0.value.store == store } ? after : state
    }
    let found = GraphState(stores: stores)
    if found != state { report.counts["kills after the commit", default: 0] += 1 }
    compare(nodes, found, "after the kill, p\(process) sees")
    try follow(from: state, to: found, process, context, except: process)
    state = found
  }

  /// Has every process read the histories and merge them, and compares these.
  private mutating func follow(
    from old: GraphState, to new: GraphState, _ process: Int, _ context: Int, except restarted: Int? = nil
  ) throws {
    var expected = Set<GraphTransaction>()
    for store in 0..<GraphRun.stores {
      let sets = GraphSets(from: old, to: new, store: store)
      if sets.isEmpty { continue }
      expected.insert(
        GraphTransaction(store: store, author: "p\(process)", context: "\(context)", sets: sets))
    }
    for other in processes where other.name != restarted.map({ "p\($0)" }) {
      let news = try other.ask(.news).news
      if news.count == expected.count, Set(news) == expected { continue }
      let stores = (0..<GraphRun.stores).map { store in
        let told = news.first { $0.store == store }?.sets ?? GraphSets()
        let wanted = expected.first { $0.store == store }?.sets ?? GraphSets()
        return "store \(store): \(told.without(wanted)), not \(wanted.without(told))"
      }
      expect(false, "\(other.name) read \(news.count) transactions, not \(expected.count): \(stores)")
    }
  }

  private mutating func rollBack(_ process: Int, _ context: Int) throws {
    // What a child builds upon stays.
    if context == 1, !desks[process][GraphWorker.child].edits.isEmpty { return }
    note("rollbacks", "p\(process).\(context)")
    if context == 1 { behind.insert(process) }
    _ = try processes[process].ask(.rollback(context: context))
    desks[process][context] = Desk()
    try look(process, context)
  }

  private mutating func reset(_ process: Int, _ context: Int) throws {
    if context == 1, !desks[process][GraphWorker.child].edits.isEmpty { return }
    note("resets", "p\(process).\(context)")
    _ = try processes[process].ask(.reset(context: context))
    desks[process][context] = Desk()
    // A child has nothing to read from objects that its parent forgot.
    if context == 1 { _ = try processes[process].ask(.reset(context: GraphWorker.child)) }
    try look(process, context)
  }

  private mutating func look(_ process: Int, _ context: Int) throws {
    note("looks", "p\(process).\(context)")
    try catchUp(process, context)
    let nodes = try processes[process].ask(.dump(context: context, keeps: author.chance(50))).nodes
    compare(nodes, view(process, context), "p\(process).\(context) sees")
  }

  private mutating func compare(_ nodes: [Int: GraphNode], _ expected: GraphState, _ text: String) {
    for key in Set(nodes.keys).union(expected.nodes.keys).sorted() {
      guard let node = nodes[key], var other = expected.nodes[key] else {
        expect(false, "\(text) \(key) as \(nodes[key] as Any), not \(expected.nodes[key] as Any)")
        continue
      }
      // It has a store when it is saved.
      if node.store < 0 { other.store = node.store }
      expect(
        node == other && (node.store >= 0 || state.nodes[key] == nil), "\(text) \(key) as \(node), not \(other)")
    }
  }

  // MARK: Conflicts

  /// A context that follows nothing changes an object, which another process may change or delete before it saves.
  private mutating func conflict(_ process: Int) throws {
    let all = busy(-1, -1)
    let free = state.nodes.filter { node in !all.contains { $0.key == node.key } }
    guard let key = author.pick(free.keys.sorted()), let base = state.nodes[key] else { return }
    guard let ours = author.value(of: key, base.entity), let theirs = author.value(of: key, base.entity) else { return }
    let other = (process + 1 + author.random(GraphRun.processes - 1)) % GraphRun.processes
    // Without what is pending in the other's context.
    guard desks[other][0].edits.isEmpty else { return }
    note("conflicts", "p\(process) \(ours) against p\(other) \(theirs)")
    let stale = GraphWorker.stale
    _ = try processes[process].ask(.reset(context: stale))
    _ = try processes[process].ask(.edit(context: stale, ours))
    let kind = author.random(4)
    if kind > 0 {
      let edit = kind == 1 ? .delete(key) : theirs
      if kind == 1, !isDeletable(key, all) { return try giveUp(process) }
      _ = try processes[other].ask(.edit(context: 0, edit))
      desks[other][0].edits = [edit]
      desks[other][0].touched = GraphSets(from: state, to: state.applying([edit])).touched(state, state)
      try save(other, 0)
    }
    let policy = author.pick(GraphPolicy.allCases) ?? .error
    let hasOurs = state.nodes.mapValues { _ in 0 }[key] != nil && base.values != base.applying(ours).values
    let isConflict = hasOurs || state.nodes[key] == nil ? state.nodes[key] != base : false
    let answer = try processes[process].ask(.save(context: stale, policy: policy))
    if policy == .error {
      let expected = isConflict && base.applying(ours) != base
      expect(
        answer.code == (expected ? 133_020 : nil) && answer.conflicts == (expected ? [key] : []),
        "the save ended with \(answer.code ?? 0) about \(answer.conflicts)")
      if expected { return try giveUp(process) }
    }
    expect(answer.code == nil, "the save ended with \(answer.code ?? 0)")
    try settle(ours, base, policy, isConflict, process)
    try giveUp(process)
  }

  /// The state after a save that met a conflict.
  private mutating func settle(
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
    _ = try processes[process].ask(.reset(context: GraphWorker.stale))
  }

  private func isDeletable(_ key: Int, _ busy: Set<GraphTouch>) -> Bool {
    let after = state.applying([.delete(key)])
    let touched = GraphSets(from: state, to: after).touched(state, after)
    return !author.isDenied(key, state) && busy.isDisjoint(with: touched)
  }

  /// Deletes somebody who owns folders: the save fails, and all is as before.
  private mutating func deny(_ process: Int) throws {
    guard desks[process][0].edits.isEmpty,
      let key = author.pick(state.nodes.keys.filter { author.isDenied($0, state) }.sorted())
    else { return }
    note("denials", "p\(process) \(key)")
    _ = try processes[process].ask(.edit(context: 0, .delete(key)))
    let answer = try processes[process].ask(.save(context: 0, policy: .error))
    expect(answer.code == 1600, "the deletion of \(key) ended with \(answer.code ?? 0)")
    _ = try processes[process].ask(.rollback(context: 0))
    try look(process, 0)
  }

  // MARK: Processes and stores

  /// Kills a process, with all that it did not save, and starts it anew.
  private mutating func restart(_ process: Int) throws {
    note("restarts", "p\(process)")
    processes[process].kill()
    desks[process] = Array(repeating: Desk(), count: GraphWorker.stale)
    processes[process] = try GraphProcess("p\(process)", executable, folder)
    try look(process, 0)
  }

  private mutating func purge(_ process: Int) throws {
    note("purges", "p\(process)")
    _ = try processes[process].ask(.purge)
    for other in processes { expect(try other.ask(.news).news.isEmpty, "\(other.name) has news after a purge") }
  }

  /// All processes see all that was saved, with nothing in memory.
  mutating func reopenAll() throws {
    for process in processes.indices { try restart(process) }
  }

  mutating func checkStores() throws {
    for store in 0..<GraphRun.stores {
      let problems = try ObjectStore.stored("\(folder)/\(store).sqlite").check()
      expect(problems.isEmpty, "store \(store): \(problems)")
    }
  }
}

extension GraphNode {
  /// With a value set.
  func applying(_ edit: GraphEdit) -> GraphNode {
    guard case .set(_, let name, let value) = edit else { return self }
    var node = self
    node.values[name] = value
    return node
  }
}
