import LocalCloudModel
import LocalCloudService

package enum ShareVerifyCommand: Command {
  package static let description = CommandDescription(
    "share", "verify", summary: "Say that an invited address is this account's",
    discussion: """
      Where a link is refused with participantMayNeedVerification, somebody was invited by an address or a number that no \
      account has. Adds it to the acting account; the invitation is the account's then. With the link, only what somebody \
      was invited by. Nothing is sent: the emulator takes your word.
      """,
    examples: [
      .init(
        "The address that a share was sent to",
        "localcloud share verify \"$url\" --email bob@work.example --account bob")
    ],
    arguments: [ArgumentDescription("link", optional: true, help: "the share's link; else any address can be added")],
    options: [
      .value("email", "ADDRESS", help: "the e-mail address"), .value("phone", "NUMBER", help: "the phone number"),
    ],
    exclusiveOptions: [["email", "phone"]], exitCodes: [.failure, .noStore, .locked, .notFound, .refused])

  package static func run(_ context: CommandContext) throws {
    guard let handle = context.string("email").map(LookupInfo.email) ?? context.string("phone").map(LookupInfo.phone)
    else { throw CommandFailure.usage("--email or --phone is missing: what is to be verified") }
    let session = try context.session()
    let link = context.positional("link")
    let account = try session.service.accounts.verify(handle, url: link, by: session.caller)
    try context.report(account.object, text: "\(handle.text, .bold) is \(account.name)'s")
    if link != nil { context.output.hint("join with: localcloud share accept LINK, or localcloud open LINK") }
  }
}
