import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage

struct ImportCommand: Command {
  static let description = CommandDescription(
    "import", summary: "Save records from a file of JSON, or JSON Lines",
    discussion: """
      Reads what export writes, or lines by hand: one record a line, as CloudKit Web Services writes them,

        {"recordName": "ada", "recordType": "Contact", "fields": {"name": {"value": "Ada"}}}

      also with "parent", "zoneID" and, of a share, "forRecord", "publicPermission" and "participants"; a field may be \
      its value alone. One JSON document is read as well, such as record list --json prints; it has to fit into memory, \
      lines do not. A pipe may bring 4 GiB, a file any number of lines. What the server alone sets (created, modified, \
      recordChangeTag, share, …) is read over.

      The same file can be imported again: what is as its line says stays untouched, and so does the rest of an import \
      that was cut short. All lines are checked before anything is saved. They are saved in batches, each as a whole or \
      not at all, parents and roots before what needs them, whatever their order in the file; an import that has to stop \
      says which lines are in. Zones that are missing are made.

      The bytes of an asset come from the file that "x-local": {"path": …} names, below the folder of the file that is \
      imported, or of --assets. People on a share are invited again, by address, account or user record, and join with \
      its link; what can't be brought, such as somebody without an account here, is told at the end, and the exit code \
      is 1.
      """,
    examples: [
      .init("What somebody exported", "localcloud import backup.jsonl"),
      .init(
        "From another account's zone into a new one", "localcloud export --account alice | localcloud import -z Copy"),
      .init("Only look what would happen", "localcloud import seed.jsonl --dry-run"),
    ],
    exitCodes: [
      .failure, .noStore, .locked, .notFound, .conflict, .refused, .schemaRefused, .storage, .interrupted, .terminated,
    ])

  let file = OptionalArgument<String>(
    "file", completes: .file, help: "JSON Lines, or one JSON document; - or nothing: standard input")
  let zone = ZoneOptions.zoneName("the zone that all records get into; else the one that each names, or _defaultZone")
  let owner = ZoneOptions.owner
  let type = QueryOptions.type
  let assets = Option<String>(
    "assets", "DIR", completes: .folder, help: "where the files of assets are; else in the folder of the file")
  let policy = Option<ImportPolicy>(
    "policy", "POLICY", .cases,
    help: "what becomes of a record that is there and differs: update its fields, replace it, skip it, or fail")
  let dryRun = Flag("dry-run", help: "say what would be saved; only the service's own checks are left out")

  var arguments: [any ArgumentDeclaration] { [file] }
  var options: [any OptionDeclaration] { [zone, owner, type, assets, policy, dryRun] }

  func run(_ context: CommandContext) throws {
    let tally = try importFile(context[file], context, context.session())
    try context.writeUnlessQuiet(
      tally.object(isDryRun: context[dryRun]), text: tally.text(isDryRun: context[dryRun]))
    if let failure = tally.failure { throw failure }
  }

  /// Imports a file with the options of the context; those that its command does not declare are absent.
  ///
  /// - Parameter file: the path; `-` or nil is standard input.
  func importFile(_ file: String?, _ context: CommandContext, _ session: Session) throws -> ImportTally {
    let scope = context.scope(standard: context.isGiven(owner) ? .shared : .private)
    let target = ZoneTarget(session: session, scope: scope, zone: .default)
    let path = file.flatMap { $0 == "-" ? nil : $0 }
    let assets = ImportAssets(folder: context[self.assets] ?? UserFile.folderAndName(of: path ?? "").folder)
    let reader = PortableReader(
      own: try session.service.accounts.userRecordName(by: session.caller), type: context[type],
      assets: { (object, key) throws(PortableProblem) in try assets.asset(object, key: key) },
      otherFields: { (contents, typeName) throws(FieldProblem) in
        try FieldToolJSON.field(contents, typeName: typeName).dictionary
      })
    var source = try ImportSource(openFile(path, context), name: path ?? "standard input")
    defer { context.output.progress("") }
    let stop = StopFlag()
    let interrupts = try Interrupts { stop.raise() }
    return try withExtendedLifetime(interrupts) {
      try check(&source, reader, context, stop)
      if stop.isRaised { throw stopped(interrupts, "nothing was imported") }
      let importer = Importer(
        context, source, reader, ImportZones(target, owner: context[owner], isDryRun: context[dryRun]), stop,
        policy: context[policy] ?? .update, zone: context[zone])
      do { try importer.run() } catch is Importer.Stopped {
        throw stopped(interrupts, importer.progress.text)
      } catch let error where !(error is BrokenPipe) {
        throw CommandFailure(error).adding(importer.progress)
      }
      return importer.tally
    }
  }

  /// Opens a file, or standard input if `path` is nil.
  func openFile(_ path: String?, _ context: CommandContext) throws -> File {
    do throws(SystemError) {
      if let path { return try UserFile.openSpooled(path, limit: ImportSource.streamLimit) }
      return try context.input.spooled(limit: ImportSource.streamLimit)
    } catch {
      throw CommandFailure(
        reading: path, error, hint: "lines of any number can be read from a file: write them to one and import that")
    }
  }

  /// Reads and checks the whole source before the first save, so that a mistake at its end does not leave a partial
  /// import.
  private func check(
    _ source: inout ImportSource, _ reader: PortableReader, _ context: CommandContext, _ stop: StopFlag
  ) throws {
    var count = 0
    var wrong = 0
    var problems: [String] = []
    let start = monotonicNanoseconds()
    while !stop.isRaised, let (position, value) = try source.next() {
      count += 1
      do throws(PortableProblem) { _ = try reader.read(value.get()) } catch {
        wrong += 1
        if problems.count < 20 { problems.append(error.text(at: position)) }
      }
      if count % 1000 == 0, monotonicNanoseconds() - start > 500_000_000 {
        context.output.progress("checking: \(Int(source.fraction * 100)) %")
      }
    }
    source.rewind()
    guard wrong > 0 else { return }
    let texts = problems.prefix(5).joined(separator: "; ") + (wrong > 5 ? "; …" : "")
    var failure = source.failure(
      wrong == 1 ? "\(texts); nothing was imported" : "\(wrong) things are wrong, nothing was imported: \(texts)")
    failure.details["problems"] = .array(problems.map(JSONValue.string))
    throw failure
  }

  private func stopped(_ interrupts: Interrupts, _ text: String) -> CommandFailure {
    let code: ExitCode = interrupts.isTermination ? .terminated : .interrupted
    return CommandFailure(code, code: "interrupted", "interrupted; \(text)")
  }
}

extension CommandFailure {
  fileprivate func adding(_ progress: ImportProgress) -> CommandFailure {
    var result = self
    result.message += "; \(progress.text)"
    for (key, value) in progress.object { result.details[key] = value }
    return result
  }
}
