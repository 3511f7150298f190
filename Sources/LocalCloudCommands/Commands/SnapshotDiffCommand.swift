import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct SnapshotDiffCommand: Command {
  static let description = CommandDescription(
    "snapshot", "diff", summary: "Show how two states of the cloud differ",
    discussion: """
      Compares two snapshots, or one with the present state, as "localcloud diff" does: accounts, schemas, subscriptions, \
      zones, and the records of each zone with their fields. + is only in the later state, - only in the earlier one, ~ \
      differs. Encrypted values are not opened: one that was saved again counts as changed. With --json each line is a \
      JSON object, with the records before and after.
      """,
    examples: [
      .init("What a scenario has changed", "localcloud snapshot diff before"),
      .init("From one state to another", "localcloud snapshot diff before after"),
      .init("Fail unless nothing was changed", "localcloud snapshot diff before --exit-code --quiet"),
      .init(
        "The names of changed records",
        "localcloud snapshot diff before --json | jq -r 'select(.kind == \"record\").recordName'"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  let old = Argument<String>("old", completes: .snapshot, help: "the snapshot of the earlier state")
  let new = OptionalArgument<String>(
    "new", completes: .snapshot, help: "the snapshot of the later state; else the present state")
  let exitCode = Differences.exitCode

  var arguments: [any ArgumentDeclaration] { [old, new] }
  var options: [any OptionDeclaration] { [exitCode] }

  func run(_ context: CommandContext) throws {
    let snapshots = try context.session(as: .administrator).service.snapshots
    let later = context[new].map(CloudState.snapshot) ?? .present
    try Differences.write(context) { try snapshots.forEachDifference(from: .snapshot(context[old]), to: later, $0) }
  }
}
