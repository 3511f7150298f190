import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The reset of development to a copy of production ([schema-reset-1]).
extension SchemaService {
  /// Makes development's schema equal to production's, and deletes all data in development: zones, records, shares and
  /// subscriptions of all users, and the members of custom roles. Production does not change, and data on devices stays.
  /// During the reset, a lock prevents other processes from writing to the cloud. After an interruption, a second call
  /// does the rest.
  ///
  /// - Difference: change tokens of databases stay valid after a reset of development, and their feeds list the deleted
  ///   zones; tokens of zones are `zoneNotFound`, or `changeTokenExpired` once the zone is created again.
  /// - Assumption: a reset of development deletes subscriptions, and no user gets a push for it.
  ///
  /// - Throws: `serverResponseLost` if a part of the data is deleted.
  package func resetDevelopment(by caller: Caller) throws(ServiceError) -> ResetResult {
    try perform(.schema, by: caller) { try resetDevelopment(caller, isPreview: false) }
  }

  /// The effects that a reset of development would have now. Writes nothing.
  package func previewOfReset(by caller: Caller) throws(ServiceError) -> ResetResult {
    try perform(.schema, by: caller) { try resetDevelopment(caller, isPreview: true) }
  }

  private func resetDevelopment(_ caller: Caller, isPreview: Bool) throws -> ResetResult {
    try NameRules.check(container: caller.container)
    let development = Caller(account: nil, container: caller.container, environment: .development)
    return try service.resets.run("Development is reset only in part", development, isPreview: isPreview) { run in
      try run.empty(development, schema: storedSchema(caller.container, .production))
    }
  }
}
