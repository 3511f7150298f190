import CloudService
import CloudStore
import Platform

package enum CheckCommand: Command {
  package static let description = CommandDescription(
    "check", summary: "Look for damage in the cloud",
    discussion: "Reads every file and compares records, logs, shares and links with each other. Changes nothing.",
    examples: [.init("At the end of a test", "localcloud check --quiet")],
    exitCodes: [.noStore, .locked, .unknownFormat, .problemsFound, .storage])

  package static func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let start = monotonicNanoseconds()
    let output = context.output
    defer { output.progress("") }
    let problems = try service.check { zone in
      // Half a second is no wait yet.
      if monotonicNanoseconds() - start > 500_000_000 { output.progress("checking zone \(zone.zone)") }
    }
    output.progress("")
    if problems.isEmpty && !context.format.isJSON {
      return try context.report([:], text: "no problems found")
    }
    try context.emit(
      list: "problems", problems.map { ["message": .string($0.text), "path": .string($0.path)] },
      table: Table(["problem", "path"], rows: problems.map { [$0.text, $0.path] }))
    if !problems.isEmpty { throw SilentExit(.problemsFound) }
  }
}
