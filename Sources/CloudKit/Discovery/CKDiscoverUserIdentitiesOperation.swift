import Foundation
import LocalCloudService

/// Finds users that agreed to be found by other users of the app, by email address, phone number or user record ID.
///
/// Users that are not found are left out, without an error.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
@available(*, deprecated, message: "No longer supported. Please see Sharing CloudKit Data with Other iCloud Users.")
open class CKDiscoverUserIdentitiesOperation: CKOperation, @unchecked Sendable {
  /// The addresses, numbers and IDs to look up.
  open var userIdentityLookupInfos: [CKUserIdentity.LookupInfo] = [] { willSet { checkNotRunning() } }

  /// Called for each user found, with the lookup info that matched.
  open var userIdentityDiscoveredBlock: ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
  {
    willSet { checkNotRunning() }
  }

  /// Called at the end.
  open var discoverUserIdentitiesResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end.
  open var discoverUserIdentitiesCompletionBlock: (((any Error)?) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Makes an operation without lookup infos.
  public override init() {
    super.init()
  }

  /// Makes an operation that looks up these users.
  public convenience init(userIdentityLookupInfos: [CKUserIdentity.LookupInfo]) {
    self.init()
    self.userIdentityLookupInfos = userIdentityLookupInfos
  }

  override func work(_ request: Request) throws {
    let lookups = userIdentityLookupInfos.compactMap { info in
      request.translator.serviceLookup(info).map { (info: info, lookup: $0) }
    }
    let found = try request.service.accounts.discover(lookups.map(\.lookup), by: request.caller)
    for ((info, _), identity) in zip(lookups, found) {
      guard let identity = identity.map(request.translator.identity) else { continue }
      deliver { [self] in userIdentityDiscoveredBlock?(identity, info) }
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    discoverUserIdentitiesResultBlock?(outcome)
    discoverUserIdentitiesCompletionBlock?(outcome.parts.error)
  }
}
