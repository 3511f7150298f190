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
      MiB of the log are kept.

      --account, --device, --container, --environment and --database select the requests of an account, a device and so \
      on, if they are given as options. --follow shows what is there, and goes on with each request as it ends, until it \
      is interrupted; with --json it prints a line for each.
      """,
    examples: [
      .init("Everything that was refused", "localcloud log --failed"),
      .init("What bob's programs do, as they do it", "localcloud log --follow --account bob"),
      .init("How many saves there were", "localcloud log --request modifyRecords --count"),
    ],
    exitCodes: [.noStore, .notFound, .interrupted, .terminated])

  let follow = Flag("follow", excludes: ["count"], help: "go on with new requests")
  let request = Option<Operation>("request", "KIND", .cases, help: "only requests of this kind")
  let failed = Flag("failed", help: "only requests that were refused, or an item of which was")
  let since = Option<Moment>("since", "TIME", .time, help: "only requests that ended at this time or later")
  let count = Flag("count", help: "print only how many there are")

  var options: [any OptionDeclaration] { [follow, request, failed, since, count] }

  func run(_ context: CommandContext) throws {
    if context[follow] { return try showNew(context) }
    var reader = RequestLogReader(of: try context.session(as: .administrator).service.cloud)
    var entries: [LoggedRequest] = []
    var number = 0
    let isCount = context[count]
    try reader.forEachNewLine { line in
      let entry = LoggedRequest(line)
      guard isWanted(entry, context) else { return }
      number += 1
      if !isCount { entries.append(entry) }
    }
    if isCount {
      try context.writeResult(count: number)
    } else {
      try context.writeResult(
        list: "requests", entries.map { .object($0.line) },
        table: Table(LoggedRequest.columns, rows: entries.map(\.cells)))
    }
    if reader.isMissing { hint(context) }
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
    var isFirst = true
    _ = try context.interruptible(session) { wait in
      try wait.run(in: session, seconds: .infinity) {
        WatchedFolders([cloud.root])
      } until: { () throws -> Void? in
        try reader.forEachNewLine { line in
          let entry = LoggedRequest(line)
          guard isWanted(entry, context) else { return }
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

  private func isWanted(_ entry: LoggedRequest, _ context: CommandContext) -> Bool {
    if context[failed], !entry.isFailed { return false }
    if let since = context[self.since] {
      guard let time = entry["time"].flatMap({ try? Timestamp.moment($0) }),
        time.secondsSince2001 >= since.secondsSince2001
      else { return false }
    }
    return entry.has([
      ("request", context[request]?.rawValue), ("account", context[GlobalOptions.account]),
      ("device", context[GlobalOptions.device]), ("containerIdentifier", context[GlobalOptions.container]),
      ("environment", context[GlobalOptions.environment]?.rawValue),
      ("database", context[GlobalOptions.database]?.name),
    ])
  }
}

extension ValueType<Moment> {
  fileprivate static var time: ValueType {
    ValueType { text in
      try? FieldText.timestamp(text, allowingLocal: true)
    } reason: { _ in
      "is not a time, such as 2026-01-31T12:00:00Z"
    }
  }
}
