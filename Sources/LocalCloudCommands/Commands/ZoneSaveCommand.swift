import CloudService
import CloudStore

package enum ZoneSaveCommand: Command {
  package static let description = CommandDescription(
    "zone", "save", summary: "Make zones",
    discussion: "A zone that is there already stays as it is.",
    examples: [.init("A zone to share records from", "localcloud zone save Contacts")],
    arguments: [ArgumentDescription("name", repeating: true, help: "the zones' names")],
    exitCodes: [.failure, .noStore, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let names = context.positionals("name")
    let request = ModifyZonesRequest(
      scope: context.scope(), saves: names.map { ZoneIdentifier(name: ExactName($0)) })
    let outcomes = Outcomes(try session.service.modifyZones(request, by: session.caller).saves, names: names)
    let saved = outcomes.values.map(\.id.name.string).joined(separator: ", ")
    if !outcomes.values.isEmpty {
      try context.report(
        ["zones": .array(outcomes.values.map { .object($0.object) })], text: "saved zone \(saved, .bold)")
    }
    try outcomes.check("zones")
  }
}

extension Zone {
  /// Web Services' zone dictionary, the capabilities as their raw value, and the share of the whole zone.
  var object: JSONObject {
    var object: JSONObject = [
      "atomic": .bool(capabilities & 2 != 0), "capabilities": .integer(Int64(capabilities)),
      "zoneID": .object(id.object),
    ]
    if let share { object["share"] = ["recordName": .string(share.string)] }
    return object
  }
}
