import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

extension LocalCloud {
  /// A rule that makes requests fail, or pushes go astray, on demand.
  ///
  /// A rule has one effect and any number of conditions; a nil condition accepts everything. `LocalCloud.withFaults`
  /// puts rules into force.
  public struct Fault: Sendable, Hashable {
    /// The effect of a rule on the requests or pushes that it matches.
    public enum Effect: Sendable, Hashable {
      /// The request fails before the cloud does anything.
      case error(CKError.Code, retryAfter: Double? = nil)
      /// Only the matching records or zones of the request fail. In an atomic zone the other records of the request
      /// fail with `batchRequestFailed`.
      case itemError(CKError.Code, retryAfter: Double? = nil)
      /// The cloud does not get the request. It fails with `networkFailure`.
      case requestLost
      /// The cloud carries out the request, and it fails with `serverResponseLost`. Only for requests that change the
      /// cloud.
      case replyLost
      /// The answer arrives so many seconds later. The thread of the request waits; a cancellation does not end the wait.
      case latency(Double)
      /// Pushes arrive so many seconds late.
      case latePushes(Double)
      /// Pushes do not arrive.
      case lostPushes
      /// Pushes arrive twice.
      case doubledPushes
      /// A push arrives after the next one of its container.
      case reorderedPushes
      /// A query does not find a record for so many seconds after its last save.
      case indexLag(Double)
    }

    /// A kind of request.
    public enum Request: String, Sendable, Hashable, CaseIterable {
      case modifyRecords, fetchRecords, queryRecords, zoneChanges, databaseChanges, modifyZones, fetchZones
      case shareMetadata, acceptShare, requestAccess, openLink, verifyHandle, lookUpParticipants
      case modifySubscriptions, fetchSubscriptions, applicationPermission, discoverUsers, webAuthToken
    }

    public var effect: Effect
    public var request: Request?
    /// The account that sends the request, or that gets the push.
    public var account: String?
    /// The device that sends the request, or that gets the push.
    public var device: String?
    /// The identifier of the container.
    public var container: String?
    /// `development` or `production`.
    public var environment: String?
    public var database: CKDatabase.Scope?
    public var zoneName: String?
    public var recordName: String?
    /// The type of a record that is saved, or of a query.
    public var recordType: CKRecord.RecordType?
    /// The number of matching requests that pass before the rule fires.
    public var after = 0
    /// How often the rule fires; nil: until it is removed.
    public var times: Int?
    /// The share of the matching requests that the rule fires on, above 0 and at most 1. The same seed selects the same
    /// requests.
    public var probability: Double?
    public var seed = 0

    public init(
      _ effect: Effect, on request: Request? = nil, account: String? = nil, device: String? = nil,
      container: String? = nil, environment: String? = nil, database: CKDatabase.Scope? = nil, zoneName: String? = nil,
      recordName: String? = nil, recordType: CKRecord.RecordType? = nil, after: Int = 0, times: Int? = nil,
      probability: Double? = nil, seed: Int = 0
    ) {
      (self.effect, self.request, self.account, self.device) = (effect, request, account, device)
      (self.container, self.environment, self.database) = (container, environment, database)
      (self.zoneName, self.recordName, self.recordType) = (zoneName, recordName, recordType)
      (self.after, self.times, self.probability, self.seed) = (after, times, probability, seed)
    }
  }

  /// Puts rules into force in the cloud of the scope or the environment while `body` runs. They are removed at its end,
  /// also if it throws.
  ///
  /// ```swift
  /// let busy = LocalCloud.Fault(.error(.zoneBusy, retryAfter: 1), on: .modifyRecords, times: 1)
  /// try LocalCloud.withFaults([busy]) {
  ///   // The app's next save is refused once.
  /// }
  /// ```
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Difference: not Apple's; it stands for a network and servers that fail.
  ///
  /// - Throws: the error of `body`; the errors of ``addFaults(_:)`` and ``removeFaults(_:)``.
  @discardableResult
  public static func withFaults<Result>(_ faults: [Fault], _ body: () throws -> Result) throws -> Result {
    let ids = try addFaults(faults)
    let result: Result
    do { result = try body() } catch {
      try? removeFaults(ids)
      throw error
    }
    try removeFaults(ids)
    return result
  }

