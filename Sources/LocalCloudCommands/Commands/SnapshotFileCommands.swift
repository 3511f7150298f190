import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct SnapshotExportCommand: Command {
  static let description = CommandDescription(
    "snapshot", "export", summary: "Write a snapshot to one file",
    discussion: """
      The file has all that the snapshot holds, as lines of JSON, for "snapshot import" in any cloud. It bears the keys \
      of encrypted values: it is for its owner alone, keep it accordingly.
      """,
    examples: [
      .init("For another machine", "localcloud snapshot export before before.jsonl"),
      .init("Compressed", "localcloud snapshot export before | gzip >before.jsonl.gz"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .storage])

  let name = Argument<String>.snapshot
  let file = OptionalArgument<String>(
    "file", completes: .file, help: "the file to write; - or nothing: standard output")

  var arguments: [any ArgumentDeclaration] { [name, file] }

  func run(_ context: CommandContext) throws {
    let path = context[file].flatMap { $0 == "-" || UserTarget.isStandardOutput($0) ? nil : $0 }
    if path == nil, context.output.tableWidth != nil {
      throw CommandFailure.usage("the file of a snapshot is no text for a terminal", hint: "name a file, or a pipe")
    }
    let snapshots = try context.session(as: .administrator).service.snapshots
    let snapshot = try snapshots.snapshot(context[name])
    let target = try path.map { try WrittenFile(path: $0) }
    if let folder = target?.madeFolder { context.output.notice("made the folder \(folder)") }
    var pending: [UInt8] = []
    // The bytes are written as they are: the last line has their digest.
    func send() throws {
      if pending.isEmpty { return }
      if let target { try target.write(pending) } else { try context.output.write(pending) }
      pending = []
    }
    try snapshots.export(snapshot.name) { bytes in
      pending += bytes
      if pending.count > 1 << 16 { try send() }
    }
    try send()
    try target?.finish(durably: true)
    guard let path else {
      return context.output.notice("exported snapshot \(snapshot.name): \(SnapshotText.contents(snapshot))")
    }
    var document = snapshot.object
    document["path"] = .string(path)
    try context.writeUnlessQuiet(document, text: "exported snapshot \(snapshot.name, .bold) to \(path)")
  }
}

struct SnapshotImportCommand: Command {
  static let description = CommandDescription(
    "snapshot", "import", summary: "Add a snapshot from a file that snapshot export wrote",
    discussion: """
      The state of the cloud does not change: "snapshot restore" gives it the state of the snapshot. A file that is cut \
      short or changed is refused as a whole.
      """,
    examples: [
      .init("From another machine", "localcloud snapshot import before.jsonl"),
      .init("Under another name", "gunzip -c before.jsonl.gz | localcloud snapshot import - --name monday"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  let file = Argument<String>("file", completes: .file, help: "the file, or - for standard input")
  let name = Option<String>("name", "NAME", help: "the snapshot's name; else the one in the file")
  let replace = SnapshotOptions.replace

  var arguments: [any ArgumentDeclaration] { [file] }
  var options: [any OptionDeclaration] { [name, replace] }

  func run(_ context: CommandContext) throws {
    let snapshots = try context.session(as: .administrator).service.snapshots
    let snapshot = try snapshots.importSnapshot(
      as: context[name], replacing: context[replace], nextLine: try Self.lines(of: context[file], context))
    try context.writeResult(
      made: [snapshot.name], snapshot.object,
      text: "imported snapshot \(snapshot.name, .bold): \(SnapshotText.contents(snapshot))")
  }

  /// Returns a function that reads the next line of a snapshot's file; `-` is standard input.
  static func lines(of file: String, _ context: CommandContext) throws -> () throws -> [UInt8]? {
    let path = file == "-" ? nil : file
    var lines = LineReader(try ImportCommand().openFile(path, context))
    return {
      do { return try lines.next().map { Array($0.bytes) } } catch is LineReader.TooLong {
        throw CommandFailure(
          .failure, code: "badInput", "\(path ?? InputSource.name) has a line that is longer than any of a snapshot",
          hint: "\"snapshot export\" writes the file")
      }
    }
  }
}
