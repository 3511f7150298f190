import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct CheckCommand: Command {
  static let description = CommandDescription(
    "check", summary: "Look for damage in the cloud",
    discussion: """
      Reads every file and compares records, logs, shares and links with each other. Changes nothing. What could not be \
      read is listed as such: nothing is known to be wrong with it.
      """,
    examples: [.init("At the end of a test", "localcloud check --quiet")],
    exitCodes: [.noStore, .locked, .unknownFormat, .problemsFound, .storage, .unread])

  func run(_ context: CommandContext) throws {
    // Without a valid marker, no other file can be checked.
    if let problem = try CloudService.markerProblem(root: context.settings().root.value) {
      return try writeResult([problem], context)
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
    try writeResult(problems, context)
  }

  private func writeResult(_ problems: [Problem], _ context: CommandContext) throws {
    if problems.isEmpty && !context.format.isJSON {
      return try context.writeUnlessQuiet([:], text: "no problems found")
    }
    try context.writeResult(
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

struct RepairCommand: Command {
  static let description = CommandDescription(
    "repair", summary: "Make a damaged cloud usable again",
    discussion: """
      Records are kept as they are, and logs, links, pointers and indexes made to fit them. What is no part of a cloud, \
      or can't be read, is moved to the folder `aside` in the cloud's root, under the path it had: nothing is thrown \
      away. What is left then needs a person, and is listed as `check` lists it. What could not be read is left as it is.
      """,
    examples: [.init("After files were edited by hand", "localcloud repair")],
    exitCodes: [.noStore, .locked, .unknownFormat, .problemsFound, .storage, .unread], deletesData: true)

  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    if context.isDryRun {
      if let problem = try CloudService.markerProblem(root: context.settings().root.value) {
        return try context.writeResult(RepairReport(done: [], left: [problem]))
      }
      let problems = try context.session(as: .administrator).service.checks.check()
      return try context.writeResult(RepairReport(done: [], left: problems))
    }
    let settings = try context.settings()
    var options = ServiceSettings()
    options.lockTimeout = settings.lockTimeout.value
    // The setting of the clock may be damaged, too.
    options.clock = { (try? settings.time()) ?? systemTimeMilliseconds() }
    let marker = try CloudService.restoreMarker(root: settings.root.value, settings: options)
    let service = try context.session(as: .administrator).service
    let start = monotonicNanoseconds()
    let output = context.output
    defer { output.progress("") }
    var report = try service.repairs.repair { zone in
      if monotonicNanoseconds() - start > 500_000_000 { output.progress("repairing zone \(zone.zone)") }
    }
    if let marker { report.done.insert(marker, at: 0) }
    output.progress("")
    try context.writeResult(report)
  }
}

extension CommandContext {
  /// Writes the repaired and the remaining problems, and ends the command with the exit code for the remaining ones. A
  /// dry run has found them, and repaired none.
  func writeResult(_ report: RepairReport) throws {
    let rows = report.done.map { ("repaired", $0) } + report.left.map { (isDryRun ? "found" : "left", $0) }
    if rows.isEmpty && !format.isJSON { return try writeUnlessQuiet([:], text: "nothing to repair") }
    try writeResult(
      list: "problems",
      rows.map {
        [
          "kind": .string($0.1.kind), "message": .string($0.1.text), "path": .string($0.1.path),
          "state": .string($0.0),
        ]
      }, extra: isDryRun ? ["dryRun": true] : [:],
      table: Table(["state", "what", "path"], rows: rows.map { [$0.0, $0.1.text, $0.1.path] }))
    if let code = ExitCode(of: report.left) { throw SilentExit(code) }
  }
}
