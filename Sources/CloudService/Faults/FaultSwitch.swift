import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Lets requests and pushes meet the fault rules of a cloud ([fault-2], [fault-3]).
package struct FaultSwitch: Sendable {
  private let cloud: Cloud
  private let clock: @Sendable () throws -> Int64
  private let waitPolicy: LockWaitPolicy
  private let known = VersionedCache<String, [StoredFault]>(limit: 1)

  package init(in cloud: Cloud, _ settings: ServiceSettings) {
    self.cloud = cloud
    clock = settings.clock
    waitPolicy = settings.waitPolicy()
  }

  /// The effects of the rules on a request. Counts the request.
  ///
  /// The rules meet the request in the order of their addition. A rule that prevents the request ends this: the later
  /// ones do not count it.
  func meet(_ operation: Operation, _ caller: Caller, _ subject: () -> RequestSubject) throws -> RequestFaults {
    guard operation.usesNetwork else { return RequestFaults() }
    let rules = try rules()
    if rules.isEmpty { return RequestFaults() }
    let request = FaultyRequest(operation: operation, caller: caller, subject: subject())
    var faults = RequestFaults()
    func fire(_ fault: StoredFault) throws -> Bool {
      try faults.add(fault, at: clock())
      return faults.refusal == nil
    }
    try count(rules, where: { $0.matches(request) }, fire: fire)
    return faults
  }

  /// The change of a push's delivery by the first rule that fires on it; nil: the device gets the push. Counts the
  /// push.
  func meet(_ push: FaultyPush) throws -> PushFault? {
    let rules = try rules()
    var result: PushFault?
    func fire(_ fault: StoredFault) throws -> Bool {
      result = try PushFault(fault, at: clock())
      return false
    }
    try count(rules, where: { $0.matches(push) }, fire: fire)
    return result
  }

  /// The rules in force. Their document is read only if it has changed.
  private func rules() throws -> [StoredFault] {
    guard let version = try cloud.root.version(of: Cloud.faultsName) else { return [] }
    return try known.value(Cloud.faultsName, version) { try FaultRegister(cloud).rules() } ?? []
  }

  /// Counts a request or push with each matching rule, and calls `fire` with those that fire on it, until it returns
  /// false.
  ///
  /// - Parameter rules: as they were read without the lock.
  private func count(
    _ rules: [StoredFault], where matches: (FaultRule) -> Bool, fire: (StoredFault) throws -> Bool
  ) throws {
    guard rules.contains(where: { !$0.isUsedUp && matches($0.rule) }) else { return }
    // The rules are counted, so this must happen under the lock.
    try FaultRegister(cloud).change(waitPolicy) { rules in
      for index in rules.indices where !rules[index].isUsedUp && matches(rules[index].rule) {
        if rules[index].count(), try !fire(rules[index]) { return }
      }
    }
  }
}

extension PushFault {
  /// - Parameter now: milliseconds since 1970.
  fileprivate init?(_ fault: StoredFault, at now: Int64) {
    switch fault.rule.effect {
    case .latePushes(let seconds): self.init(rule: fault.id, .late, until: now + Int64(seconds * 1000))
    case .pushes(.lost): self.init(rule: fault.id, .lost)
    case .pushes(.doubled): self.init(rule: fault.id, .doubled)
    case .pushes(.reordered): self.init(rule: fault.id, .reordered)
    case .error, .itemError, .lostReply, .latency, .indexLag: return nil
    }
  }
}
