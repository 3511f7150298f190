import Emulator
import Foundation

/// One of a container's databases. Get it from a `CKContainer`.
///
/// Functions for one item throw the item's own error. Functions for several return a result for each, and throw only if
/// the request failed as a whole: `notAuthenticated`, `limitExceeded`, `networkUnavailable` and the like. Cancelling the
/// task of an asynchronous function cancels its request: `operationCancelled`.
// Sendable: every stored property is a constant of a Sendable type.
open class CKDatabase: NSObject, @unchecked Sendable {
  /// Which of a container's databases.
  public typealias Scope = CKDatabaseScope

  let identity: ContainerIdentity
  private let configuration: CKOperationConfiguration?
  private let group: CKOperationGroup?

  /// Which of the container's databases this is.
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

  /// Container and scope.
  open override var description: String {
    "<CKDatabase: container=\(identity.container), databaseScope=\(databaseScope)>"
  }

  /// Starts an operation on this database, at the same time as others. Adding it a second time stops the process. A
  /// long-lived operation that was fetched goes on with the database it began with.
  open func add(_ operation: CKDatabaseOperation) {
    CKContainer.enqueue(operation) {
      if !operation.isResumed { operation.database = self }
    }
  }

  /// Starts an operation of one of the functions.
  func begin(_ operation: CKDatabaseOperation) -> CKOperation {
    if let configuration { operation.configuration = configuration }
    operation.group = group
    add(operation)
    return operation
  }

  /// Hands the body this database with other settings for its functions.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil, body: (CKDatabase) throws -> R
  ) rethrows -> R {
    try body(configured(configuration, group))
  }

  /// Hands the body this database with other settings for its functions.
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
