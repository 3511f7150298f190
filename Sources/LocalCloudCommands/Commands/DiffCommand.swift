import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct DiffCommand: Command {
  static let description = CommandDescription(
    "diff", summary: "Show how two states differ",
    discussion: """
      A state is "now", the name of a snapshot, a token of "localcloud changes", or the file of an exported snapshot. A \
      word that can be several of them is the first of these; a path with a slash, such as ./now, is the file.

      Between snapshots, files and now: accounts, schemas, subscriptions, zones, and the records of each zone, shares \
      among them, with their fields. + is only in the later state, - only in the earlier one, ~ differs. Encrypted values \
      are not opened: one that was saved again counts as changed. With --json each line is a JSON object, with the \
      records before and after.

      Between two tokens of one zone, or from a token to now: the records that changed in between, with the names of the \
      fields, by the zone's log, which has no values. Between two tokens of a database: its zones. Tokens are read as the \
      account that they were given to.
      """,
    examples: [
      .init("What a scenario has changed", "localcloud diff before now"),
      .init("With a state of another machine", "localcloud diff before.jsonl now"),
      .init("What happened in a zone since then", "localcloud diff \"$token\" now"),
      .init("Fail unless nothing was changed", "localcloud diff before now --exit-code --quiet"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .storage])

  let old = Argument<String>("from", completes: .snapshot, help: "the earlier state")
  let new = Argument<String>("to", completes: .snapshot, help: "the later state")
  let exitCode = Differences.exitCode

  var arguments: [any ArgumentDeclaration] { [old, new] }
  var options: [any OptionDeclaration] { [exitCode] }

  func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let words = [context[old], context[new]]
    let names = words.allSatisfy { $0 == "now" } ? [] : try service.snapshots.list().map(\.name)
    func isSnapshot(_ word: String) -> Bool { names.contains { $0.hasSameBytes(as: word) } }
    let tokens = words.map { $0 != "now" && !isSnapshot($0) && service.feeds.isToken($0) }
    if tokens[0], tokens[1] || words[1] == "now" {
      let session = try context.session()
      let differences = try session.service.feeds.differences(
        from: words[0], to: tokens[1] ? words[1] : nil, by: session.caller)
      return try Differences.write(context) { body in for difference in differences { try body(difference) } }
    }
    if tokens.contains(true) {
      throw CommandFailure.usage(
        "a change token can't be compared with this state", hint: "compare it with a later token, or with now")
    }
    let states = try words.map { word in
      word == "now" ? .present : isSnapshot(word) ? .snapshot(word) : try file(word, context)
    }
    try Differences.write(context) { try service.snapshots.forEachDifference(from: states[0], to: states[1], $0) }
  }

  private func file(_ word: String, _ context: CommandContext) throws -> CloudState {
    do { return .file(nextLine: try SnapshotImportCommand.lines(of: word, context)) } catch {
      guard let failure = error as? CommandFailure, failure.exitCode == .notFound else { throw error }
      throw CommandFailure(
        .notFound, code: "stateNotFound", "there is no snapshot, no file and no change token \"\(word)\"",
        hint: "\"snapshot list\" lists the snapshots; now is the present state")
    }
  }
}

/// The result of a comparison: the same for all states and commands.
enum Differences {
  static let exitCode = Flag("exit-code", help: "end with status 1 if there are differences")

  /// Writes a line for each difference. `forEach` calls its argument with each of them.
  static func write(
    _ context: CommandContext, _ forEach: ((TreeDifference) throws -> Void) throws -> Void
  ) throws {
    let isSilent = context.output.settings.isQuiet && !context.format.isJSON
    var lines = DifferenceText()
    var isSame = true
    try forEach { difference in
      isSame = false
      if isSilent { return }
      try context.writeResult(
        event: difference.object, cells: DifferenceText.cells(of: difference), text: lines.text(of: difference))
    }
    if isSame {
      context.output.notice("no differences")
    } else if context[exitCode] {
      throw SilentExit(.failure)
    }
  }
}
