/// A request to a process of ``GraphRun``. Contexts are numbers: see ``GraphWorker``.
enum GraphCommand: Codable {
  case edit(context: Int, GraphEdit)
  case save(context: Int, policy: GraphPolicy)
  /// A save during which the process kills itself before a call that changes a file. `call`: the call's number, from 0.
  case saveAndDie(context: Int, call: Int)
  /// A batch request in context 0; its changes are merged into the contexts.
  case batch(GraphBatch)
  case rollback(context: Int)
  case reset(context: Int)
  /// Refreshes the unchanged objects of a context.
  case refresh(context: Int)
  /// All objects of a context. `keeps`: the objects stay in memory.
  case dump(context: Int, keeps: Bool)
  /// The transactions since the last request; those of other processes are merged into the contexts.
  case transactions
  case purge
}

enum GraphPolicy: String, Codable, CaseIterable {
  case error, objectTrump, storeTrump, rollback
}

/// A transaction of a history.
struct GraphTransaction: Hashable, Codable {
  var store: Int
  var author: String
  var context: String
  var sets: GraphSets
}

struct GraphAnswer: Codable {
  /// The code of the thrown error.
  var code: Int?
  /// The objects that the error names.
  var conflicts: Set<Int> = []
  /// The changes in the context's notifications.
  var changed = GraphSets()
  var saved = GraphSets()
  var nodes: [Int: GraphNode] = [:]
  var transactions: [GraphTransaction] = []
  /// A violated guarantee.
  var trouble: String?
}
