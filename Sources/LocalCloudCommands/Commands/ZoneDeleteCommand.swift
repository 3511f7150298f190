import LocalCloudModel
import LocalCloudService
import LocalCloudStore

package enum ZoneDeleteCommand: Command {
  package static let description = CommandDescription(
    "zone", "delete", summary: "Delete a zone and all its records",
    discussion: "With --database shared the caller leaves all shares of the zone, which stays as it is for its owner.",
    examples: [.init("Without a question", "localcloud zone delete Contacts --yes")],
    arguments: [ArgumentDescription("name", help: "the zone's name")],
    options: [ZoneOptions.owner], exitCodes: [.failure, .noStore, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    let target = try context.zoneTarget(named: context.required("name"))
    let name = RecordText(people: try People(target.session)).zoneName(target.zone)
    let isShared = target.scope == .shared
    try context.confirm(isShared ? "leave all shares of zone \(name)" : "delete zone \(name) and all its records")
    let request = ModifyZonesRequest(scope: target.scope, deletes: [target.zone])
    try target.service.zones.modifyZones(request, by: target.caller).deletes[0].get()
    try context.report(
      ["deleted": true, "zoneID": .object(target.zone.object)],
      text: "\(isShared ? "left" : "deleted") zone \(name, .bold)")
  }
}
