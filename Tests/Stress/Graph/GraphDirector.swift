import TestSupport

typealias GraphProcess = WorkerProcess<GraphCommand, GraphAnswer>

/// Coordinates the processes of a ``GraphRun``, and checks their answers against the reference.
struct GraphDirector {
  let folder: String
  private let executable: String
  var processes: [GraphProcess] = []
  var author: GraphAuthor
  /// The saved state.
  var state = GraphState()
  var clients = GraphClients()
  var report: ScenarioReport

  init(_ folder: String, executable: String, seed: UInt64) throws {
    self.folder = folder
    self.executable = executable
    author = GraphAuthor(seed: seed)
    report = ScenarioReport("seed \(seed)")
    for process in 0..<GraphRun.processes { processes.append(try start(process)) }
  }

  func start(_ process: Int) throws -> GraphProcess {
    try GraphProcess(
      "p\(process)", executable, ["graph-worker", "p\(process)", folder],
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
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

  mutating func addStep(_ kind: String, _ text: String) {
    report[count: kind] += 1
    report.addStep("\(kind) \(text)")
  }

  @discardableResult
  func ask(_ process: Int, _ command: GraphCommand) throws -> GraphAnswer {
    let answer = try processes[process].ask(command)
    if let trouble = answer.trouble { throw ScenarioEnd("p\(process): \(trouble)") }
    return answer
  }

  mutating func expect(_ isAsExpected: Bool, _ text: @autoclosure () -> String) {
    if !isAsExpected { report.problems.append("step \(report.steps): \(text())") }
  }

  // MARK: Changes

  private mutating func edit(_ process: Int, _ context: Int) throws {
    try catchUp(process, context)
    let before = clients.view(process, context, of: state)
    let busy = clients.busy(beside: process, context)
    for _ in 0..<20 {
      guard let edit = author.edit(before, inChild: context == GraphWorker.child) else { continue }
      let after = before.applying([edit])
      let sets = GraphSets(from: before, to: after)
      var touched = sets.touched(before, after)
      if let touch = edit.touch { touched.insert(touch) }
      // Deleting an object with covers or items would discard the edits of other contexts to these.
      guard busy.isDisjoint(with: touched) else { continue }
      addStep("edits", "p\(process).\(context) \(edit)")
      let answer = try ask(process, .edit(context: context, edit))
      clients.add(edit, touched, process, context)
      expect(answer.code == nil, "error \(answer.code ?? 0)")
      expect(
        answer.changed.inserted == sets.inserted && answer.changed.deleted == sets.deleted
          && answer.changed.updated.isSuperset(of: sets.updated)
          && answer.changed.updated.isDisjoint(with: sets.inserted.union(sets.deleted)),
        "told of \(answer.changed), not of \(sets)")
      return
    }
  }

  mutating func save(_ process: Int, _ context: Int, policy: GraphPolicy = .error) throws {
    addStep("saves", "p\(process).\(context)")
    let client = clients[process, context]
    let parent = context == GraphWorker.child ? clients.view(process, GraphWorker.parent, of: state) : state
    let after = parent.applying(client.edits)
    let answer = try ask(process, .save(context: context, policy: policy))
    expect(answer.code == nil, "error \(answer.code ?? 0) about \(answer.conflicts)")
    let sets = GraphSets(from: parent, to: after)
    let touched = Set(client.touched.map(\.key) + client.edits.flatMap(\.keys))
    expect(
      answer.saved.inserted == sets.inserted && answer.saved.deleted == sets.deleted
        && answer.saved.updated.isSuperset(of: sets.updated) && answer.saved.updated.isSubset(of: touched),
      "told of \(answer.saved), not of \(sets)")
    clients.save(process, context)
    if context == GraphWorker.child { return }
    try follow(from: state, to: after, process, context)
    state = after
  }

  /// A batch request on objects without unsaved edits.
  private mutating func batch(_ process: Int) throws {
    let busy = clients.busy
    guard let batch = author.batch(state) else { return }
    let after = state.applying(batch.edits)
    guard busy.isDisjoint(with: GraphSets(from: state, to: after).touched(state, after)) else { return }
    addStep("batches", "p\(process) \(batch)")
    let answer = try ask(process, .batch(batch))
    expect(answer.code == nil, "error \(answer.code ?? 0)")
    try follow(from: state, to: after, process, 0)
    state = after
  }

  private mutating func rollBack(_ process: Int, _ context: Int) throws {
    // Edits that a child context depends on are not rolled back.
    if clients.hasChild(process, context) { return }
    addStep("rollbacks", "p\(process).\(context)")
    try ask(process, .rollback(context: context))
    clients.rollBack(process, context)
    try look(process, context)
  }

  private mutating func reset(_ process: Int, _ context: Int) throws {
    if clients.hasChild(process, context) { return }
    addStep("resets", "p\(process).\(context)")
    try ask(process, .reset(context: context))
    clients[process, context] = GraphClient()
    // A child must not read from objects that its parent has reset.
    if context == GraphWorker.parent { try ask(process, .reset(context: GraphWorker.child)) }
    try look(process, context)
  }
}
