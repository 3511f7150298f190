import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel

extension LocalCloud {
  /// When the files of a temporary cloud remain after its test.
  public enum Keep: Sendable, Hashable {
    case always
    case onFailure
    case never
  }

  /// The temporary cloud of the running scope.
  ///
  /// - Throws: a `CKError`: `badContainer` outside of a temporary cloud.
  public static var cloud: TemporaryCloud {
    get throws {
      if let cloud = TemporaryCloud.current { return cloud }
      throw CKError.make(
        ServiceError(
          .badContainer, "There is no temporary cloud here.", cause: .noCloud,
          hint: "Add the trait .cloud to the test, or call LocalCloud.temporary."))
    }
  }

  /// Runs `body` with a new cloud, and removes the cloud. Each call has a cloud of its own, so that tests can run at the
  /// same time.
  ///
  /// ```swift
  /// try LocalCloud.temporary(people: "ada", "ben") { cloud in
  ///   try cloud.acting(as: "ada") { … }
  /// }
  /// ```
  ///
  /// The cloud is the one of the scope: within `body`, the other functions of `LocalCloud` need no `root`. The
  /// environment variables for root, account, device and environment have no effect there.
  ///
  /// After `body`, the mirrorings of `NSPersistentCloudKitContainer` and the listeners that use the cloud are stopped.
  /// Then the cloud is removed, with the stores in ``TemporaryCloud/stores(of:)``. If `body` throws, the files remain,
  /// and a line on standard error has the cloud's path.
  ///
  /// Blocks on the disk.
  ///
  /// - Parameters:
  ///   - people: the names of the accounts. The e-mail address of `ada` is `ada@example.com`.
  ///   - schema: a text in Apple's schema language for the development environment, as `localcloud schema import` takes
  ///     it.
  ///   - seed: makes the identifiers repeatable, as `LOCALCLOUD_SEED` does.
  ///   - clock: the time of all changes, as in `LOCALCLOUD_CLOCK`, for example `2026-01-31T12:00:00Z`.
  ///   - container: the identifier of the default container; nil: as without a scope.
  ///   - keep: when the files remain.
  ///   - body: called once, on this thread.
  /// - Returns: the result of `body`.
  /// - Throws: the error of `body`, or a `CKError`: `invalidArguments` for an invalid name, schema or setting,
  ///   `serverRejectedRequest` for a name that is given twice. Then no cloud remains.
  @discardableResult
  public static func temporary<Result>(
    people: String..., schema: String? = nil, seed: String? = nil, clock: String? = nil, container: String? = nil,
    keep: Keep = .onFailure, _ body: (TemporaryCloud) throws -> Result
  ) throws -> Result {
    let plan = TemporaryRoot.Plan(people: people, schema: schema, seed: seed, clock: clock, container: container)
    let cloud = try TemporaryCloud(plan, keep)
    let result: Result
    do {
      result = try ActingIdentity.$current.withValue(cloud.scope) { try body(cloud) }
    } catch {
      try? cloud.end(failed: true)
      throw error
    }
    try cloud.end(failed: false)
    return result
  }

  /// Runs asynchronous work with a new cloud, like the synchronous function. Does not block.
  @discardableResult
  public static func temporary<Result>(
    people: String..., schema: String? = nil, seed: String? = nil, clock: String? = nil, container: String? = nil,
    keep: Keep = .onFailure, isolation: isolated (any Actor)? = #isolation,
    _ body: (TemporaryCloud) async throws -> Result
  ) async throws -> Result {
    let plan = TemporaryRoot.Plan(people: people, schema: schema, seed: seed, clock: clock, container: container)
    let cloud = try await TemporaryRoot.onThread { try TemporaryCloud(plan, keep) }
    let result: Result
    do {
      result = try await ActingIdentity.$current.withValue(cloud.scope) { try await body(cloud) }
    } catch {
      try? await TemporaryRoot.onThread { try cloud.end(failed: true) }
      throw error
    }
    try await TemporaryRoot.onThread { try cloud.end(failed: false) }
    return result
  }
}
