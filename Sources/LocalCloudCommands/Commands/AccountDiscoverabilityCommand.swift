import LocalCloudModel
import LocalCloudService

package enum AccountDiscoverabilityCommand: Command {
  package static let description = CommandDescription(
    "account", "discoverability", summary: "Show or set whether a program lets others find a person",
    discussion: """
      This is what people answer a program that calls requestApplicationPermission, and what the Settings of a device let \
      them change later. Nobody is asked here: without an answer they say yes. It holds for one container.
      """,
    examples: [
      .init("Nobody is to find bob", "localcloud account discoverability bob --answer denied"),
      .init("He says no as soon as he is asked", "localcloud account discoverability bob --answer denied --when-asked"),
      .init("As if he had never been asked", "localcloud account discoverability bob --answer initialState"),
    ],
    arguments: [ArgumentDescription("name", help: "the account")],
    options: [
      .value(
        "answer", "ANSWER", allowed: [DiscoverabilityStatus.granted, .denied, .initialState].map(\.name),
        help: "granted, denied, or initialState: not asked yet"),
      .flag("when-asked", help: "the answer is given when the program asks"),
    ],
    exitCodes: [.failure, .noStore, .notFound])

  package static func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    let (name, container) = (try context.required("name"), session.caller.container)
    let account: Account
    switch context.string("answer") {
    case let answer?:
      let isUnasked = answer == DiscoverabilityStatus.initialState.name
      if isUnasked, context.flag("when-asked") {
        throw CommandFailure.usage("initialState is no answer", hint: "--when-asked goes with granted or denied")
      }
      account = try session.service.accounts.setDiscoverability(
        of: name, in: container,
        isUnasked
          ? nil
          : Discoverability(
            isGranted: answer == DiscoverabilityStatus.granted.name, wasAsked: !context.flag("when-asked")))
    case nil:
      if context.flag("when-asked") {
        throw CommandFailure.usage("--when-asked needs an answer", hint: "add --answer granted or --answer denied")
      }
      account = try session.service.accounts.account(name)
    }
    let permission = account.permissions[container] ?? .standard
    let answer = (permission.isGranted ? DiscoverabilityStatus.granted : .denied).name
    try context.emit(
      [
        "account": .string(account.name), "answer": .string(answer), "container": .string(container),
        "status": .string(permission.status.name),
      ],
      text: text(account, container, permission, answer))
  }

  private static func text(
    _ account: Account, _ container: String, _ permission: Discoverability, _ answer: String
  ) -> StyledText {
    var list = DetailList("account \(account.name, .bold)")
    list.add("container", container)
    list.add("status", permission.status.name)
    if !permission.wasAsked { list.add("when asked", answer) }
    return list.text
  }
}
