import Foundation
import LocalCloudModel
import LocalCloudService

extension CKContainer {
  /// Fetches whether an account is signed in on this device.
  ///
  /// - Difference: a cloud that cannot be read, or an account that it does not have, gives an error and
  ///   `.couldNotDetermine`.
  @discardableResult
  public func accountStatus() async throws -> CKAccountStatus {
    try await result(of: startAccountStatus)
  }

  /// Fetches whether an account is signed in. With an error the status is `.couldNotDetermine`.
  @preconcurrency
  public func accountStatus(completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) {
    startAccountStatus { result in
      switch result {
      case .success(let status): completionHandler(status, nil)
      case .failure(let error): completionHandler(.couldNotDetermine, error)
      }
    }
  }

  private func startAccountStatus(_ completion: @escaping Completion<CKAccountStatus>) {
    begin(
      FunctionOperation(
        { request in
          let status = try request.service.accounts.accountStatus(by: request.caller)
          return CKAccountStatus(rawValue: status.rawValue) ?? .couldNotDetermine
        }, completion: completion))
  }

  /// Fetches the ID of the current user's record. It has the real record name, not `CKCurrentUserDefaultName`.
  ///
  /// Fails with `notAuthenticated` if no account is signed in or access is restricted, with
  /// `accountTemporarilyUnavailable` if the account is temporarily unavailable.
  @discardableResult
  public func userRecordID() async throws -> CKRecord.ID {
    try await result(of: startUserRecordID)
  }

  /// Fetches the ID of the current user's record. It has the real record name, not `CKCurrentUserDefaultName`.
  ///
  /// Fails with `notAuthenticated` if no account is signed in or access is restricted, with
  /// `accountTemporarilyUnavailable` if the account is temporarily unavailable.
  @preconcurrency
  public func fetchUserRecordID(completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) {
    startUserRecordID(split(completionHandler))
  }

  private func startUserRecordID(_ completion: @escaping Completion<CKRecord.ID>) {
    begin(
      FunctionOperation(
        { request in
          let name = try request.service.accounts.userRecordName(by: request.caller)
          guard let recordID = CKRecordID(validating: name, zoneID: .default) else {
            throw ServiceError(.internalError, "The account has an impossible user record name", cause: .damage)
          }
          return recordID
        }, completion: completion))
  }
}
