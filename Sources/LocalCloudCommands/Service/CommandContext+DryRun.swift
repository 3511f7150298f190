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

/// The data that a command would delete.
struct StoredData {
  private(set) var zones: [EnvironmentZone] = []

  /// The zones of an account's private databases in a container. A default zone counts if it has records besides the
  /// user's.
  ///
  /// - Parameter isAffected: whether a record makes its zone count; nil stands for a record that can't be read. Without
  ///   this parameter, all custom zones count.
  init(
    of account: Account, in container: String, _ session: Session, onlyIf isAffected: ((Record?) -> Bool)? = nil
  ) throws {
    for environment in CloudEnvironment.allCases {
      try add(account, container, environment, session, areAllAffected: isAffected == nil) { record in
        record?.id.name.string != account.userRecordName && isAffected?(record) ?? true
      }
    }
  }

  private mutating func add(
    _ account: Account, _ container: String, _ environment: CloudEnvironment, _ session: Session,
    areAllAffected: Bool, isAffected: (Record?) -> Bool
  ) throws {
    let isActing = session.caller.account == account.name
    let caller = Caller(
      account: account.name, device: isActing ? session.caller.device : nil, container: container,
      environment: environment)
    for database in try session.service.checks.contents()
    where database.container == container && database.environment == environment.rawValue
      && database.scope == .private && database.account == account.name
    {
      for zone in database.zones {
        try add(
          ZoneIdentifier(name: zone.name, owner: account.userRecordName), .private, caller, session,
          isWhole: areAllAffected && zone.name != ZoneIdentifier.defaultName, isAffected: isAffected)
      }
    }
  }

  private mutating func add(
    _ zone: ZoneIdentifier, _ scope: DatabaseScope, _ caller: Caller, _ session: Session, isWhole: Bool,
    isAffected: (Record?) -> Bool
  ) throws {
    var count = 0
    try session.forEachRecord(in: zone, scope, by: caller) { record in
      if isAffected(record) { count += 1 }
      return true
    }
    guard count > 0 || isWhole else { return }
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
