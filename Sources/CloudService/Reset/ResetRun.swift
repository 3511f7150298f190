import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// One reset, or its preview, which counts the same data and writes nothing. ``result`` holds the effects so far, also
/// after an error.
struct ResetRun {
  let service: CloudService
  let caller: Caller
  let isPreview: Bool
  var result = ResetResult()

  init(_ service: CloudService, _ caller: Caller, isPreview: Bool) {
    self.service = service
    self.caller = caller
    self.isPreview = isPreview
  }

  var cloud: Cloud { service.cloud }
  var waitPolicy: LockWaitPolicy { service.waitPolicy(caller) }

  /// Call it while no other process writes to the cloud.
  mutating func reset(_ target: ResetTarget, _ extras: ResetExtras) throws {
    // First, so that no rule meets a push of the reset.
    if target == .all { try clearFaults() }
    if case .account(let name) = target {
      try deleteData(of: service.accounts.requireAccount(name))
    } else {
      for environment in try environments(of: target) {
        try empty(environment, schema: extras.contains(.schema) ? Schema.initial : nil)
      }
    }
    try clearDevices(target)
    if target == .all { try resetClock() }
    guard extras.contains(.accounts) else { return }
    for account in try accounts() {
      if !isPreview { try service.accounts.remove(account.name) }
      result.accounts.append(account.name)
    }
  }

  /// Gives the cloud the machine's clock ([clock-6]).
  private mutating func resetClock() throws {
    let clock = CloudClock(in: cloud.root)
    guard try clock.isSet() else { return }
    if !isPreview { try clock.set(nil) }
    result.isClockReset = true
  }

  /// Removes the fault rules ([fault-11]).
  private mutating func clearFaults() throws {
    let register = FaultRegister(cloud)
    if isPreview {
      let rules: [StoredFault]? = try? register.rules()
      result.faults = rules?.count ?? 1
    } else {
      result.faults = try register.clear(waitPolicy) ?? 1
    }
  }

  /// The environments that a reset empties, each as a caller without an account.
  private func environments(of target: ResetTarget) throws -> [Caller] {
    switch target {
    case .all, .account: try cloud.containers().sorted().flatMap { bothEnvironments(of: $0.string) }
    case .container(let name): bothEnvironments(of: name)
    case .environment(let environment, of: let name):
      [Caller(account: nil, container: name, environment: environment)]
    case .zone: []
    }
  }

  private func bothEnvironments(of container: String) -> [Caller] {
    CloudEnvironment.allCases.map { Caller(account: nil, container: container, environment: $0) }
  }

  private func accounts() throws -> [Account] {
    try service.accounts.allAccounts().sorted { ExactName($0.name) < ExactName($1.name) }
  }

  /// Deletes the data of all users in an environment, and then replaces its schema if `schema` is given. A
  /// replaced schema's roles lose their members.
  mutating func empty(_ environment: Caller, schema: Schema? = nil) throws {
    let (container, name) = (environment.container, environment.environment)
    // A damaged schema ends the reset before any data is deleted.
    let changes = try schema.map { try service.schemas.storedSchema(container, name).changes(to: $0) } ?? []
    try removeSubscriptions(environment)
    // A later role of the same name must not inherit the members.
    if schema != nil, !isPreview { try service.accounts.removeMembers(ofAllRolesBut: [], environment) }
    try emptyPublicDatabase(environment)
    for account in try accounts() { try deleteZones(of: account, environment.by(account)) }
    guard let schema, !changes.isEmpty else { return }
    // Data is deleted first: a schema that declares more than the data needs does no harm.
    if !isPreview {
      try service.schemas.schemaFile(container, name).change(waitPolicy, alone: false) { _ in
        (Array(schema.text.utf8), ())
      }
    }
    result.schemas.append(ResetSchema(container: container, environment: name, changes: changes))
  }

  /// Deletes the zones and subscriptions of one account ([reset-scope-2]).
  private mutating func deleteData(of account: Account) throws {
    for environment in try environments(of: .account(account.name)) {
      try removeSubscriptions(environment, of: account)
      try deleteZones(of: account, environment.by(account))
    }
  }

