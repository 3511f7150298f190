import LocalCloudModel
import LocalCloudService

package enum ZoneListCommand: Command {
  package static let description = CommandDescription(
    "zone", "list", summary: "List the zones of a database",
    examples: [
      .init("My own", "localcloud zone list"),
      .init("Those that others share with me", "localcloud zone list --database shared"),
    ],
    exitCodes: [.noStore, .refused])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session()
    let zones = try session.service.zones.list(nil, in: context.scope(), by: session.caller).map { try $0.get() }
    let people = try People(session)
    try context.emit(
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

  private static func yesOrNo(_ zone: Zone, _ capability: UInt) -> String {
    zone.capabilities & capability != 0 ? "yes" : "no"
  }
}
