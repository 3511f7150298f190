import LocalCloudModel
import LocalCloudStore

/// Deletion of the app's data by the user, as in Settings ([zone-purge-1] and following).
extension ZoneService {
  /// Deletes the data in an account's private databases of a container, in both environments: custom zones are deleted,
  /// a default zone loses its records. Zones of others that are shared with the account stay. Returns the zones that
  /// held data. After an interruption, a second call does the rest.
  ///
  /// - Assumption: all custom zones of both environments are `userDeletedZone` from then on, until they are deleted or
  ///   created again; the default zone is emptied; pushes go to all devices but the account's default one.
  ///
  /// - Throws: `notAuthenticated` if the cloud has no account of this name; `serverResponseLost` if a part of the data
  ///   is deleted.
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
