import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct ClockCommand: Command {
  static let description = CommandDescription(
    "clock", summary: "Show, set and move the cloud's clock, for all processes",
    discussion: """
      The cloud's clock gives the dates of records, accounts, pushes and snapshots, and decides when throttling, \
      exported assets and answers of long-lived operations end. All processes follow it from their next request on, \
      those that run included. Without an action, shows it. The actions:
        set TIME         the clock stands still at this time
        offset DURATION  the clock runs ahead of the machine's clock; with --back behind it
        step DURATION    moves the clock forward, one that stands still or runs; with --back backward
        reset            the machine's clock again
      A duration is a number of seconds, or numbers with units: 90, 30m, 1h30m, 2d; the units are ms, s, m, h, d and w. \
      LOCALCLOUD_CLOCK and --clock fix the time of a single process, and have precedence there. Waiting for locks and \
      time limits of commands go by the machine's clock. "reset all" resets the clock; snapshots do not contain it.
      """,
    examples: [
      .init("A morning in January", "localcloud clock set 2026-01-31T08:00:00Z"),
      .init("An hour later", "localcloud clock step 1h"),
      .init("Two hours ahead of the machine", "localcloud clock offset +2h"),
      .init("The time alone", "localcloud clock --json | jq -r .clock.time"),
    ],
    exitCodes: [.failure, .noStore, .locked, .storage])

  enum Action: String, CaseIterable {
    case set, offset, step, reset
  }

  let action = OptionalArgument<Action>(
    "action", .cases, help: "one of \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
  let value = OptionalArgument<String>("value", help: "set: a time; offset, step: a duration")
  let back = Flag("back", help: "offset: behind the machine's clock; step: backward")

  var arguments: [any ArgumentDeclaration] { [action, value] }
  var options: [any OptionDeclaration] { [back] }

  func run(_ context: CommandContext) throws {
    let action = context[self.action]
    let change = try action.map { try self.change($0, context) }
    let session = try context.session(as: .administrator)
    let clock = session.service.clock
    let setting = if let change { try change.apply(to: clock) } else { try clock.setting() }
    if session.settings.clock.value != nil {
      context.output.notice("LOCALCLOUD_CLOCK or --clock is given: its time has precedence over the cloud's clock")
    }
    let text = ClockText(setting)
    if action == nil {
      try context.writeResult(["clock": .object(text.document)], text: text.text)
    } else {
      try context.writeUnlessQuiet(["clock": .object(text.document)], text: text.text)
    }
  }

  private enum Change {
    case set(ClockSetting?)
    case step(Int64)

    func apply(to clock: ClockService) throws(ServiceError) -> ClockSetting? {
      switch self {
      case .set(let setting):
        try clock.set(setting)
        return setting
      case .step(let milliseconds): return try clock.step(by: milliseconds)
      }
    }
  }

  private func change(_ action: Action, _ context: CommandContext) throws(CommandFailure) -> Change {
    let isBack = context[back]
    switch action {
    case .set:
      if isBack { throw .usage("--back belongs to offset and step") }
      let text = try value(of: action, "a time", context)
      do throws(Timestamp.Invalid) {
        return .set(.fixed(try Timestamp.parse(text)))
      } catch {
        throw .usage("<value> \"\(text)\" is not a time: \(error.reason)")
      }
    case .offset: return .set(.offset((isBack ? -1 : 1) * (try duration(of: action, context))))
    case .step: return .step((isBack ? -1 : 1) * (try duration(of: action, context)))
    case .reset:
      if isBack { throw .usage("--back belongs to offset and step") }
      if let extra = context[value] { throw .usage("unexpected argument \"\(extra)\"") }
      return .set(nil)
    }
  }

  private func duration(of action: Action, _ context: CommandContext) throws(CommandFailure) -> Int64 {
    let text = try value(of: action, "a duration", context)
    if let milliseconds = ClockText.milliseconds(text) { return milliseconds }
    let isNegative = text.hasPrefix("-")
    throw .usage(
      "<value> \"\(text)\" is not a duration, such as 30m or 1h30m",
      hint: isNegative ? "\"clock \(action.rawValue) \(text.dropFirst()) --back\" goes back" : nil)
  }

  private func value(
    of action: Action, _ meaning: String, _ context: CommandContext
  ) throws(CommandFailure) -> String {
    guard let text = context[value] else { throw .usage("\"clock \(action.rawValue)\" needs \(meaning)") }
    return text
  }
}
