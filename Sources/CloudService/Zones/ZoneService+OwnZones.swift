import LocalCloudModel
import LocalCloudStore

/// Changes to all zones that an account owns in a container: purges and resets of keys.
extension ZoneService {
  /// The account as a caller in each environment of a container.
  func callers(_ account: Account, _ container: String) -> [Caller] {
    CloudEnvironment.allCases.map { Caller(account: account.name, container: container, environment: $0) }
  }

  /// Plans and commits a change of each zone that the account owns, again while it ``ZoneChange/leavesRecords``. Adds
  /// the zones with a true result of `plan` to `affected` one by one, so that the caller knows the progress when an
  /// error interrupts it.
  func changeOwnZones(
    of account: Account, _ caller: Caller, affected: inout [EnvironmentZone], _ plan: (ZoneChange) throws -> Bool
  ) throws {
    let database = try cloud.database(databasePath(.private, account: account.name, caller))
    for name in try database?.zones() ?? [] {
      let address = try address(ZoneIdentifier(name: name), in: .private, as: account, caller)
      let zone = EnvironmentZone(environment: caller.environment, zone: address.identifier)
      var leavesRecords = true
      while leavesRecords {
        leavesRecords = false
        let isAffected = try inZone(address, caller) { transaction in
          let change = try ZoneChange(service, caller, account, address, transaction)
          let isAffected = try plan(change)
          if !transaction.isEmpty { try transaction.commit(waitPolicy(caller)) }
          leavesRecords = change.leavesRecords
          return isAffected
        }
        if isAffected, affected.last != zone { affected.append(zone) }
      }
    }
  }

  /// Runs `body` in a write transaction of the zone. Returns false if there is no zone of that name, or if completing
  /// interrupted commits deleted it.
  func inZone(
    _ address: ZoneAddress, _ caller: Caller, _ body: (ZoneTransaction) throws -> Bool
  ) throws -> Bool {
    try ifPresent(address) { try $0.write(waitPolicy(caller), body) } ?? false
  }

  /// Runs `body` with the store of the zone. Returns nil if there is no zone of that name, or if completing interrupted
  /// commits deleted it.
  func ifPresent<Result>(_ address: ZoneAddress, _ body: (ZoneStore) throws -> Result) throws -> Result? {
    do {
      guard let store = try cloud.zone(address.path) else { return nil }
      return try body(store)
    } catch StoreError.zoneMissing {
      return nil
    } catch let error as ServiceError where error.code == .zoneNotFound {
      return nil
    }
  }
}
