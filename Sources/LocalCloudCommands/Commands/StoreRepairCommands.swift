import LocalCloudObjectStore
import LocalCloudService
import LocalCloudStorage

struct StoreCheckCommand: Command {
  static let description = CommandDescription(
    "store", "check", summary: "Look for damage in a Core Data store",
    discussion: """
      Compares history, objects, files of bytes and index with each other. Changes nothing. References to objects that \
      are not there are no damage; they are listed with --json, as \"notes\".
      """,
    examples: [.init("At the end of a test", "localcloud store check private.sqlite --quiet")],
    exitCodes: [.notFound, .unknownFormat, .problemsFound, .tryLater, .storage, .unread])

  let store = Argument<String>.objectStore

  var arguments: [any ArgumentDeclaration] { [store] }

  func run(_ context: CommandContext) throws {
    let report = try Self.report(context[store])
    if report.problems.isEmpty && !context.format.isJSON {
      return try context.writeUnlessQuiet([:], text: "no problems found")
    }
    let notes = report.notes.map { note -> JSONValue in ["message": .string(note.text), "path": .string(note.path)] }
    try context.writeResult(
      list: "problems",
      report.problems.map { ["kind": .string($0.kind), "message": .string($0.text), "path": .string($0.path)] },
      extra: ["notes": .array(notes)],
      table: Table(["problem", "path"], rows: report.problems.map { [$0.text, $0.path] }))
    if report.problems.contains(where: { !$0.isUnread }) {
      context.output.hint("\"store repair\" moves what is damaged to a folder in the store, and makes the rest usable")
    }
    if let code = ExitCode(of: report.problems) { throw SilentExit(code) }
  }

  /// Reports only the problem of the store's description, if there is one: all other checks need a valid description.
  fileprivate static func report(_ path: String) throws -> StoreReport {
    if let problem = try ObjectStore.documentProblem(path) { return StoreReport(problems: [problem]) }
    return try ObjectStore.stored(path).report()
  }
}

struct StoreRepairCommand: Command {
  static let description = CommandDescription(
    "store", "repair", summary: "Make a damaged Core Data store usable again",
    discussion: """
      Lines that are objects are kept as they are. What is no part of a store, or can't be read, is moved to the folder \
      `aside` in the store, under the path it had; `notes.jsonl` there tells of each line. An object whose last line is set \
      aside is again what its line before says. The index is made anew, and a history behind what is damaged in it. What \
      is left then needs a person, and is listed as "store check" lists it. A damaged store.json can't be repaired.
      """,
    examples: [.init("After a file was edited by hand", "localcloud store repair private.sqlite")],
    exitCodes: [.notFound, .unknownFormat, .problemsFound, .tryLater, .storage, .unread], deletesData: true)

  let store = Argument<String>.objectStore
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [store] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    if context.isDryRun {
      return try context.writeResult(RepairReport(done: [], left: StoreCheckCommand.report(context[store]).problems))
    }
    try context.writeResult(ObjectStore.repair(context[store]))
  }
}

struct StoreDestroyCommand: Command {
  static let description = CommandDescription(
    "store", "destroy", summary: "Remove a Core Data store with all that is in it",
    discussion: """
      An app that has the store open gets errors from then on, and makes an empty one when it is started again. What is \
      in the cloud stays there. What is no store is left alone.
      """,
    examples: [.init("Without a question", "localcloud store destroy private.sqlite --yes")],
    exitCodes: [.failure, .notFound, .unknownFormat, .tryLater, .storage], deletesData: true)

  let store = Argument<String>.objectStore
  let force = Flag("force", help: "also if it is damaged, and without waiting for apps that write to it")
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [store] }
  var options: [any OptionDeclaration] { [force, dryRun] }

  func run(_ context: CommandContext) throws {
    let path = context[store]
    let isForced = context[force]
    do { _ = try ObjectStore.summary(path) } catch {
      // With --force the command also destroys a damaged store. A folder that is no store is still refused.
      guard isForced, case .notAStore = error else { throw error }
    }
    let document: JSONObject = ["deleted": true, "path": .string(path)]
    if context.isDryRun { return try context.writeDryRun(document, text: "remove \(path, .bold)") }
    try context.confirm("remove the store \(path) with all that is in it")
    try ObjectStore.destroy(path, isForced: isForced)
    try context.writeUnlessQuiet(document, text: "removed \(path, .bold)")
  }
}
