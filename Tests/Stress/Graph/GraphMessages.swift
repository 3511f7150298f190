/// What a process of ``GraphRun`` is asked to do. Contexts are numbers: see ``GraphWorker``.
enum GraphCommand: Codable {
  case edit(context: Int, GraphEdit)
  case save(context: Int, policy: GraphPolicy)
  /// A save in which the process kills itself before a call that changes a file. `call`: its number in the save, from 0.
  case saveAndDie(context: Int, call: Int)
  /// A batch request, in context 0; what it did is merged into the contexts.
  case batch(GraphBatch)
  case rollback(context: Int)
  case reset(context: Int)
  /// Has a context read anew what it did not change.
  case refresh(context: Int)
  /// All objects as a context sees them. `keeps`: they stay in memory.
  case dump(context: Int, keeps: Bool)
  /// The transactions since the last time; those of other processes are merged into the contexts.
  case news
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
  /// The code of the error that was thrown.
  var code: Int?
  /// The objects that the error names.
  var conflicts: Set<Int> = []
  /// What the context's notifications told of.
  var changed = GraphSets()
  var saved = GraphSets()
  var nodes: [Int: GraphNode] = [:]
  var news: [GraphTransaction] = []
  /// What must not be.
  var trouble: String?
}
