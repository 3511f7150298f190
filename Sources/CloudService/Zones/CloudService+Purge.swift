import CloudStore

/// The person deletes the app's data in Settings (records.md 2.4, encryption.md 6).
extension CloudService {
  /// Deletes what an account keeps in its private databases of a container, in both environments: custom zones go, a
  /// default zone loses its records. What others share with the account stays. Answers what was there; if it is cut
  /// short, doing it again does the rest.
  ///
  /// - Assumption: all custom zones of both environments are `userDeletedZone` from then on, until they are deleted or
  ///   made again; the default zone is emptied; pushes go to all devices but the account's default one.
  package func purgeData(of name: String, container: String) throws(ServiceError) -> [EnvironmentZone] {
    try perform(.administration, by: nil) {
      try NameRules.check(container: container)
      let account = try requireAccount(name)
      var purged: [EnvironmentZone] = []
      do {
        for environment in CloudEnvironment.allCases {
          let caller = Caller(account: account.name, container: container, environment: environment)
          let database = try cloud.database(databasePath(.private, account: account.name, caller))
          for zone in try database?.zones() ?? [] {
            let address = try address(ZoneIdentifier(name: zone), in: .private, as: account, caller)
            if try purge(address, account, caller) {
              purged.append(EnvironmentZone(environment: environment, zone: address.identifier))
            }
          }
        }
      } catch  where !purged.isEmpty {
        throw ServiceError.halfDone("The data of \(name) is purged only in part", error, hint: "Purge it again")
      }
      return purged
    }
  }

  /// Answers whether anything was there.
  private func purge(_ address: ZoneAddress, _ account: Account, _ caller: Caller) throws -> Bool {
    try inZone(address, caller) { transaction in
      let batch = try ZoneBatch(self, caller, account, address, transaction, policy: .changedKeys, atomic: true)
      try batch.clear(.purged)
      guard !transaction.isEmpty else { return false }
      try transaction.commit(patience(caller))
      return true
    }
  }
}
