import Foundation
import LocalCloudEmulator

/// One of a container's databases. Get it from a `CKContainer`.
///
/// Functions for one item throw the item's error. Functions for several items return a result for each item. They throw
/// only if the request failed as a whole, for example with `notAuthenticated`, `limitExceeded` or `networkUnavailable`.
/// Cancelling the task of an asynchronous function cancels its request: it fails with `operationCancelled`.
// Sendable: every stored property is a constant of a Sendable type.
open class CKDatabase: NSObject, @unchecked Sendable {
  /// Identifies one of a container's databases.
  public typealias Scope = CKDatabaseScope

  let identity: ContainerIdentity
  private let configuration: CKOperationConfiguration?
  private let group: CKOperationGroup?

  /// The kind of this database.
  public let databaseScope: CKDatabase.Scope

  init(
    _ scope: Scope, of identity: ContainerIdentity, _ configuration: CKOperationConfiguration? = nil,
    _ group: CKOperationGroup? = nil
  ) {
    databaseScope = scope
    self.identity = identity
    self.configuration = configuration
    self.group = group
    super.init()
  }

  /// The container and the scope.
  open override var description: String {
    "<CKDatabase: container=\(identity.container), databaseScope=\(databaseScope)>"
  }

  /// Starts an operation on this database, concurrently with others. Adding an operation twice stops the process. A
  /// long-lived operation that was fetched keeps its original database.
  open func add(_ operation: CKDatabaseOperation) {
    CKContainer.enqueue(operation) {
      if !operation.isResumed { operation.database = self }
    }
  }

  /// Starts the operation of a convenience function, with this database's configuration and group.
  func begin(_ operation: CKDatabaseOperation) {
    if let configuration { operation.configuration = configuration }
    operation.group = group
    RunningOperation.current?.set(operation)
    add(operation)
  }

  /// Calls the body with a copy of this database that has other settings.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil, body: (CKDatabase) throws -> R
  ) rethrows -> R {
    try body(configured(configuration, group))
  }

  /// Calls the body with a copy of this database that has other settings.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
    isolation: isolated (any Actor)? = #isolation, body: (CKDatabase) async throws -> R
  ) async rethrows -> R {
    try await body(configured(configuration, group))
  }

  private func configured(_ configuration: CKOperationConfiguration?, _ group: CKOperationGroup?) -> CKDatabase {
    let copy = configuration?.copy() as? CKOperationConfiguration
    return CKDatabase(databaseScope, of: identity, copy ?? self.configuration, group ?? self.group)
  }
}
