import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct ZoneSaveCommand: Command {
  static let description = CommandDescription(
    "zone", "save", summary: "Make zones",
    discussion: "A zone that is there already stays as it is.",
    examples: [
      .init("A zone to share records from", "localcloud zone save Contacts"),
      .init(
        "One whose records have one key, and are shared as a whole",
        "localcloud zone save Team --encryption-scope perZone"),
    ],
    exitCodes: [.failure, .noStore, .refused])

  let names = ArgumentList<String>("name", help: "the zones' names")
  let encryptionScope = Option<EncryptionScope>(
    "encryption-scope", "SCOPE", .values([.perRecord, .perZone], by: \.rawValue),
    help: "perRecord: each record has a key of its own; perZone: all have the zone's; fixed when the zone is made")

  var arguments: [any ArgumentDeclaration] { [names] }
  var options: [any OptionDeclaration] { [encryptionScope] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let names = context[self.names]
    let zones = names.map { ZoneIdentifier(name: ExactName($0)) }
    let isPerZone = context[encryptionScope] == .perZone
    let request = ModifyZonesRequest(
      scope: context.scope(), saves: zones, perZone: isPerZone ? Set(zones) : [])
    let outcomes = Outcomes(try session.service.zones.modifyZones(request, by: session.caller).saves, names: names)
    if !outcomes.values.isEmpty {
      let saved = outcomes.values.map(\.id.name.string)
      try context.writeResult(
        made: saved, ["zones": .array(outcomes.values.map { .object($0.object) })],
        text: "saved zone \(saved.joined(separator: ", "), .bold)")
    }
    try outcomes.check("zones")
  }
}

struct ZoneListCommand: Command {
  static let description = CommandDescription(
    "zone", "list", summary: "List the zones of a database",
    examples: [
      .init("My own", "localcloud zone list"),
      .init("Those that others share with me", "localcloud zone list --database shared"),
    ],
    exitCodes: [.noStore, .refused])

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    context.hintAtContainers(session)
    let zones = try session.service.zones.list(nil, in: context.scope(), by: session.caller).map { try $0.get() }
    let people = try People(session)
    try context.writeResult(
      list: "zones", zones.map { .object($0.object) },
      table: Table(
        ["zone", "owner", "atomic", "changes", "sharing"],
        rows: zones.map { zone in
          [
            zone.id.name.string, people.name(of: zone.id.owner), yesOrNo(zone, 2), yesOrNo(zone, 1),
            zone.share == nil ? yesOrNo(zone, 4) : "whole zone",
          ]
        }))
  }

  private func yesOrNo(_ zone: Zone, _ capability: UInt) -> String {
    zone.capabilities & capability != 0 ? "yes" : "no"
  }
}

struct ZoneDeleteCommand: Command {
  static let description = CommandDescription(
    "zone", "delete", summary: "Delete a zone and all its records",
    discussion: "With --database shared the caller leaves all shares of the zone, which stays as it is for its owner.",
    examples: [.init("Without a question", "localcloud zone delete Contacts --yes")],
    exitCodes: [.failure, .noStore, .notFound, .refused], deletesData: true)

  let name = Argument<String>("name", completes: .zone, help: "the zone's name")
  let owner = ZoneOptions.owner
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [owner, dryRun] }

  func run(_ context: CommandContext) throws {
    let target = try context.zoneTarget(named: context[self.name], owner: context[owner])
    let name = RecordText(people: try People(target.session)).zoneName(target.zone)
    let isShared = target.scope == .shared
    let document: JSONObject = ["deleted": true, "zoneID": .object(target.zone.object)]
    if context.isDryRun {
      _ = try target.service.zones.list([target.zone], in: target.scope, by: target.caller)[0].get()
      return try context.writeDryRun(document, text: "\(isShared ? "leave" : "delete") zone \(name, .bold)")
    }
    try context.confirm(isShared ? "leave all shares of zone \(name)" : "delete zone \(name) and all its records")
    let request = ModifyZonesRequest(scope: target.scope, deletes: [target.zone])
    try target.service.zones.modifyZones(request, by: target.caller).deletes[0].get()
    try context.writeUnlessQuiet(document, text: "\(isShared ? "left" : "deleted") zone \(name, .bold)")
  }
}
