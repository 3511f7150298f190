import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import Synchronization

extension LocalCloud {
  /// A cloud of one test, in a folder of its own. ``LocalCloud/temporary(people:schema:seed:clock:container:keep:_:)``
  /// creates it and ends it.
  ///
  /// A test case of XCTest creates one in `setUpWithError()`, and ends it in `tearDownWithError()`:
  ///
  /// ```swift
  /// override func setUpWithError() throws { cloud = try LocalCloud.TemporaryCloud(people: "ada", "ben") }
  /// override func tearDownWithError() throws { try cloud.end(failed: testRun?.totalFailureCount != 0) }
  /// ```
  public struct TemporaryCloud: Sendable {
    private static let all = Mutex<[String: TemporaryCloud]>([:])

    /// The names of the accounts that the cloud was created with.
    public let people: [String]
    /// The cloud's folder: the value of `LOCALCLOUD_ROOT` for programs that use it.
    public var root: URL { URL(fileURLWithPath: path, isDirectory: true) }
    package var path: String { files.cloud }

    private let files: TemporaryRoot
    private let keep: Keep

    /// The cloud of the scope; nil outside of a temporary cloud.
    package static var current: TemporaryCloud? {
      ActingIdentity.current?.root.flatMap { root in all.withLock { $0[root] } }
    }

    /// Acts in this cloud without an account.
    var scope: ActingIdentity { files.acting }

    /// Runs `body` in the scope of the cloud.
    package func withScope(_ body: () async throws -> Void) async throws {
      try await ActingIdentity.$current.withValue(scope, operation: body)
    }

    /// Creates a cloud that ``end(failed:)`` has to end. The parameters and errors are those of
    /// ``LocalCloud/temporary(people:schema:seed:clock:container:keep:_:)``. Blocks on the disk.
    public init(
      people: String..., schema: String? = nil, seed: String? = nil, clock: String? = nil, container: String? = nil,
      keep: Keep = .onFailure
    ) throws {
      let plan = TemporaryRoot.Plan(people: people, schema: schema, seed: seed, clock: clock, container: container)
      try self.init(plan, keep)
    }

    package init(_ plan: TemporaryRoot.Plan, _ keep: Keep) throws {
      do throws(ServiceError) { files = try TemporaryRoot(plan) } catch { throw CKError.make(error) }
      people = plan.people
      self.keep = keep
      let cloud = self
      Self.all.withLock { $0[cloud.path] = cloud }
    }

    /// Runs `body` on a person's device, like `LocalCloud.acting`.
    ///
    /// - Parameters:
    ///   - person: the account's name; nil: no account is signed in. Requests as an account that the cloud does not have
    ///     fail with `notAuthenticated`.
    ///   - device: the device's name; by default the account's default device.
    ///   - container: the identifier of the default container; nil: the container of the cloud.
    ///   - environment: `development` or `production`; nil: development.
    @discardableResult
    public func acting<Result>(
      as person: String?, device: String? = nil, container: String? = nil, environment: String? = nil,
      _ body: () throws -> Result
    ) throws -> Result {
      let acting = try identity(person, device, container, environment)
      return try ActingIdentity.$current.withValue(acting, operation: body)
    }

    /// Runs asynchronous work on a person's device, like the synchronous function.
    @discardableResult
    public func acting<Result>(
      as person: String?, device: String? = nil, container: String? = nil, environment: String? = nil,
      isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
      let acting = try identity(person, device, container, environment)
      return try await ActingIdentity.$current.withValue(acting, operation: body)
    }

    private func identity(
      _ person: String?, _ device: String?, _ container: String?, _ environment: String?
    ) throws -> ActingIdentity {
      try LocalCloud.identity(person, device, nil, container, environment, in: scope)
    }

    /// The folder for a person's Core Data stores. It is removed with the cloud.
    ///
    /// - Throws: a `CKError`: `notAuthenticated` for an account that the cloud was not created with.
    public func stores(of person: String) throws -> URL {
      guard people.contains(person) else {
        throw CKError.make(
          ServiceError(
            .notAuthenticated, "The temporary cloud was created without the account \(person).", cause: .unknownAccount,
            hint: "It has: \(people.joined(separator: ", "))."))
      }
      return URL(fileURLWithPath: files.stores(of: person), isDirectory: true)
    }

    /// Ends the mirrorings and listeners that use the cloud or a store in ``stores(of:)``. Then removes all files, or
    /// prints the cloud's path on standard error. Blocks until the mirrorings have ended, at most 30 seconds for each.
    ///
    /// - Parameter failed: whether the test failed.
    /// - Throws: a `CKError` if the files can't be removed.
    public func end(failed: Bool) throws {
      _ = Self.all.withLock { $0.removeValue(forKey: path) }
      if isKept(failed: failed) { return files.keep() }
      do throws(ServiceError) { try files.remove() } catch { throw CKError.make(error) }
    }

    /// Whether the files remain after a test.
    package func isKept(failed: Bool) -> Bool { keep == .always || keep == .onFailure && failed }
  }
}
