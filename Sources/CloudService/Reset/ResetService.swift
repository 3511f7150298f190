import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Resets: they empty a part of the cloud.
package struct ResetService: ServiceSubject {
  let service: CloudService
}

extension ResetService {
  /// Empties a part of the cloud. Each zone is deleted by a commit, so that running programs see its deletion in their
  /// feeds. Accounts and schemas stay, unless `extras` names them ([reset-scope-5]).
  ///
  /// During the reset, a lock prevents other processes from writing to the cloud; the reset of one zone needs none.
  /// After an interruption, a second call does the rest ([reset-scope-6]).
  ///
  /// - Throws: `invalidArguments` for extras that the target does not have; `notAuthenticated` if the cloud has no such
  ///   account; `zoneNotFound` for a zone that does not exist; `serverResponseLost` if a part is deleted.
  package func reset(
    _ target: ResetTarget, _ extras: ResetExtras = [], by caller: Caller
  ) throws(ServiceError) -> ResetResult {
    try perform(.administration, by: nil) { try run(target, extras, caller, isPreview: false) }
  }

  /// The effects that a reset would have now. It has the errors of a reset, and writes nothing.
  package func preview(
    _ target: ResetTarget, _ extras: ResetExtras = [], by caller: Caller
  ) throws(ServiceError) -> ResetResult {
    try perform(.administration, by: nil) { try run(target, extras, caller, isPreview: true) }
  }

  private func run(
    _ target: ResetTarget, _ extras: ResetExtras, _ caller: Caller, isPreview: Bool
  ) throws -> ResetResult {
    try check(target, extras)
    if case .zone(let zone) = target {
      var run = ResetRun(service, caller, isPreview: isPreview)
      try run.deleteZone(ZoneIdentifier(name: zone))
      return run.result
    }
    return try run("The reset is done only in part", caller, isPreview: isPreview) { run in
      try run.reset(target, extras)
    }
  }

  private func check(_ target: ResetTarget, _ extras: ResetExtras) throws {
    switch target {
    case .all: return
    case .container(let name), .environment(_, of: let name): try NameRules.check(container: name)
    case .account, .zone:
      if extras.contains(.schema) { throw ServiceError.invalid("Only containers have a schema") }
    }
    if extras.contains(.accounts) {
      throw ServiceError.invalid("Only a reset of the whole cloud removes accounts")
    }
  }

  /// Runs `body` while no other process writes to the cloud; a preview needs no lock.
  ///
  /// - Parameter failure: the beginning of the error's message if a part is done.
  func run(
    _ failure: String, _ caller: Caller, isPreview: Bool, _ body: (inout ResetRun) throws -> Void
  ) throws -> ResetResult {
    var run = ResetRun(service, caller, isPreview: isPreview)
    if isPreview {
      try body(&run)
      return run.result
    }
    do {
      try cloud.withoutOtherWriters(waitPolicy(caller)) { try body(&run) }
    } catch  where !run.result.isEmpty {
      throw ServiceError.halfDone(failure, error, hint: "Reset it again")
    }
    return run.result
  }
}

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
