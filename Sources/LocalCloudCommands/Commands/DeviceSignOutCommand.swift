import LocalCloudModel
import LocalCloudService

package enum DeviceSignOutCommand: Command {
  package static let description = CommandDescription(
    "device", "sign-out", summary: "Sign out whoever is signed in on a device",
    discussion: """
      Programs that run on the device are told (CKAccountChanged); their requests fail with notAuthenticated until \
      somebody signs in. The account and its data stay as they are, and so does what waits on the device, \
      but its long-lived operations are removed.
      """,
    examples: [
      .init("Alice's device", "localcloud device sign-out alice-device"),
      .init("And in again", "localcloud device sign-in alice-device alice"),
    ],
    arguments: [ArgumentDescription("device", help: "the device; an account's own one is ACCOUNT-device")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  package static func run(_ context: CommandContext) throws {
    let devices = try context.session(as: .administrator).service.devices
    let name = try context.required("device")
    let device = try devices.suggestingNames(for: name) { () throws(ServiceError) in try devices.signOut(name) }
    try context.report(DeviceText.document(device), text: "nobody is signed in on \(device.name, .bold)")
  }
}
