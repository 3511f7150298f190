import Foundation
import LocalCloudService

/// Finds all users that agreed to be found by other users of the app.
// Sendable: as CKOperation; blocks are set before the operation is started.
@available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
open class CKDiscoverAllUserIdentitiesOperation: CKOperation, @unchecked Sendable {
  /// Called for each person found.
  open var userIdentityDiscoveredBlock: ((CKUserIdentity) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end.
  open var discoverAllUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end.
  open var discoverAllUserIdentitiesCompletionBlock: (((any Error)?) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Makes the operation.
  public override init() {
    super.init()
  }

  override func work(_ request: Request) throws {
    for identity in try request.service.accounts.discoverAll(by: request.caller).map(request.translator.identity) {
      deliver { [self] in userIdentityDiscoveredBlock?(identity) }
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    discoverAllUserIdentitiesResultBlock?(outcome)
    discoverAllUserIdentitiesCompletionBlock?(outcome.parts.error)
  }
}
