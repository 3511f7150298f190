import LocalCloudModel
import LocalCloudService

package enum DeviceSignInCommand: Command {
  package static let description = CommandDescription(
    "device", "sign-in", summary: "Sign an account in on a device",
    discussion: """
      Whoever is signed in there is signed out, and their long-lived operations are removed. Programs that run on the device are told (CKAccountChanged), and act as \
      the account from then on. A device that nobody ever used is made.
      """,
    examples: [
      .init("A second device of bob's", "localcloud device sign-in bobs-laptop bob"),
      .init("Alice's device, after she signed out", "localcloud device sign-in alice-device alice"),
      .init("Somebody else on her device", "localcloud device sign-in alice-device bob"),
    ],
    arguments: [
      ArgumentDescription("device", help: "the device; an account's own one is ACCOUNT-device"),
      ArgumentDescription("name", help: "the account"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  package static func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let name = try context.required("device")
    if try service.devices.device(name) == nil { try NameRules.check(chosenDevice: name) }
    let device = try service.devices.signIn(context.required("name"), on: name)
    try context.report(
      DeviceText.document(device), text: "\(device.account ?? "", .bold) is signed in on \(device.name, .bold)")
  }
}
