import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct ReportCommand: Command {
  static let description = CommandDescription(
    "report", summary: "Write a web page that shows the cloud",
    discussion: """
      Writes one HTML page for people who would rather look than read: accounts and devices, who shares what with \
      whom, records with their fields and images, and the last requests of the log. The page needs no network and has \
      no script. It shows the files of the whole cloud, as ls and jq do: encrypted values stay closed. If --account is \
      given as an option, it shows the records that this account may read, and opens the values that it has a key for. \
      --container, --environment and --database select parts of the cloud. An existing file is replaced; only its \
      owner can read the new one.

      A page stays below 2 MB. Of a large zone it shows the first records, and the command that lists all.
      """,
    examples: [
      .init("The whole cloud", "localcloud report --output cloud.html"),
      .init("What bob sees, with his encrypted values", "localcloud report --account bob --output bob.html"),
      .init("A page that follows the cloud", "localcloud report --output cloud.html --watch --refresh 2"),
      .init("With what a store has not exported", "localcloud report --output cloud.html --store private.sqlite"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .tryLater, .storage, .interrupted, .terminated])

  let file = RequiredOption<String>(
    "output", "FILE", completes: .file, help: "the file to write; - for standard output")
  let limit = QueryOptions.limit("at most so many records of a zone; 200 otherwise", to: 100_000)
  let stores = OptionList<String>(
    "store", "PATH", completes: .file, help: "a Core Data store: show what waits for export; may be repeated")
  let watch = Flag("watch", help: "write the page again after each change, until it is interrupted")
  let refresh = Option<Int>(
    "refresh", "SECONDS", .wholeNumber(in: 1...86_400), help: "browsers load the page again after so long")
  let count = Option<Int>(
    "count", "COUNT", .wholeNumber(in: 1...Int.max), help: "with --watch: end after so many pages")
  let time = Option<Double>("for", "SECONDS", .seconds, help: "with --watch: end after so long")

  var options: [any OptionDeclaration] { [file, limit, stores, watch, refresh, count, time] }

  func run(_ context: CommandContext) throws {
    let path = context[file] == "-" || UserTarget.isStandardOutput(context[file]) ? nil : context[file]
    if !context[watch] {
      for option in [count, time] as [any OptionDeclaration] where context.isGiven(option) {
        throw CommandFailure.usage("--\(option.name) belongs to --watch")
      }
    } else if path.map(UserFile.isStream) ?? true {
      throw CommandFailure.usage("--watch replaces a file: --output names one")
    }
    if context[GlobalOptions.database] == .shared, !hasViewer(context) {
      throw CommandFailure.usage(
        "a shared database shows what an account has joined: --account names one",
        hint: "without --account the page has all shares, in their owners' databases")
    }
    let session = try context.lastingSession(as: hasViewer(context) ? .command : .administrator)
    guard let path, context[watch] else {
      let (report, failures) = try report(session.current, context)
      try write(report, to: path, session.current, context)
      // Two at least: a single failure is not that of the report.
      if let failure = CommandFailure(failures, of: max(failures.count, 2), "parts") { throw failure }
      return
    }
    try follow(session, path, context)
  }

  private func hasViewer(_ context: CommandContext) -> Bool { context[GlobalOptions.account]?.isEmpty == false }

  private func report(
    _ session: Session, _ context: CommandContext
  ) throws -> (Report, failures: [(name: String, error: ServiceError)]) {
    let selection = ReportCollector.Selection(
      container: context[GlobalOptions.container], environment: context[GlobalOptions.environment],
      scope: context[GlobalOptions.database], limit: context[limit] ?? 200, today: context.today)
    var collector = try ReportCollector(session, viewer: hasViewer(context), selection)
    try collector.collect()
    for store in context[stores] { try collector.add(store: store) }
    return (collector.report, collector.failures)
  }

  /// Writes the page as a whole or not at all.
  private func write(_ report: Report, to path: String?, _ session: Session, _ context: CommandContext) throws {
    let made = try ReportCollector.time(session.service.settings.clock())
    let bytes = Array(ReportPage(report, made: made, refresh: context[refresh]).html.text.utf8)
    guard let path else { return try context.output.write(bytes) }
    let file = try WrittenFile(path: path)
    if let folder = file.madeFolder { context.output.notice("made the folder \(folder)") }
    try file.write(bytes)
    try file.finish()
    if context[watch] { return context.output.notice("wrote \(path)") }
    let records = report.databases.lazy.flatMap(\.zones).reduce(0) { $0 + $1.records.count }
    try context.writeUnlessQuiet(
      ["bytes": .integer(Int64(bytes.count)), "path": .string(path), "records": .integer(Int64(records))],
      text: "wrote \(path, .bold)")
  }

  /// Writes the page now and after each change that changes the report.
  private func follow(_ session: LastingSession, _ path: String, _ context: CommandContext) throws {
    var last: Report?
    var left = context[count] ?? .max
    _ = try context.interruptible(session) { wait in
      try wait.run(in: session, seconds: context[time] ?? .infinity) { () throws -> WatchedFolders in
        try context[stores].reduce(session.current.service.watchedFolders()) { try $0 + WatchedFolders(path: $1) }
      } until: { () throws -> Void? in
        let report = try report(session.current, context).0
        if report == last { return nil }
        try write(report, to: path, session.current, context)
        last = report
        left -= 1
        return left > 0 ? nil : ()
      }
    }
  }
}
