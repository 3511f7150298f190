import CloudModel
import CloudService
import Foundation

// NOTE: Apple's names are nested in CKContainer, which has them as typealiases; those that Apple deprecated are deprecated
// here, without a warning for each use inside.

/// What an app may do with the current user's identity, and what users said of it.
public enum CKApplicationPermissionStatus: Int, Sendable {
  /// The user was not asked yet.
  case initialState = 0

  /// An error kept the status from being found out.
  case couldNotComplete = 1

  /// The user said no.
  case denied = 2

  /// The user said yes.
  case granted = 3
}

/// What an app can ask the user for.
public struct CKApplicationPermissions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// Makes a set of these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// That others may find the user.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  public static var userDiscoverability: CKApplicationPermissions { CKApplicationPermissions(rawValue: 1) }
}

extension CKContainer {
  /// What an app may do with the current user's identity, and what users said of it.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  public typealias ApplicationPermissionStatus = CKApplicationPermissionStatus

  /// What an app can ask the user for.
  public typealias ApplicationPermissions = CKApplicationPermissions

  /// Gets the status of a permission. With an error the status is `.couldNotComplete`.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  public typealias ApplicationPermissionBlock = (CKApplicationPermissionStatus, (any Error)?) -> Void

  /// Other names of the same types.
  public enum Application {
    /// What users said of a permission.
    public typealias PermissionStatus = CKApplicationPermissionStatus

    /// What an app can ask the user for.
    public typealias Permissions = CKApplicationPermissions

    /// Gets the status of a permission. With an error the status is `.couldNotComplete`.
    public typealias PermissionBlock = (CKApplicationPermissionStatus, (any Error)?) -> Void
  }
}

extension CKContainer {
  /// Whether the user lets the app be found by others; nobody is asked. Fails as
  /// ``status(forApplicationPermission:completionHandler:)``.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @discardableResult
  public func applicationPermissionStatus(
    for applicationPermission: CKContainer.ApplicationPermissions
  ) async throws -> CKContainer.ApplicationPermissionStatus {
    try await result { startStatus(applicationPermission, $0) }
  }

  /// Whether the user lets the app be found by others; nobody is asked. Fails with `notAuthenticated` or
  /// `accountTemporarilyUnavailable` without an account, and with `invalidArguments` for no permission or one that there
  /// is not.
  ///
  /// - Assumption: the answer holds for development and production.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @preconcurrency
  public func status(
    forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
    completionHandler: @escaping @Sendable (CKApplicationPermissionStatus, (any Error)?) -> Void
  ) {
    _ = startStatus(applicationPermission, answering(completionHandler))
  }

  /// Asks the user to let the app be found by others, once over all devices; later calls get the same answer. Fails as
  /// ``status(forApplicationPermission:completionHandler:)``.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @discardableResult
  public func requestApplicationPermission(
    _ applicationPermission: CKContainer.ApplicationPermissions
  ) async throws -> CKContainer.ApplicationPermissionStatus {
    try await result { startRequest(applicationPermission, $0) }
  }

  /// Asks the user to let the app be found by others, once over all devices; later calls get the same answer. Fails as
  /// `status(forApplicationPermission:completionHandler:)`.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @preconcurrency
  public func requestApplicationPermission(
    _ applicationPermission: CKContainer.ApplicationPermissions,
    completionHandler: @escaping @Sendable (CKApplicationPermissionStatus, (any Error)?) -> Void
  ) {
    _ = startRequest(applicationPermission, answering(completionHandler))
  }

  // MARK: The core

  private func answering(
    _ completionHandler: @escaping @Sendable (CKApplicationPermissionStatus, (any Error)?) -> Void
  ) -> Completion<CKApplicationPermissionStatus> {
    { result in
      switch result {
      case .success(let status): completionHandler(status, nil)
      case .failure(let error): completionHandler(.couldNotComplete, error)
      }
    }
  }

  private func startStatus(
    _ permission: CKApplicationPermissions, _ completion: @escaping Completion<CKApplicationPermissionStatus>
  ) -> CKOperation {
    startPermission(permission, completion) { (request) throws(ServiceError) in
      try request.service.accounts.permissionStatus(by: request.caller)
    }
  }

  private func startRequest(
    _ permission: CKApplicationPermissions, _ completion: @escaping Completion<CKApplicationPermissionStatus>
  ) -> CKOperation {
    startPermission(permission, completion) { (request) throws(ServiceError) in
      try request.service.accounts.requestPermission(by: request.caller)
    }
  }

  private func startPermission(
    _ permission: CKApplicationPermissions, _ completion: @escaping Completion<CKApplicationPermissionStatus>,
    _ ask: @escaping @Sendable (Request) throws(ServiceError) -> DiscoverabilityStatus
  ) -> CKOperation {
    begin(
      FunctionOperation(
        { request in
          guard permission.rawValue == 1 else {
            throw ServiceError(.invalidArguments, "There is no application permission but userDiscoverability")
          }
          return CKApplicationPermissionStatus(rawValue: try ask(request).rawValue) ?? .couldNotComplete
        }, completion: completion))
  }
}
