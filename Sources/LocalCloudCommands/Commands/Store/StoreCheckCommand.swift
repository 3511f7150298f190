import LocalCloudObjectStore
import LocalCloudService
import LocalCloudStorage

package enum StoreCheckCommand: Command {
  package static let description = CommandDescription(
    "store", "check", summary: "Look for damage in a Core Data store",
    discussion: """
      Compares history, objects, files of bytes and index with each other. Changes nothing. References to objects that \
      are not there are no damage; they are listed with --json, as \"notes\".
      """,
    examples: [.init("At the end of a test", "localcloud store check private.sqlite --quiet")],
    arguments: [.objectStore], exitCodes: [.notFound, .unknownFormat, .problemsFound, .tryLater, .storage, .unread])

  package static func run(_ context: CommandContext) throws {
    let report = try report(context.required("store"), context)
    if report.problems.isEmpty && !context.format.isJSON {
      return try context.report([:], text: "no problems found")
    }
    let notes = report.notes.map { note -> JSONValue in ["message": .string(note.text), "path": .string(note.path)] }
    try context.emit(
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
  private static func report(_ path: String, _ context: CommandContext) throws -> StoreReport {
    if let problem = try ObjectStore.documentProblem(path) { return StoreReport(problems: [problem]) }
    return try context.objectStore().report()
  }
}
