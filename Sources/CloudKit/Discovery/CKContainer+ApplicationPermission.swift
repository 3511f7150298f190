import Foundation
import LocalCloudModel
import LocalCloudService

// NOTE: Apple nests these names in CKContainer; here CKContainer has typealiases for them. The typealiases that Apple
// deprecated are deprecated. The types are not, because each use inside the module would give a warning.

/// The user's answer to an app's request for a permission.
public enum CKApplicationPermissionStatus: Int, Sendable {
  /// The user has not been asked yet.
  case initialState = 0

  /// An error prevented the status from being determined.
  case couldNotComplete = 1

  /// The user declined.
  case denied = 2

  /// The user agreed.
  case granted = 3
}

/// The permissions that an app can request from the user.
public struct CKApplicationPermissions: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Other users may find the user.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  public static var userDiscoverability: CKApplicationPermissions { CKApplicationPermissions(rawValue: 1) }
}

extension CKContainer {
  /// The user's answer to an app's request for a permission.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  public typealias ApplicationPermissionStatus = CKApplicationPermissionStatus

  /// The permissions that an app can request from the user.
  public typealias ApplicationPermissions = CKApplicationPermissions

  /// Receives the status of a permission. With an error the status is `.couldNotComplete`.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  public typealias ApplicationPermissionBlock = (CKApplicationPermissionStatus, (any Error)?) -> Void

  /// Alternative names of the same types.
  public enum Application {
    /// The user's answer to an app's request for a permission.
    public typealias PermissionStatus = CKApplicationPermissionStatus

    /// The permissions that an app can request from the user.
    public typealias Permissions = CKApplicationPermissions

    /// Receives the status of a permission. With an error the status is `.couldNotComplete`.
    public typealias PermissionBlock = (CKApplicationPermissionStatus, (any Error)?) -> Void
  }
}

extension CKContainer {
  /// Fetches whether the user lets other users of the app find them, without asking the user. Fails like
  /// ``status(forApplicationPermission:completionHandler:)``.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @discardableResult
  public func applicationPermissionStatus(
    for applicationPermission: CKContainer.ApplicationPermissions
  ) async throws -> CKContainer.ApplicationPermissionStatus {
    try await result { startStatus(applicationPermission, $0) }
  }

  /// Fetches whether the user lets other users of the app find them, without asking the user. Fails with
  /// `notAuthenticated` or `accountTemporarilyUnavailable` if there is no usable account, and with `invalidArguments`
  /// for an empty or unknown permission.
  ///
  /// - Assumption: the answer holds for development and production.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @preconcurrency
  public func status(
    forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
    completionHandler: @escaping @Sendable (CKApplicationPermissionStatus, (any Error)?) -> Void
  ) {
    startStatus(applicationPermission, answering(completionHandler))
  }

  /// Asks the user to let other users of the app find them. The user is asked once across all devices; later calls
  /// return the same answer. Fails like ``status(forApplicationPermission:completionHandler:)``.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @discardableResult
  public func requestApplicationPermission(
    _ applicationPermission: CKContainer.ApplicationPermissions
  ) async throws -> CKContainer.ApplicationPermissionStatus {
    try await result { startRequest(applicationPermission, $0) }
  }

  /// Asks the user to let other users of the app find them. The user is asked once across all devices; later calls
  /// return the same answer. Fails like `status(forApplicationPermission:completionHandler:)`.
  @available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
  @preconcurrency
  public func requestApplicationPermission(
    _ applicationPermission: CKContainer.ApplicationPermissions,
    completionHandler: @escaping @Sendable (CKApplicationPermissionStatus, (any Error)?) -> Void
  ) {
    startRequest(applicationPermission, answering(completionHandler))
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
  ) {
    startPermission(permission, completion) { (request) throws(ServiceError) in
      try request.service.accounts.permissionStatus(by: request.caller)
    }
  }

  private func startRequest(
    _ permission: CKApplicationPermissions, _ completion: @escaping Completion<CKApplicationPermissionStatus>
  ) {
    startPermission(permission, completion) { (request) throws(ServiceError) in
      try request.service.accounts.requestPermission(by: request.caller)
    }
  }

  private func startPermission(
    _ permission: CKApplicationPermissions, _ completion: @escaping Completion<CKApplicationPermissionStatus>,
    _ ask: @escaping @Sendable (Request) throws(ServiceError) -> DiscoverabilityStatus
  ) {
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
