import LocalCloudService
import LocalCloudStore

package enum DeviceListCommand: Command {
  package static let description = CommandDescription(
    "device", "list", summary: "List all devices, who is signed in on them, and which are offline",
    discussion: """
      Each account has a device of its own from the start, which is meant where no other is named. Other devices are \
      there from their first sign-in on.
      """,
    examples: [
      .init("Those of one account", "localcloud device list --json | jq '.devices[] | select(.account == \"bob\")'")
    ],
    exitCodes: [.noStore, .storage])

  package static func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let devices = try service.devices.list().map { ($0, try service.devices.network(of: $0.name)) }
    try context.emit(
      list: "devices",
      devices.map { device, network in
        var document = DeviceText.document(device)
        document["network"] = .object(DeviceText.document(network))
        return .object(document)
      },
      table: Table(
        ["device", "account", "network"],
        rows: devices.map { [$0.name, $0.account ?? "-", DeviceText.text($1)] }))
  }
}
