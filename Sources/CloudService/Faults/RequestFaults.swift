import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The effects of the fault rules that fired on a request.
package struct RequestFaults: Sendable {
  private struct ItemError {
    var conditions: FaultRule.Conditions
    var error: ServiceError
  }

  /// A lag of the indexes: a query does not find the records that were saved since `time`.
  private struct IndexLag {
    var conditions: FaultRule.Conditions
    /// Milliseconds since 1970.
    var time: Int64
  }

  /// The identifiers of the rules.
  package private(set) var rules: [String] = []
  /// Seconds before the answer.
  private(set) var latency = 0.0
  /// The error of a request that the cloud does not carry out.
  private(set) var refusal: ServiceError?
  /// The error of a request that the cloud carries out, while its answer is lost.
  private(set) var lostReply: ServiceError?
  private var itemErrors: [ItemError] = []
  private var indexLags: [IndexLag] = []

  init() {}

  /// Adds the effect of a rule that fired.
  ///
  /// - Parameter now: milliseconds since 1970.
  mutating func add(_ fault: StoredFault, at now: Int64) {
    rules.append(fault.id)
    switch fault.rule.effect {
    case .error(let code, let retryAfter): refusal = fault.error(code, retryAfter: retryAfter)
    case .lostReply(.before): refusal = fault.error(.networkFailure)
    case .lostReply(.after): lostReply = fault.error(.serverResponseLost)
    case .itemError(let code, let retryAfter):
      let error = fault.error(code, retryAfter: retryAfter)
      itemErrors.append(ItemError(conditions: fault.rule.conditions, error: error))
    case .latency(let seconds): latency += seconds
    case .indexLag(let seconds):
      indexLags.append(IndexLag(conditions: fault.rule.conditions, time: now - Int64(seconds * 1000)))
    case .latePushes, .pushes: break
    }
  }

  /// The error of one record of the request; nil: the record does not fail by a rule.
  ///
  /// - Parameter type: of a record to be saved.
  func error(of record: RecordIdentifier, type: String? = nil) -> ServiceError? {
    itemErrors.first { $0.conditions.matches(record: record.name, zone: record.zone.name, type: type) }?.error
  }

  /// The error of one zone of the request; nil: the zone does not fail by a rule.
  func error(of zone: ZoneIdentifier) -> ServiceError? {
    itemErrors.first { $0.conditions.matches(record: nil, zone: zone.name, type: nil) }?.error
  }

  /// Whether a query does not find the record yet.
  func hides(_ record: StoredRecord, in zone: ExactName) -> Bool {
    if indexLags.isEmpty { return false }
    guard let saved = record.object["modified"]?["timestamp"]?.integer else { return false }
    return indexLags.contains {
      saved > $0.time && $0.conditions.matches(record: record.name, zone: zone, type: record.type)
    }
  }
}
