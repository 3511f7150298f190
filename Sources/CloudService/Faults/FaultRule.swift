import LocalCloudModel
import LocalCloudStorage

/// A fault on demand: the requests or pushes that it matches, how often it fires, and its effect on them ([fault-1] and
/// following).
package struct FaultRule: Sendable, Hashable {
  /// The conditions of a rule. A nil condition accepts everything.
  package struct Conditions: Sendable, Hashable {
    package var operation: Operation?
    /// The account and the device that send the request, or that get the push.
    package var account: String?
    package var device: String?
    package var container: String?
    package var environment: CloudEnvironment?
    package var database: DatabaseScope?
    package var zone: ExactName?
    package var recordName: ExactName?
    package var recordType: String?

    package init() {}
  }

  package enum Effect: Sendable, Hashable {
    /// The request fails before the cloud does anything.
    case error(ServiceError.Code, retryAfter: Double? = nil)
    /// The matching records or zones of the request fail.
    case itemError(ServiceError.Code, retryAfter: Double? = nil)
    /// The request or its answer is lost.
    case lostReply(LossTime)
    /// Seconds before the answer.
    case latency(Double)
    /// Pushes arrive so many seconds late.
    case latePushes(Double)
    case pushes(PushChange)
    /// A query does not find a record for so many seconds after its last save.
    case indexLag(Double)
  }

  package enum LossTime: String, Sendable, CaseIterable {
    /// The cloud does not get the request.
    case before
    /// The cloud carries out the request.
    case after
  }

  package enum PushChange: String, Sendable, CaseIterable {
    case lost, doubled, reordered
  }

  /// The schedule of a rule: it selects some of the matching requests.
  package struct Schedule: Sendable, Hashable {
    /// The number of matching requests that pass before the rule fires.
    package var after = 0
    /// How often the rule fires; nil: until it is removed.
    package var times: Int?
    /// The share of the other matching requests that it fires on; nil: all.
    package var probability: Double?
    /// Selects these requests, together with their numbers.
    package var seed: Int64 = 0

    package init() {}
  }

  package static let countRange = 0...1_000_000_000
  package static let secondsRange = NetworkCondition.retryAfterRange
  package static let latencyRange = 0.001...3600.0

  package let effect: Effect
  package let conditions: Conditions
  package let schedule: Schedule

  /// - Throws: `invalidArguments` for a value out of range, and for conditions that no request or push with this effect
  ///   can meet.
  package init(
    _ effect: Effect, where conditions: Conditions = Conditions(), _ schedule: Schedule = Schedule()
  ) throws(ServiceError) {
    self.effect = effect
    self.conditions = conditions
    self.schedule = schedule
    try Self.check(effect)
    try conditions.check()
    try checkOperation()
    try schedule.check()
  }

  private static func check(_ effect: Effect) throws(ServiceError) {
    switch effect {
    case .error(let code, let retryAfter), .itemError(let code, let retryAfter):
      // Its userInfo needs the failed items.
      if code == .partialFailure {
        throw .invalid("A request fails with partialFailure if items of it fail: use an item error")
      }
      if let retryAfter { try check(seconds: retryAfter, secondsRange) }
    case .latency(let seconds): try check(seconds: seconds, latencyRange)
    case .latePushes(let seconds), .indexLag(let seconds): try check(seconds: seconds, secondsRange)
    case .lostReply, .pushes: break
    }
  }

  private static func check(seconds: Double, _ range: ClosedRange<Double>) throws(ServiceError) {
    guard range.contains(seconds) else {
      throw .invalid(
        "A fault rule can't have \(seconds.secondsText) seconds: it has \(range.lowerBound.secondsText) to "
          + range.upperBound.secondsText)
    }
  }

  private func checkOperation() throws(ServiceError) {
    guard let operation = conditions.operation else { return }
    if isForPushes { throw .invalid("A fault rule for pushes has no operation") }
    guard effect.accepts(operation) else {
      let reason =
        switch effect {
        case .itemError: "names no records or zones"
        case .lostReply where operation.usesNetwork: "changes nothing: its reply can only be lost before"
        case .indexLag where operation.usesNetwork: "is no query"
        default: "is not sent to the cloud"
        }
      throw .invalid("A fault rule can't have the operation \(operation.rawValue) with this effect: it \(reason)")
    }
  }

  /// Whether the rule changes the delivery of pushes, and not requests.
  package var isForPushes: Bool {
    switch effect {
    case .latePushes, .pushes: true
    default: false
    }
  }
}

extension FaultRule.Effect {
  /// Whether requests of this kind can have the effect.
  func accepts(_ operation: Operation) -> Bool {
    switch self {
    case .latePushes, .pushes: false
    case .itemError: [.modifyRecords, .fetchRecords, .modifyZones, .fetchZones].contains(operation)
    case .lostReply(.after): operation.changesCloud
    case .indexLag: operation == .queryRecords
    case .error, .latency, .lostReply(.before): operation.usesNetwork
    }
  }
}

extension FaultRule.Conditions {
  fileprivate func check() throws(ServiceError) {
    let names: [(String?, String)] = [
      (account, "An account's name"), (device, "A device's name"), (zone?.string, "A zone's name"),
      (recordName?.string, "A record's name"), (recordType, "A record type"),
    ]
    for (name, what) in names {
      if let name { try NameRules.check(ExactName(name), what: what, allowsUnderscore: true) }
    }
    if let container { try NameRules.check(container: container) }
  }
}

extension FaultRule.Schedule {
  fileprivate func check() throws(ServiceError) {
    guard FaultRule.countRange.contains(after) else { throw .invalid("\(after) requests can't pass a fault rule") }
    if let times, times == 0 || !FaultRule.countRange.contains(times) {
      throw .invalid("A fault rule can't fire \(times) times")
    }
    if let probability, !(probability > 0 && probability <= 1) {
      throw .invalid("A fault rule's probability is above 0 and at most 1")
    }
    if seed != 0, probability == nil { throw .invalid("A fault rule's seed belongs to a probability") }
  }

  /// Whether the rule fires on the matching request of this number, the first being 1.
  func selects(_ number: Int) -> Bool {
    guard number > after else { return false }
    guard let probability else { return true }
    // SplitMix64: the number's bits spread over all values.
    var bits = UInt64(bitPattern: seed) &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) / Double(1 << 53) < probability
  }
}
