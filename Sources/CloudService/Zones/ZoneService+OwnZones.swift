import CloudModel
import CloudStore

/// What goes through all that an account keeps in a container: purges and resets of keys.
extension ZoneService {
  /// The account itself, in each environment of a container.
  func callers(_ account: Account, _ container: String) -> [Caller] {
    CloudEnvironment.allCases.map { Caller(account: account.name, container: container, environment: $0) }
  }

  /// Commits what `plan` makes of each of an account's own zones. Those for which it answers true are added to
  /// `affected` one by one: who is cut short knows how far it came.
  func changeOwnZones(
    of account: Account, _ caller: Caller, affected: inout [EnvironmentZone], _ plan: (ZoneChange) throws -> Bool
  ) throws {
    let database = try cloud.database(databasePath(.private, account: account.name, caller))
    for name in try database?.zones() ?? [] {
      let address = try address(ZoneIdentifier(name: name), in: .private, as: account, caller)
      let isAffected = try inZone(address, caller) { transaction in
        let isAffected = try plan(ZoneChange(service, caller, account, address, transaction))
        if !transaction.isEmpty { try transaction.commit(patience(caller)) }
        return isAffected
      }
      if isAffected { affected.append(EnvironmentZone(environment: caller.environment, zone: address.identifier)) }
    }
  }

  /// False where there is no such zone, or none any more once what was under way has its end.
  func inZone(
    _ address: ZoneAddress, _ caller: Caller, _ body: (ZoneTransaction) throws -> Bool
  ) throws -> Bool {
    do {
      guard let store = try cloud.zone(address.path) else { return false }
      return try store.write(patience(caller), body)
    } catch StoreError.zoneMissing {
      return false
    } catch let error as ServiceError where error.code == .zoneNotFound {
      return false
    }
  }
}
