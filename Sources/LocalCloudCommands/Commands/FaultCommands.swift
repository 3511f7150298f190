import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct FaultAddCommand: Command {
  static let description = CommandDescription(
    "fault", "add", summary: "Make requests fail, or pushes go astray, on demand",
    discussion: """
      Adds a rule to the cloud and prints its identifier. All programs and commands meet the rule from their next \
      request on, until it is used up or removed. A rule has one effect and any number of conditions. Without \
      conditions it matches each request, or each push.

      The conditions --account, --device, --container, --environment and --database select the sender of a request, or \
      the receiver of a push. --type matches records that are saved, and queries. --after, --times and --probability \
      say which of the matching requests the rule fires on.

      --file adds the rules of a file, a JSON array of objects such as \
      {"operation": "modifyRecords", "error": "zoneBusy", "times": 1}; "fault list --json" shows each rule in this \
      form. If one of them is wrong, none is added.
      """,
    examples: [
      .init(
        "The third save is told that the zone is busy",
        "localcloud fault add --operation modifyRecords --error zoneBusy --after 2 --times 1"),
      .init("One record fails, and with it its batch", "localcloud fault add --item-error quotaExceeded --record milk"),
      .init("Saved, but the answer never comes", "localcloud fault add --lost-reply after --account bob --times 1"),
      .init("Pushes to bob's phone come a minute late", "localcloud fault add --late-pushes 60 --device phone"),
    ],
    exitCodes: [.failure, .noStore, .locked, .storage])

  let error = Option<ServiceError.Code>(
    "error", "CODE", .errorCode, help: "requests fail with this error, such as zoneBusy, and the cloud does nothing")
  let itemError = Option<ServiceError.Code>(
    "item-error", "CODE", .errorCode, help: "only the matching records or zones of a request fail")
  let retryAfter = Option<Double>(
    "retry-after", "SECONDS", .seconds, help: "with --error or --item-error: when the error says to try again")
  let lostReply = Option<FaultRule.LossTime>(
    "lost-reply", "WHEN", .cases,
    help: "before: the request is lost (networkFailure); after: it is carried out, its answer lost (serverResponseLost)"
  )
  let latency = Option<Double>("latency", "SECONDS", .seconds, help: "answers come so much later")
  let latePushes = Option<Double>("late-pushes", "SECONDS", .seconds, help: "pushes come so much later")
  let push = Option<FaultRule.PushChange>(
    "push", "HOW", .cases, help: "pushes are lost, come twice, or come after the next one")
  let indexLag = Option<Double>(
    "index-lag", "SECONDS", .seconds, help: "queries do not find a record until so long after its last save")
  let file = Option<String>("file", "FILE", completes: .file, help: "add the rules of this file; - is standard input")

  let operation = Option<Operation>(
    "operation", "KIND", .values(Operation.allCases.filter(\.usesNetwork), by: \.rawValue),
    help: "only requests of this kind")
  let zone = Option<String>(
    "zone", "NAME", short: "z", aliases: ["zone-name"], completes: .zone,
    help: "only requests that name this zone, or a record in it")
  let record = Option<String>("record", "NAME", help: "only requests that name this record")
  let type = Option<String>("type", "TYPE", help: "only records of this type")
  let after = Option<Int>(
    "after", "COUNT", .wholeNumber(in: FaultRule.countRange), help: "let so many matching requests pass first")
  let times = Option<Int>(
    "times", "COUNT", .wholeNumber(in: 1...FaultRule.countRange.upperBound), help: "fire so often, then no more")
  let probability = Option<Double>(
    "probability", "SHARE", .share, help: "fire on this share of the matching requests, such as 0.25")
  let probabilitySeed = Option<Int>(
    "probability-seed", "NUMBER", .wholeNumber(), help: "with --probability: another number selects other requests")

  var options: [any OptionDeclaration] {
    effects + [retryAfter, file, operation, zone, record, type, after, times, probability, probabilitySeed]
  }

  private var effects: [any OptionDeclaration] {
    [error, itemError, lostReply, latency, latePushes, push, indexLag]
  }

  func run(_ context: CommandContext) throws {
    let rules = try context[file].map { try self.rules(inFile: $0, context) } ?? [rule(context)]
    let added = try context.session(as: .administrator).service.faults.add(rules)
    try context.writeResult(
      made: added.map(\.id), ["faults": .array(added.map { .object($0.object) })],
      text: StyledText(lines: added.map(\.id).joined(separator: "\n")))
  }

  // MARK: The rule of the options

  private func rule(_ context: CommandContext) throws -> FaultRule {
    do throws(ServiceError) {
      return try FaultRule(effect(context), where: conditions(context), schedule(context))
    } catch {
      throw CommandFailure.usage(error.message, hint: error.hint)
    }
  }

  private func effect(_ context: CommandContext) throws(ServiceError) -> FaultRule.Effect {
    guard effects.count(where: { context.isGiven($0) }) == 1 else { throw notOneEffect }
    let retryAfter = context[self.retryAfter]
    if let code = context[error] { return .error(code, retryAfter: retryAfter) }
    if let code = context[itemError] { return .itemError(code, retryAfter: retryAfter) }
    if retryAfter != nil { throw .invalid("--retry-after belongs to --error or --item-error") }
    if let time = context[lostReply] { return .lostReply(time) }
    if let seconds = context[latency] { return .latency(seconds) }
    if let seconds = context[latePushes] { return .latePushes(seconds) }
    if let seconds = context[indexLag] { return .indexLag(seconds) }
    guard let change = context[push] else { throw notOneEffect }
    return .pushes(change)
  }

  private var notOneEffect: ServiceError {
    .invalid("a fault rule has one effect: \(effects.map { "--\($0.name)" }.joined(separator: ", ")), or --file")
  }

  private func conditions(_ context: CommandContext) -> FaultRule.Conditions {
    var conditions = FaultRule.Conditions()
    conditions.operation = context[operation]
    conditions.account = context[GlobalOptions.account]
    conditions.device = context[GlobalOptions.device]
    conditions.container = context[GlobalOptions.container]
    conditions.environment = context[GlobalOptions.environment]
    conditions.database = context[GlobalOptions.database]
    conditions.zone = context[zone].map { ExactName($0) }
    conditions.recordName = context[record].map { ExactName($0) }
    conditions.recordType = context[type]
    return conditions
  }

  private func schedule(_ context: CommandContext) -> FaultRule.Schedule {
    var schedule = FaultRule.Schedule()
    schedule.after = context[after] ?? 0
    schedule.times = context[times]
    schedule.probability = context[probability]
    schedule.seed = Int64(context[probabilitySeed] ?? 0)
    return schedule
  }

  // MARK: The rules of a file

  private func rules(inFile path: String, _ context: CommandContext) throws -> [FaultRule] {
    let others: [any OptionDeclaration] =
      options.filter { $0.name != file.name } + [
        GlobalOptions.account, GlobalOptions.device, GlobalOptions.container, GlobalOptions.environment,
        GlobalOptions.database,
      ]
    for option in others where context.isGiven(option) {
      throw CommandFailure.usage("--file and --\(option.name) can't be given together")
    }
    let name = path == "-" ? InputSource.name : path
    let bytes = try context.contents(ofFile: path, limit: .text)
    let value: JSONValue
    do { value = try JSONValue(parsing: bytes) } catch {
      throw CommandFailure.usage("\(name) is not JSON: \(error)")
    }
    guard let values = value.array else {
      throw CommandFailure.usage("\(name) is not a JSON array of fault rules")
    }
    var number = 0
    do throws(ServiceError) {
      try FaultService.checkCount(values.count)
      var rules: [FaultRule] = []
      for value in values {
        number += 1
        rules.append(try FaultRule(value))
      }
      return rules
    } catch {
      let rule = number == 0 ? "" : ": rule \(number)"
      throw CommandFailure.usage("\(name)\(rule): \(error.message)", hint: "no rule was added")
    }
  }
}

