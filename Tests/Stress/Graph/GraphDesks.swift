/// What the contexts of a ``GraphRun`` have not saved. The contexts that follow nothing are not among them.
struct GraphDesks {
  /// A context's unsaved edits, and all that they concern.
  struct Desk {
    var edits: [GraphEdit] = []
    var touched = Set<GraphTouch>()
  }

  /// By process and context.
  private var desks = Array(repeating: Self.none, count: GraphRun.processes)
  /// The processes whose child contexts have not seen yet what their parents changed since.
  private var behind = Set<Int>()

  private static let none = Array(repeating: Desk(), count: GraphWorker.stale)

  subscript(process: Int, context: Int) -> Desk {
    get { desks[process][context] }
    set { desks[process][context] = newValue }
  }

  mutating func add(_ edit: GraphEdit, _ touched: Set<GraphTouch>, _ process: Int, _ context: Int) {
    desks[process][context].edits.append(edit)
    desks[process][context].touched.formUnion(touched)
    if context == GraphWorker.parent { behind.insert(process) }
  }

  /// A context gives up what it did not save.
  mutating func rollBack(_ process: Int, _ context: Int) {
    desks[process][context] = Desk()
    if context == GraphWorker.parent { behind.insert(process) }
  }

  /// A context saves. What a child saves is unsaved in its parent.
  mutating func save(_ process: Int, _ context: Int) {
    let desk = desks[process][context]
    desks[process][context] = Desk()
    guard context == GraphWorker.child else { return }
    desks[process][GraphWorker.parent].edits += desk.edits
    desks[process][GraphWorker.parent].touched.formUnion(desk.touched)
  }

  /// A process is gone, with all that it did not save.
  mutating func clear(_ process: Int) {
    desks[process] = Self.none
    behind.remove(process)
  }

  /// Whether a child context has to read anew what its parent changed, which is then done.
  mutating func catchUp(_ process: Int) -> Bool { behind.remove(process) != nil }

  /// Whether a context's child has edits of its own.
  func hasChild(_ process: Int, _ context: Int) -> Bool {
    context == GraphWorker.parent && !self[process, GraphWorker.child].edits.isEmpty
  }

  /// What a context sees.
  func view(_ process: Int, _ context: Int, of saved: GraphState) -> GraphState {
    let base = context == GraphWorker.child ? view(process, GraphWorker.parent, of: saved) : saved
    return base.applying(self[process, context].edits)
  }

  /// All that is being changed.
  var busy: Set<GraphTouch> { desks.joined().reduce(into: []) { $0.formUnion($1.touched) } }

  /// What is being changed beside a context and what it reads from.
  func busy(beside process: Int, _ context: Int) -> Set<GraphTouch> {
    var others = self
    others.desks[process][context] = Desk()
    if context == GraphWorker.child { others.desks[process][GraphWorker.parent] = Desk() }
    return others.busy
  }
}
