import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

package enum DeviceNetworkCommand: Command {
  private static let online = "online"
  private static let words = [online] + NetworkCondition.Kind.allCases.map(\.rawValue)

  package static let description = CommandDescription(
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
    arguments: [
      ArgumentDescription("condition", optional: true, allowed: words, help: "one of \(words.joined(separator: ", "))")
    ],
    options: [
      .value(
        "retry-after", "SECONDS", check: ValueCheck.seconds,
        help: "throttled, unavailable, busy: when the error says to try again; 30 if left out"),
      .value(
        "times", "COUNT", check: ValueCheck.wholeNumber(in: NetworkCondition.timesRange),
        help: "be online again after so many requests failed, or after it was throttled so often"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  package static func run(_ context: CommandContext) throws {
    guard let device = try context.settings().deviceName else {
      throw CommandFailure.usage("no device was named", hint: "give --device, or set LOCALCLOUD_ACCOUNT")
    }
    // Acts as no account: a session of one would sign it in on a device that does not exist yet.
    let devices = try context.session(as: .administrator).service.devices
    guard let word = context.positional("condition") else {
      for option in ["retry-after", "times"] where context.flag(option) {
        throw CommandFailure.usage("--\(option) belongs to a condition")
      }
      guard try devices.device(device) != nil else {
        throw CommandFailure.notFound("there is no device \(device)", hint: try devices.absenceHint(device))
      }
      let present = try devices.network(of: device)
      return try context.emit(document(present, device), text: text(present, device))
    }
    let (retryAfter, times) = (try context.number("retry-after"), try context.integer("times"))
    var condition: NetworkCondition?
    if let kind = NetworkCondition.Kind(rawValue: word) {
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
    try context.report(document(condition, device), text: text(condition, device))
  }

  private static func document(_ condition: NetworkCondition?, _ device: String) -> JSONObject {
    ["device": .string(device), "network": .object(DeviceText.document(condition))]
  }

  private static func text(_ condition: NetworkCondition?, _ device: String) -> StyledText {
    "\(device, .bold): \(DeviceText.text(condition))"
  }
}