  /// Puts rules into force while asynchronous work runs, like the synchronous function.
  @discardableResult
  public static func withFaults<Result>(
    _ faults: [Fault], isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    let ids = try addFaults(faults)
    let result: Result
    do { result = try await body() } catch {
      try? removeFaults(ids)
      throw error
    }
    try removeFaults(ids)
    return result
  }

  /// Puts rules into force in the cloud of the scope or the environment, for all programs, from their next request on.
  ///
  /// - Returns: the identifiers of the rules.
  /// - Throws: a `CKError`: `invalidArguments` for a value that is out of range or for conditions that no request can
  ///   meet, `limitExceeded` for more than 500 rules in a cloud.
  @discardableResult
  public static func addFaults(_ faults: [Fault]) throws -> [String] {
    try withSession { (session) throws(ServiceError) in
      var rules: [FaultRule] = []
      for fault in faults { rules.append(try fault.rule()) }
      return try session.service.faults.add(rules).map(\.id)
    }
  }

  /// Removes rules. An identifier without a rule is ignored. Pushes that a rule holds back stay on their way; see
  /// ``releasePushes(in:)``.
  public static func removeFaults(_ ids: [String]) throws {
    try withSession { (session) throws(ServiceError) in
      try session.service.faults.remove(ids, mayBeMissing: true)
    }
  }

  /// Delivers all pushes to the device of the scope or the environment that fault rules hold back.
  ///
  /// - Parameter container: any container that the program uses; nil for the default container.
  /// - Returns: the number of the pushes.
  /// - Throws: a `CKError`: `notAuthenticated` without an account.
  @discardableResult
  public static func releasePushes(in container: CKContainer? = nil) throws -> Int {
    let identity = container?.identity ?? .standard(ActingIdentity.current)
    do throws(ServiceError) {
      let session = try Session(identity.acting(now: ActingIdentity.current))
      return try session.service.pushes.releasePushes(by: session.caller)
    } catch {
      throw CKError.make(error, container: identity.container)
    }
  }
}

extension LocalCloud.Fault {
  fileprivate func rule() throws(ServiceError) -> FaultRule {
    var conditions = FaultRule.Conditions()
    conditions.operation = request.flatMap { Operation(rawValue: $0.rawValue) }
    (conditions.account, conditions.device, conditions.container) = (account, device, container)
    if let environment {
      guard let value = CloudEnvironment(rawValue: environment) else {
        throw .invalid("There is no environment '\(environment)'")
      }
      conditions.environment = value
    }
    conditions.database = database.flatMap { DatabaseScope(rawValue: $0.rawValue) }
    conditions.zone = zoneName.map { ExactName($0) }
    conditions.recordName = recordName.map { ExactName($0) }
    conditions.recordType = recordType
    var schedule = FaultRule.Schedule()
    (schedule.after, schedule.times, schedule.probability) = (after, times, probability)
    schedule.seed = Int64(seed)
    return try FaultRule(effect.value(), where: conditions, schedule)
  }
}

extension LocalCloud.Fault.Effect {
  fileprivate func value() throws(ServiceError) -> FaultRule.Effect {
    switch self {
    case .error(let code, let retryAfter): .error(try Self.code(code), retryAfter: retryAfter)
    case .itemError(let code, let retryAfter): .itemError(try Self.code(code), retryAfter: retryAfter)
    case .requestLost: .lostReply(.before)
    case .replyLost: .lostReply(.after)
    case .latency(let seconds): .latency(seconds)
    case .latePushes(let seconds): .latePushes(seconds)
    case .lostPushes: .pushes(.lost)
    case .doubledPushes: .pushes(.doubled)
    case .reorderedPushes: .pushes(.reordered)
    case .indexLag(let seconds): .indexLag(seconds)
    }
  }

  private static func code(_ code: CKError.Code) throws(ServiceError) -> ServiceError.Code {
    guard let value = ServiceError.Code(rawValue: code.rawValue) else {
      throw .invalid("The emulated CloudKit has no error \(code.rawValue)")
    }
    return value
  }
}
