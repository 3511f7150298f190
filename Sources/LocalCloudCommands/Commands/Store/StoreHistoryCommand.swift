import LocalCloudObjectStore
import LocalCloudStorage

package enum StoreHistoryCommand: Command {
  package static let description = CommandDescription(
    "store", "history", summary: "List the transactions of a Core Data store",
    discussion: """
      Each save of an app that tracks the history is a transaction, and each import of its mirroring. The token that is \
      printed last is where the next call starts. With --json each transaction has the objects that it \"inserted\", the \
      properties that it \"updated\" by object, and the values that it kept of what it \"deleted\".
      """,
    examples: [
      .init("What an app did", "localcloud store history private.sqlite"),
      .init("What happened since then", "localcloud store history private.sqlite --since \"$token\""),
      .init(
        "Only the token of now", "token=$(localcloud store history private.sqlite --json | jq -r .token)"),
    ],
    arguments: [.objectStore],
    options: [
      .value(
        "since", "TOKEN", check: ValueCheck.wholeNumber(in: 0...Int.max), help: "a token from an earlier call"),
      .value("limit", "COUNT", check: ValueCheck.wholeNumber(in: 1...Int.max), help: "at most so many"),
    ],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  package static func run(_ context: CommandContext) throws {
    let store = try context.objectStore()
    let limit = try context.integer("limit") ?? .max
    let since = try context.integer("since")
    let (documents, token) = try store.read { view in
      let start = try since.map(Int64.init) ?? view.historyHorizon()
      let found = try view.history(after: start, limit: limit)
      // Transactions that are in no history have numbers, too.
      let token = try found.count < limit ? max(start, view.head()) : found.last?.number ?? start
      return (found.map { view.document($0) }, token)
    }
    try context.emit(
      list: "transactions", documents.map { .object($0) }, extra: ["token": .integer(token)],
      table: Table(
        ["transaction", "time", "author", "program", "inserted", "updated", "deleted"], rows: documents.map(row)))
    if !context.format.isJSON { try context.report([:], text: "token \(token)") }
  }

  private static func row(_ document: JSONObject) -> [String] {
    func count(_ name: String) -> String {
      "\(document[name]?.array?.count ?? document[name]?.object?.count ?? 0)"
    }
    return [
      document["transaction"]?.description ?? "", document["time"]?.string ?? "", document["author"]?.string ?? "",
      document["bundle"]?.string ?? "", count("inserted"), count("updated"), count("deleted"),
    ]
  }
}