  /// Removes subscriptions. It runs before data is deleted, so that no push is sent to them ([reset-scope-4]).
  private mutating func removeSubscriptions(_ environment: Caller, of account: Account? = nil) throws {
    try service.subscriptions.removeSubscriptions(
      in: ExactName(environment.container), environment.environment, of: account, isPreview: isPreview
    ) { result.subscriptions += 1 }
  }

  // MARK: Zones

  /// Deletes all records of the public database, including users' records of type `Users`. Requests for those create
  /// them again.
  private mutating func emptyPublicDatabase(_ environment: Caller) throws {
    let address = try service.zones.address(.default, in: .public, as: nil, environment)
    _ = try delete(address, environment) { try $0.deleteRecords() }
  }

  private mutating func deleteZones(of account: Account, _ caller: Caller) throws {
    let database = service.zones.databasePath(.private, account: account.name, caller)
    for zone in try cloud.database(database)?.zones().sorted() ?? [] {
      _ = try delete(ZoneIdentifier(name: zone), of: account, caller)
    }
    if isPreview { return }
    // A zone that was purged, or that a reset of its owner's keys removed, counts as deleted from now on.
    for zone in try cloud.database(database)?.tombstones() ?? [] {
      let address = try service.zones.address(ZoneIdentifier(name: zone), in: .private, as: account, caller)
      guard try service.zones.ending(of: address) != .deleted else { continue }
      _ = try cloud.setEnding(DatabaseChanges.DeletionReason.deleted.rawValue, of: address.path, waitPolicy)
    }
  }

  /// Deletes a zone of the caller's private database ([reset-scope-3]). Throws `zoneNotFound` if there is none.
  mutating func deleteZone(_ zone: ZoneIdentifier) throws {
    let account = try service.accounts.account(of: caller)
    if try delete(zone, of: account, caller) { return }
    let address = try service.zones.address(zone, in: .private, as: account, caller)
    if address.isDefault { return }
    if !isPreview { return try service.zones.forgetEnding(of: address, caller) }
    if try service.zones.ending(of: address) == .deleted { throw ServiceError.zoneNotFound(address.identifier) }
  }

  private mutating func delete(_ zone: ZoneIdentifier, of account: Account, _ caller: Caller) throws -> Bool {
    let address = try service.zones.address(zone, in: .private, as: account, caller)
    let service = service
    return try delete(address, caller) { transaction in
      let change = try ZoneChange(service, caller, account, address, transaction)
      try ZoneEnding(change: change).clear(sparingUser: false)
      return change.leavesRecords
    }
  }

  /// Deletes a zone in one commit, or all records of a default zone in as many as `plan` asks for by a true result.
  /// Returns false if nothing was there.
  private mutating func delete(
    _ address: ZoneAddress, _ caller: Caller, _ plan: (ZoneTransaction) throws -> Bool
  ) throws -> Bool {
    let (zones, waitPolicy) = (service.zones, self.waitPolicy)
    var (records, isAffected) = (0, false)
    // Deleted records are reported even if a later commit fails.
    defer {
      if isAffected {
        result.zones.append(
          ResetZone(
            container: caller.container, environment: caller.environment, zone: address.identifier, records: records))
      }
    }
    if isPreview {
      let found = try zones.ifPresent(address) { try $0.read(waitPolicy) { try $0.recordCount() } }
      records = found ?? 0
      isAffected = found != nil && (records > 0 || !address.isDefault)
      return isAffected
    }
    var leavesRecords = true
    while leavesRecords {
      leavesRecords = try zones.inZone(address, caller) { transaction in
        let count = try transaction.view.recordCount()
        let leavesRecords = try plan(transaction)
        if transaction.isEmpty { return false }
        try transaction.commit(waitPolicy)
        records += address.isDefault ? transaction.changedRecords.count : count
        isAffected = true
        return leavesRecords
      }
    }
    return isAffected
  }
}