struct FaultListCommand: Command {
  static let description = CommandDescription(
    "fault", "list", summary: "List the fault rules, and how often each fired",
    discussion: """
      A rule that is used up stays listed until it is removed.
      """,
    examples: [.init("Rules for a file", "localcloud fault list --json | jq '[.faults[].rule]' > rules.json")],
    exitCodes: [.noStore, .storage])

  func run(_ context: CommandContext) throws {
    let faults = try context.session(as: .administrator).service.faults.list()
    try context.writeResult(list: "faults", faults.map { .object($0.object) }, table: FaultText.table(faults))
  }
}

struct FaultRemoveCommand: Command {
  static let description = CommandDescription(
    "fault", "remove", summary: "Remove fault rules",
    discussion: """
      Pushes that a rule holds back stay on their way; "push release" delivers them.
      """,
    examples: [.init("The rule that was just added", "localcloud fault remove \"$rule\"")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage])

  let ids = ArgumentList<String>("id", help: "the rules' identifiers, as \"fault list\" shows them")

  var arguments: [any ArgumentDeclaration] { [ids] }

  func run(_ context: CommandContext) throws {
    let ids = context[self.ids]
    try context.session(as: .administrator).service.faults.remove(ids)
    try context.writeUnlessQuiet(
      ["removed": .array(ids.map { .string($0) })], text: "removed: \(ids.joined(separator: ", "), .bold)")
  }
}

struct FaultClearCommand: Command {
  static let description = CommandDescription(
    "fault", "clear", summary: "Remove all fault rules, also if they can't be read",
    examples: [.init("At the end of a script", "localcloud fault clear --quiet")],
    exitCodes: [.failure, .noStore, .locked, .storage])

  func run(_ context: CommandContext) throws {
    let count = try context.session(as: .administrator).service.faults.clear()
    try context.writeUnlessQuiet(
      ["removedCount": count.map { .integer(Int64($0)) } ?? .null],
      text: count.map { "removed \($0.counted("fault rule"))" } ?? "removed the fault rules, which could not be read")
  }
}

extension ValueType<Double> {
  fileprivate static var share: ValueType {
    ValueType { text in
      Double(text).flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }
    } reason: { _ in
      "is not a number above 0 and at most 1"
    }
  }
}
