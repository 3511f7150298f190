import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct LogCommand: Command {
  static let description = CommandDescription(
    "log", summary: "Show the requests of all programs and commands",
    discussion: """
      A line for each request: when it ended, who made it and by what, what it asked for and where, how long it took, and \
      what was refused, also of single items. Only processes with LOCALCLOUD_LOG=on log their requests. The latest 4 to 8 \
      MiB of the log are kept. A line has at most 20 items and 20 zones: of a larger request the items that failed, then \
      the first ones.

      Filters select requests that all of them accept. --account, --device, --container, --environment and --database \
      are filters if they are given as options. --follow shows the requests that are there, and goes on with each request \
      as it ends, until it is interrupted; with --json it prints a line for each. --last limits how many of those that \
      are there it shows.
      """,
    examples: [
      .init("Everything that was refused", "localcloud log --failed"),
      .init("What bob's programs do, as they do it", "localcloud log --follow --account bob"),
      .init("How many saves there were", "localcloud log --request modifyRecords --count"),
      .init("The last conflicts in a zone", "localcloud log --zone Notes --error serverRecordChanged --last 10"),
    ],
    exitCodes: [.noStore, .notFound, .interrupted, .terminated])

  let follow = Flag("follow", excludes: ["count", "until"], help: "go on with new requests")
  let last = Option<Int>(
    "last", "COUNT", .wholeNumber(in: 1...1_000_000), excludes: ["count"], help: "only the last so many requests")
  let count = Flag("count", help: "print only how many there are")
  let filters = RequestFilters()

  var options: [any OptionDeclaration] { [follow, last, count] + filters.options }

  func run(_ context: CommandContext) throws {
    if context[follow] { return try showNew(context) }
    var reader = RequestLogReader(of: try context.session(as: .administrator).service.cloud)
    let isWanted = filters.test(context)
    if context[count] {
      var number = 0
      try reader.forEachNewLine { if isWanted(LoggedRequest($0)) { number += 1 } }
      try context.writeResult(count: number)
    } else {
      var list = ListWriter(context, "requests")
      var page: [LoggedRequest] = []
      func writePage() throws {
        try list.write(
          page.map { .object($0.line) }, table: Table(LoggedRequest.columns, rows: page.map(\.cells)))
        page = []
      }
      try readOn(&reader, last: context[last], isWanted) { entry in
        page.append(entry)
        if page.count == Self.pageSize { try writePage() }
      }
      try writePage()
      try list.finish()
    }
    if reader.isMissing { hint(context) }
  }

  /// The number of requests that are written at a time.
  private static let pageSize = 1000

  /// Calls `body` with the wanted requests that are new in the log.
  ///
  /// - Parameter last: how many of them, at most, the last ones; nil: all. Holds no more than twice as many in memory.
  private func readOn(
    _ reader: inout RequestLogReader, last: Int?, _ isWanted: (LoggedRequest) -> Bool,
    _ body: (LoggedRequest) throws -> Void
  ) throws {
    var held: [LoggedRequest] = []
    try reader.forEachNewLine { line in
      let entry = LoggedRequest(line)
      guard isWanted(entry) else { return }
      guard let last else { return try body(entry) }
      if held.count == 2 * last { held.removeFirst(last) }
      held.append(entry)
    }
    if let last { try held.suffix(last).forEach(body) }
  }

  private func showNew(_ context: CommandContext) throws {
    let session = try context.lastingSession(as: .administrator)
    var cloud = session.current.service.cloud
    var reader = RequestLogReader(of: cloud)
    session.replaced = { next in
      context.noteReplacement()
      // The restore of a snapshot leaves the root and the log in it.
      if try next.service.cloud.root.identity() != cloud.root.identity() {
        reader = RequestLogReader(of: next.service.cloud)
      }
      cloud = next.service.cloud
    }
    let isWanted = filters.test(context)
    var isFirst = true
    _ = try context.interruptible(session) { wait in
      try wait.run(in: session, seconds: .infinity) {
        WatchedFolders([cloud.root])
      } until: { () throws -> Void? in
        try readOn(&reader, last: isFirst ? context[last] : nil, isWanted) { entry in
          try context.writeResult(event: entry.line, cells: entry.cells, text: entry.text)
        }
        if isFirst, reader.isMissing { hint(context) }
        if isFirst { context.output.notice("following the requests of \(cloud.path)") }
        isFirst = false
        return nil
      }
    }
  }

  private func hint(_ context: CommandContext) {
    context.output.hint("requests are logged by programs and commands that run with LOCALCLOUD_LOG=on")
  }
}
