import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore

struct ExportCommand: Command {
  static let description = CommandDescription(
    "export", summary: "Write records as JSON Lines, or JSON, for import",
    discussion: """
      Writes all that the acting account sees in a database, or in one zone of it: zones, records by type and name, \
      shares with their people. One line each, as CloudKit Web Services writes records, without what the server alone \
      sets, such as dates and tags: exported, imported into an empty zone and exported again, it is the same text. What \
      is encrypted stands open and bears "isEncrypted", so that an import encrypts it again: its files are for their owner \
      alone, keep them accordingly.

      A file whose name ends in .json gets one document. The bytes of assets are put in a folder beside the file, \
      NAME.assets; without a file, or beside a pipe, --assets says where. Each content is there once, and "x-local" names its path.
      """,
    examples: [
      .init("All of my private database, and its assets", "localcloud export backup.jsonl"),
      .init("What a share lets me see", "localcloud export --database shared --zone Contacts contacts.jsonl"),
      .init("Records of one type", "localcloud export --zone Contacts --type Contact | jq -r .fields.name.value"),
    ],
    exitCodes: [.failure, .noStore, .notFound, .refused, .storage])

  let file = OptionalArgument<String>(
    "file", completes: .file, help: "the file to write; - or nothing: standard output")
  let zone = ZoneOptions.zoneName("the zone; else all of the database")
  let owner = ZoneOptions.owner
  let type = QueryOptions.type
  let assets = Option<String>(
    "assets", "DIR", excludes: ["no-assets"], completes: .folder,
    help: "where the bytes of assets go, each by a path below it")
  let noAssets = Flag("no-assets", help: "leave the bytes of assets out")
  let systemKeys = Flag(
    "system-keys", help: "also what the server sets: created, modified, recordChangeTag, share, url")

  var arguments: [any ArgumentDeclaration] { [file] }
  var options: [any OptionDeclaration] { [zone, owner, type, assets, noAssets, systemKeys] }

  func run(_ context: CommandContext) throws {
    let path = context[file].flatMap { $0 == "-" || UserTarget.isStandardOutput($0) ? nil : $0 }
    if let form = context[GlobalOptions.format], !form.isJSON {
      throw CommandFailure.usage("an export is no \(form.rawValue): --format is json or jsonl")
    }
    let selection = try selection(context)
    let session = selection.session
    let isDocument = path.map { $0.hasSuffix(".json") } ?? (context.format == .json)
    var form = PortableForm(
      own: try? session.service.accounts.userRecordName(by: session.caller), scope: selection.scope,
      account: try People(session).account)
    form.showsSystemKeys = context[systemKeys]
    let target = try ExportTarget(context.output, path: path, isDocument: isDocument)
    var export = Export(context, form, target, exportedAssets(path, context), type: context[type])
    defer { context.output.progress("") }
    for zone in selection.zones { try export.add(zone) }
    try target.finish()
    context.output.progress("")
    try export.writeResult(path, leavesAssetsOut: context[noAssets])
  }

  private func selection(
    _ context: CommandContext
  ) throws -> (session: Session, scope: DatabaseScope, zones: [ZoneTarget]) {
    if context.isGiven(zone) || context.isGiven(owner) {
      let target = try context.zoneTarget(named: context[zone], owner: context[owner])
      return (target.session, target.scope, [target])
    }
    let session = try context.session()
    let scope = context.scope()
    let zones = try session.service.zones.list(nil, in: scope, by: session.caller).map { try $0.get().id }
    let targets = zones.map { zone in
      ZoneTarget(
        session: session, scope: scope, zone: scope == .shared ? zone : ZoneIdentifier(name: zone.name))
    }
    return (
      session, scope, targets.sorted { ($0.zone.name, $0.zone.owner ?? "") < ($1.zone.name, $1.zone.owner ?? "") }
    )
  }

  private func exportedAssets(_ path: String?, _ context: CommandContext) -> ExportedAssets {
    if context[noAssets] { return ExportedAssets(folder: nil, prefix: "") }
    if let folder = context[assets] { return ExportedAssets(folder: folder, prefix: "") }
    // An asset folder beside a pipe would not be found.
    guard let path, !UserFile.isStream(path) else { return ExportedAssets(folder: nil, prefix: "") }
    let name = String(path.split(separator: "/").last ?? "")
    let stem = [".jsonl", ".json"].first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
    let folder = UserFile.folderAndName(of: path).folder
    let prefix = stem + ".assets/"
    return ExportedAssets(folder: (folder == "." ? "" : folder + "/") + prefix, prefix: prefix)
  }
}
