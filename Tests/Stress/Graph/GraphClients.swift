/// A context's unsaved edits, and all properties that they affect.
struct GraphClient {
  var edits: [GraphEdit] = []
  var touched = Set<GraphTouch>()
}

/// The unsaved edits of the contexts of a ``GraphRun``, except of the contexts that merge no saves of others.
struct GraphClients {
  /// Indexed by process and context.
  private var clients = Array(repeating: Self.none, count: GraphRun.processes)
  /// Processes with a child context that has not read its parent's latest changes yet.
  private var behind = Set<Int>()

  private static let none = Array(repeating: GraphClient(), count: GraphWorker.stale)

  subscript(process: Int, context: Int) -> GraphClient {
    get { clients[process][context] }
    set { clients[process][context] = newValue }
  }

  mutating func add(_ edit: GraphEdit, _ touched: Set<GraphTouch>, _ process: Int, _ context: Int) {
    clients[process][context].edits.append(edit)
    clients[process][context].touched.formUnion(touched)
    if context == GraphWorker.parent { behind.insert(process) }
  }

  /// Discards the unsaved edits of a context.
  mutating func rollBack(_ process: Int, _ context: Int) {
    clients[process][context] = GraphClient()
    if context == GraphWorker.parent { behind.insert(process) }
  }

  /// Saves a context. A child's saved edits become unsaved edits of its parent.
  mutating func save(_ process: Int, _ context: Int) {
    let client = clients[process][context]
    clients[process][context] = GraphClient()
    guard context == GraphWorker.child else { return }
    clients[process][GraphWorker.parent].edits += client.edits
    clients[process][GraphWorker.parent].touched.formUnion(client.touched)
  }

  /// Discards all unsaved edits of a process that ended.
  mutating func clear(_ process: Int) {
    clients[process] = Self.none
    behind.remove(process)
  }

  /// Whether a child context must refresh the objects that its parent changed. The caller then refreshes them.
  mutating func catchUp(_ process: Int) -> Bool { behind.remove(process) != nil }

  /// Whether a context has a child with unsaved edits.
  func hasChild(_ process: Int, _ context: Int) -> Bool {
    context == GraphWorker.parent && !self[process, GraphWorker.child].edits.isEmpty
  }

  /// The state that a context sees.
  func view(_ process: Int, _ context: Int, of saved: GraphState) -> GraphState {
    let base = context == GraphWorker.child ? view(process, GraphWorker.parent, of: saved) : saved
    return base.applying(self[process, context].edits)
  }

  /// All properties that unsaved edits affect.
  var busy: Set<GraphTouch> { clients.joined().reduce(into: []) { $0.formUnion($1.touched) } }

  /// All properties that unsaved edits of other contexts affect, except those of the parent that a child reads from.
  func busy(beside process: Int, _ context: Int) -> Set<GraphTouch> {
    var others = self
    others.clients[process][context] = GraphClient()
    if context == GraphWorker.child { others.clients[process][GraphWorker.parent] = GraphClient() }
    return others.busy
  }
}
