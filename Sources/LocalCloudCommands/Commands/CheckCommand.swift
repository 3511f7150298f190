import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

package enum CheckCommand: Command {
  package static let description = CommandDescription(
    "check", summary: "Look for damage in the cloud",
    discussion: """
      Reads every file and compares records, logs, shares and links with each other. Changes nothing. What could not be \
      read is listed as such: nothing is known to be wrong with it.
      """,
    examples: [.init("At the end of a test", "localcloud check --quiet")],
    exitCodes: [.noStore, .locked, .unknownFormat, .problemsFound, .storage, .unread])

  package static func run(_ context: CommandContext) throws {
    // Without a valid marker, no other file can be checked.
    if let problem = try CloudService.markerProblem(root: context.settings().root.value) {
      return try emit([problem], context)
    }
    let service = try context.session(as: .administrator).service
    let start = monotonicNanoseconds()
    let output = context.output
    defer { output.progress("") }
    let problems = try service.checks.check { zone in
      // Progress is shown after half a second.
      if monotonicNanoseconds() - start > 500_000_000 { output.progress("checking zone \(zone.zone)") }
    }
    output.progress("")
    try emit(problems, context)
  }

  private static func emit(_ problems: [Problem], _ context: CommandContext) throws {
    if problems.isEmpty && !context.format.isJSON {
      return try context.report([:], text: "no problems found")
    }
    try context.emit(
      list: "problems",
      problems.map { ["kind": .string($0.kind), "message": .string($0.text), "path": .string($0.path)] },
      table: Table(["problem", "path"], rows: problems.map { [$0.text, $0.path] }))
    if let code = ExitCode(of: problems) { throw SilentExit(code) }
  }
}

extension Problem {
  /// The kind in JSON.
  var kind: String { isUnread ? "unread" : "damage" }
}

extension ExitCode {
  /// The exit code for these problems; nil if there are none.
  init?(of problems: [Problem]) {
    if problems.isEmpty { return nil }
    self = problems.allSatisfy(\.isUnread) ? .unread : .problemsFound
  }
}
