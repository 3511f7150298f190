import CloudService
import CloudStore

package enum DeviceListCommand: Command {
  package static let description = CommandDescription(
    "device", "list", summary: "List all devices, and who is signed in on them",
    discussion: """
      Each account has a device of its own from the start, which is meant where no other is named. Other devices are \
      there from their first sign-in on.
      """,
    examples: [
      .init("Those of one account", "localcloud device list --json | jq '.devices[] | select(.account == \"bob\")'")
    ],
    exitCodes: [.noStore, .storage])

  package static func run(_ context: CommandContext) throws {
    let devices = try context.session(as: .administrator).service.devices.list()
    try context.emit(
      list: "devices", devices.map { .object(DeviceText.document($0)) },
      table: Table(["device", "account"], rows: devices.map { [$0.name, $0.account ?? "-"] }))
  }
}
