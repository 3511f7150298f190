import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum ZoneSaveCommand: Command {
  package static let description = CommandDescription(
    "zone", "save", summary: "Make zones",
    discussion: "A zone that is there already stays as it is.",
    examples: [
      .init("A zone to share records from", "localcloud zone save Contacts"),
      .init(
        "One whose records have one key, and are shared as a whole",
        "localcloud zone save Team --encryption-scope perZone"),
    ],
    arguments: [ArgumentDescription("name", repeating: true, help: "the zones' names")],
    options: [
      .value(
        "encryption-scope", "SCOPE", allowed: [EncryptionScope.perRecord, .perZone].map(\.rawValue),
        help: "perRecord: each record has a key of its own; perZone: all have the zone's; fixed when the zone is made")
    ],
    exitCodes: [.failure, .noStore, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let names = context.positionals("name")
    let zones = names.map { ZoneIdentifier(name: ExactName($0)) }
    let isPerZone = context.string("encryption-scope") == EncryptionScope.perZone.rawValue
    let request = ModifyZonesRequest(
      scope: context.scope(), saves: zones, perZone: isPerZone ? Set(zones) : [])
    let outcomes = Outcomes(try session.service.zones.modifyZones(request, by: session.caller).saves, names: names)
    let saved = outcomes.values.map(\.id.name.string).joined(separator: ", ")
    if !outcomes.values.isEmpty {
      try context.report(
        ["zones": .array(outcomes.values.map { .object($0.object) })], text: "saved zone \(saved, .bold)")
    }
    try outcomes.check("zones")
  }
}
