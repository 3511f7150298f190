import CloudModel
import CloudStore

/// The person deletes the app's data in Settings ([zone-purge-1] and following).
extension ZoneService {
  /// Deletes what an account keeps in its private databases of a container, in both environments: custom zones go, a
  /// default zone loses its records. What others share with the account stays. Answers what was there; if it is cut
  /// short, doing it again does the rest.
  ///
  /// - Assumption: all custom zones of both environments are `userDeletedZone` from then on, until they are deleted or
  ///   made again; the default zone is emptied; pushes go to all devices but the account's default one.
  package func purgeData(of name: String, container: String) throws(ServiceError) -> [EnvironmentZone] {
    try perform(.administration, by: nil) {
      try NameRules.check(container: container)
      let account = try service.accounts.requireAccount(name)
      var purged: [EnvironmentZone] = []
      do {
        for caller in callers(account, container) {
          try changeOwnZones(of: account, caller, affected: &purged) { change in
            try ZoneEnding(change: change).clear(.purged)
            return !change.transaction.isEmpty
          }
        }
      } catch  where !purged.isEmpty {
        throw ServiceError.halfDone("The data of \(name) is purged only in part", error, hint: "Purge it again")
      }
      return purged
    }
  }
}
