import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct DeviceListCommand: Command {
  static let description = CommandDescription(
    "device", "list", summary: "List all devices, who is signed in on them, and which are offline",
    discussion: """
      Each account has a device of its own from the start, which is meant where no other is named. Other devices are \
      there from their first sign-in on.
      """,
    examples: [
      .init("Those of one account", "localcloud device list --json | jq '.devices[] | select(.account == \"bob\")'")
    ],
    exitCodes: [.noStore, .storage])

  func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let devices = try service.devices.list().map { ($0, try service.devices.network(of: $0.name)) }
    try context.writeResult(
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

struct DeviceSignInCommand: Command {
  static let description = CommandDescription(
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
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  let device = Argument<String>.device
  let name = Argument<String>.account

  var arguments: [any ArgumentDeclaration] { [device, name] }

  func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let name = context[self.device]
    if try service.devices.device(name) == nil { try NameRules.check(chosenDevice: name) }
    let device = try service.devices.signIn(context[self.name], on: name)
    try context.writeUnlessQuiet(
      DeviceText.document(device), text: "\(device.account ?? "", .bold) is signed in on \(device.name, .bold)")
  }
}

struct DeviceSignOutCommand: Command {
  static let description = CommandDescription(
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
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  let device = Argument<String>.device

  var arguments: [any ArgumentDeclaration] { [device] }

  func run(_ context: CommandContext) throws {
    let devices = try context.session(as: .administrator).service.devices
    let name = context[self.device]
    let device = try devices.suggestingNames(for: name) { () throws(ServiceError) in try devices.signOut(name) }
    try context.writeUnlessQuiet(DeviceText.document(device), text: "nobody is signed in on \(device.name, .bold)")
  }
}

struct DeviceNetworkCommand: Command {
  static let description = CommandDescription(
    "device", "network", summary: "Take a device offline, throttle it, or show how its network is",
    discussion: """
      Without a condition, shows the present one. A condition holds for all programs on the device, those that run \
      included, and for commands that act on it, until another is set. Other devices notice nothing. Pushes to a device \
      that is offline come once it is not. What the conditions do to requests:
        online       nothing
        offline      they fail with networkUnavailable
        unreachable  they fail with networkFailure
        throttled    one fails with serviceUnavailable, and all in the seconds after it with requestRateLimited
        unavailable  they fail with serviceUnavailable
        busy         they fail with zoneBusy
        replyLost    what changes the cloud is done there, and fails with serverResponseLost
      """,
    examples: [
      .init("Alice's device loses its network", "localcloud device network offline --device alice-device"),
      .init("And has it again", "localcloud device network online --device alice-device"),
      .init("The next save is done, but its answer lost", "localcloud device network replyLost --times 1"),
      .init("Throttled twice, for 5 seconds each", "localcloud device network throttled --retry-after 5 --times 2"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  enum Network {
    case online
    case fault(NetworkCondition.Kind)
  }

  private static let networks = ValueType<Network>(
    named: [("online", Network.online)]
      + NetworkCondition.Kind.allCases.map { ($0.rawValue, Network.fault($0)) })

  let condition = OptionalArgument<Network>(
    "condition", networks, help: "one of \(networks.words.joined(separator: ", "))")
  let retryAfter = Option<Double>(
    "retry-after", "SECONDS", .seconds,
    help: "throttled, unavailable, busy: when the error says to try again; 30 if left out")
  let times = Option<Int>(
    "times", "COUNT", .wholeNumber(in: NetworkCondition.timesRange),
    help: "be online again after so many requests failed, or after it was throttled so often")

  var arguments: [any ArgumentDeclaration] { [condition] }
  var options: [any OptionDeclaration] { [retryAfter, times] }

  func run(_ context: CommandContext) throws {
    guard let device = try context.settings().deviceName else {
      throw CommandFailure.usage("no device was named", hint: "give --device, or set LOCALCLOUD_ACCOUNT")
    }
    // Acts as no account: a session of one would sign it in on a device that does not exist yet.
    let devices = try context.session(as: .administrator).service.devices
    guard let network = context[self.condition] else {
      for option in options where context.isGiven(option) {
        throw CommandFailure.usage("--\(option.name) belongs to a condition")
      }
      guard try devices.device(device) != nil else {
        throw CommandFailure.notFound("there is no device \(device)", hint: try devices.absenceHint(device))
      }
      let present = try devices.network(of: device)
      return try context.writeResult(document(present, device), text: text(present, device))
    }
    let (retryAfter, times) = (context[self.retryAfter], context[self.times])
    var condition: NetworkCondition?
    if case .fault(let kind) = network {
      do throws(ServiceError) {
        condition = try NetworkCondition(kind, retryAfter: retryAfter, times: times)
      } catch {
        throw CommandFailure.usage(error.message)
      }
    } else if retryAfter != nil || times != nil {
      throw CommandFailure.usage("a device that is online has no --retry-after and no --times")
    }
    try devices.suggestingNames(for: device) { () throws(ServiceError) in
      try devices.setNetwork(condition, of: device)
    }
    try context.writeUnlessQuiet(document(condition, device), text: text(condition, device))
  }

  private func document(_ condition: NetworkCondition?, _ device: String) -> JSONObject {
    ["device": .string(device), "network": .object(DeviceText.document(condition))]
  }

  private func text(_ condition: NetworkCondition?, _ device: String) -> StyledText {
    "\(device, .bold): \(DeviceText.text(condition))"
  }
}
