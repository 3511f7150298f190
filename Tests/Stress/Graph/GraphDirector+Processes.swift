import LocalCloudObjectStore

/// Processes that are killed and started again, and the stores that they leave.
extension GraphDirector {
  /// About the number of calls that change a file in a save. A process that is still alive is killed after its save.
  private static let mostCalls = 5

  /// Kills a process while it saves: each store must have the complete state of before or after the save.
  mutating func killInSave(_ process: Int) throws {
    let context = author.random(GraphWorker.child)
    let after = clients.view(process, context, of: state)
    guard after != state else { return }
    addStep("kills", "p\(process).\(context)")
    try processes[process].end(in: .saveAndDie(context: context, call: author.random(Self.mostCalls)))
    try startAnew(process)
    let nodes = try ask(process, .dump(context: 0, keeps: false)).nodes
    let stores = (0..<GraphRun.stores).map { store in
      let own = nodes.filter { $0.value.store == store }
      return own == after.nodes.filter { $0.value.store == store } ? after : state
    }
    let found = GraphState(stores: stores)
    if found != state { report[count: "kills after the commit"] += 1 }
    compare(nodes, found, "after the kill, p\(process) sees")
    try follow(from: state, to: found, process, context, except: process)
    state = found
  }

  /// Starts a process again after a kill.
  private mutating func startAnew(_ process: Int) throws {
    clients.clear(process)
    processes[process] = try start(process)
  }

  // MARK: Processes and stores

  /// Kills a process with all its unsaved edits, and starts it again.
  mutating func restart(_ process: Int) throws {
    addStep("restarts", "p\(process)")
    processes[process].kill()
    try startAnew(process)
    try look(process, 0)
  }

  mutating func purge(_ process: Int) throws {
    addStep("purges", "p\(process)")
    try ask(process, .purge)
    for other in processes.indices {
      expect(try ask(other, .transactions).transactions.isEmpty, "p\(other) has news after a purge")
    }
  }

  /// Restarts all processes, so that they read all saved data without objects in memory.
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
