import CloudService
import ObjectStore
import Storage

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
    let report = try context.objectStore().report()
    if report.problems.isEmpty && !context.format.isJSON {
      return try context.report([:], text: "no problems found")
    }
    let notes = report.notes.map { note -> JSONValue in ["message": .string(note.text), "path": .string(note.path)] }
    try context.emit(
      list: "problems",
      report.problems.map { ["kind": .string($0.kind), "message": .string($0.text), "path": .string($0.path)] },
      extra: ["notes": .array(notes)],
      table: Table(["problem", "path"], rows: report.problems.map { [$0.text, $0.path] }))
    if let code = ExitCode(of: report.problems) { throw SilentExit(code) }
  }
}
