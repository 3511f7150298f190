import LocalCloudObjectStore
import LocalCloudStorage

package enum StoreEventsCommand: Command {
  package static let description = CommandDescription(
    "store", "events", summary: "List what a store's mirroring did",
    discussion: """
      Each setup, import and export that has ended, the last ones first; a store keeps its last 1000. With --json an \
      event's \"error\" has the errors of single records as \"items\".
      """,
    examples: [
      .init("What went wrong", "localcloud store events private.sqlite --failed"),
      .init(
        "The records that were refused",
        "localcloud store events private.sqlite --json | jq '.events[0].error.items[]?.name'"),
    ],
    arguments: [.objectStore],
    options: [
      .flag("failed", help: "only those that failed"),
      .value("limit", "COUNT", check: ValueCheck.wholeNumber(in: 1...Int.max), help: "at most so many; 20 otherwise"),
    ],
    exitCodes: [.notFound, .unknownFormat, .tryLater, .storage])

  package static func run(_ context: CommandContext) throws {
    let store = try context.objectStore()
    let limit = try context.integer("limit") ?? 20
    var events: [EventEntry] = try store.read { try EventEntry.all($0) }.reversed()
    if context.flag("failed") { events.removeAll { $0.failure == nil } }
    events.removeLast(max(0, events.count - limit))
    try context.emit(
      list: "events", events.map { .object(MirrorText.document($0)) },
      table: Table(
        ["time", "event", Table.Column("took", .right), "outcome"],
        rows: events.map { event in
          [
            Timestamp.text(milliseconds: Int64(event.start * 1000)), "\(event.kind)",
            "\(Int64(((event.end - event.start) * 1000).rounded())) ms",
            event.failure.map(MirrorText.line) ?? "succeeded",
          ]
        }))
  }
}
