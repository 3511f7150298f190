import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// Dry runs of commands with ``CommandDescription/deletesData``: they read what a run would delete, and write nothing.
extension CommandContext {
  var isDryRun: Bool { description.deletesData && isOn(Flag.dryRun.name) }

  /// Writes the result of a dry run: the document of a real run with the member `dryRun`.
  func writeDryRun(_ document: JSONObject, text: StyledText) throws {
    var document = document
    document["dryRun"] = true
    try writeResult(document, text: "would " + text)
  }
}

/// What a deletion of a user's data finds.
struct StoredData {
  private(set) var zones: [EnvironmentZone] = []
  private(set) var records = 0

  /// The zones of an account's private databases in a container. A default zone counts if a record in it does.
  ///
  /// - Parameter isAffected: whether a record counts; nil stands for a record that can't be read.
  init(
    of account: String, in container: String, environments: [CloudEnvironment] = CloudEnvironment.allCases,
    _ session: Session, onlyIf isAffected: ((Record?) -> Bool)? = nil
  ) throws {
    for database in try session.service.checks.contents()
    where database.container == container && database.scope == .private && database.account == account {
      guard let environment = CloudEnvironment(rawValue: database.environment), environments.contains(environment)
      else { continue }
      let isOwn = session.caller.account == account
      let caller = Caller(
        account: account, device: isOwn ? session.caller.device : nil, container: container, environment: environment)
      for zone in database.zones {
        try add(zone, .private, caller, session, onlyIf: isAffected)
      }
    }
  }

  /// The data of all users in development.
  init(ofDevelopmentIn container: String, _ session: Session) throws {
    for account in try session.service.accounts.listAccounts().accounts {
      let data = try StoredData(of: account.name, in: container, environments: [.development], session)
      zones += data.zones
      records += data.records
    }
    let caller = Caller(account: nil, container: container, environment: .development)
    try? add(ZoneIdentifier.default, .public, caller, session)
  }

  private mutating func add(
    _ zone: ZoneIdentifier, _ scope: DatabaseScope, _ caller: Caller, _ session: Session,
    onlyIf isAffected: ((Record?) -> Bool)? = nil
  ) throws {
    var count = 0
    try session.forEachRecord(in: zone, scope, by: caller) { record in
      let isUser = record?.type == Record.userType
      if !isUser, isAffected?(record) ?? true { count += 1 }
      return true
    }
    let isWhole = isAffected == nil && zone.name != ZoneIdentifier.defaultName
    guard count > 0 || isWhole else { return }
    records += count
    zones.append(EnvironmentZone(environment: caller.environment, zone: zone))
  }
}

extension Record {
  /// Whether it has values that need a key: encrypted values and assets.
  var needsKey: Bool {
    !encryptedFields.isEmpty
      || fields.values.contains { value in
        switch value {
        case .asset, .list(.asset, _): true
        default: false
        }
      }
  }
}
