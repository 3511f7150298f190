import LocalCloudEmulator
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct SnapshotSaveCommand: Command {
  static let description = CommandDescription(
    "snapshot", "save", summary: "Save the state of the whole cloud under a name",
    discussion: """
      A snapshot holds the accounts, the devices with their keys and pushes, and the data of all containers, as they are \
      between two changes. It is part of the cloud, in the folder "snapshots", and shares the files that have not changed \
      since. Core Data stores are no part of it.
      """,
    examples: [
      .init("Before a scenario", "localcloud snapshot save before"),
      .init(
        "Each time the same name", "localcloud snapshot save before --replace --note 'two people, one shared list'"),
    ],
    exitCodes: [.failure, .noStore, .locked, .storage])

  let name = Argument<String>.snapshot
  let note = Option<String>("note", "TEXT", help: "a text for people")
  let replace = SnapshotOptions.replace

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [note, replace] }

  func run(_ context: CommandContext) throws {
    let snapshot = try context.session(as: .administrator).service.snapshots.save(
      context[name], note: context[note], replacing: context[replace])
    try context.writeResult(
      made: [snapshot.name], snapshot.object,
      text: "saved snapshot \(snapshot.name, .bold): \(SnapshotText.contents(snapshot))")
  }
}

enum SnapshotOptions {
  static let replace = Flag("replace", help: "replace a snapshot of this name")
}

struct SnapshotListCommand: Command {
  static let description = CommandDescription(
    "snapshot", "list", summary: "List the snapshots",
    examples: [.init("Names alone", "localcloud snapshot list --json | jq -r '.snapshots[].name'")],
    exitCodes: [.noStore, .storage])

  func run(_ context: CommandContext) throws {
    let snapshots = try context.session(as: .administrator).service.snapshots.list()
    try context.writeResult(
      list: "snapshots", snapshots.map { .object($0.object) }, table: SnapshotText.table(snapshots))
    if snapshots.isEmpty { context.output.hint("save one with: localcloud snapshot save NAME") }
  }
}

struct SnapshotShowCommand: Command {
  static let description = CommandDescription(
    "snapshot", "show", summary: "Show the accounts and zones in a snapshot",
    examples: [.init("What is in it", "localcloud snapshot show before")],
    exitCodes: [.noStore, .notFound, .storage])

  let name = Argument<String>.snapshot

  var arguments: [any ArgumentDeclaration] { [name] }

  func run(_ context: CommandContext) throws {
    let snapshot = try context.session(as: .administrator).service.snapshots.snapshot(context[name])
    try context.writeResult(
      snapshot.object, table: SnapshotText.zones(snapshot),
      text: SnapshotText.details(snapshot, width: context.output.tableWidth))
  }
}

struct SnapshotRestoreCommand: Command {
  static let description = CommandDescription(
    "snapshot", "restore", summary: "Give the cloud the state of a snapshot again",
    discussion: """
      The present state is lost, unless a snapshot of it was saved; the snapshots stay. It happens as a whole or not at \
      all, also if the command is killed. Change tokens and change tags from after the snapshot are refused from then on, \
      as the cloud goes on with a history of its own: a program fetches anew, as for CloudKit's changeTokenExpired. \
      Programs and commands that run, also those that wait, go on in the restored cloud. Core Data stores keep their \
      objects.
      """,
    examples: [
      .init("What would be lost", "localcloud snapshot restore before --dry-run"),
      .init("Without a question", "localcloud snapshot restore before --yes"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage], deletesData: true)

  let name = Argument<String>.snapshot
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    let snapshots = session.service.snapshots
    let snapshot = try snapshots.snapshot(context[name])
    var document = snapshot.object
    document["restored"] = true
    if context.isDryRun {
      let effect = try snapshots.restoreEffect(snapshot.name)
      document["effect"] = .object(effect.object)
      return try context.writeDryRun(
        document, text: "restore snapshot \(snapshot.name, .bold): \(SnapshotText.text(effect))")
    }
    if !context[GlobalOptions.yes] {
      // A damaged cloud can't be compared, but a restore mends it.
      let effect = (try? snapshots.restoreEffect(snapshot.name)).map(SnapshotText.text)
      try context.confirm("restore snapshot \(snapshot.name) (\(effect ?? "the present state is lost"))")
    }
    try session.restoreSnapshot(snapshot.name)
    try context.writeUnlessQuiet(
      document, text: "restored snapshot \(snapshot.name, .bold): \(SnapshotText.contents(snapshot))")
  }
}

struct SnapshotDeleteCommand: Command {
  static let description = CommandDescription(
    "snapshot", "delete", summary: "Delete a snapshot",
    discussion: "The state of the cloud does not change.",
    examples: [.init("Without a question", "localcloud snapshot delete before --yes")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage], deletesData: true)

  let name = Argument<String>.snapshot
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let snapshots = try context.session(as: .administrator).service.snapshots
    let name = context[self.name]
    // A damaged snapshot has no contents to show, and can be deleted.
    let contents: String
    do { contents = SnapshotText.contents(try snapshots.snapshot(name)) } catch {
      guard error.cause == .damage else { throw error }
      contents = "damaged"
    }
    let document: JSONObject = ["deleted": true, "name": .string(name)]
    if context.isDryRun {
      return try context.writeDryRun(document, text: "delete snapshot \(name, .bold): \(contents)")
    }
    try context.confirm("delete snapshot \(name) (\(contents))")
    try snapshots.delete(name)
    try context.writeUnlessQuiet(document, text: "deleted snapshot \(name, .bold)")
  }
}
