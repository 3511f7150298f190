import Foundation
import LocalCloudModel
import LocalCloudService

/// Requests access to shares from their owners.
///
/// Success does not reveal whether the share exists or accepts requests. Errors of a URL: `participantAlreadyInvited`
/// if the current user is a participant already.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
  /// The URLs of the shares.
  open var shareURLs: [URL]? { willSet { checkNotRunning() } }

  /// Called for each URL.
  open var perShareAccessRequestResultBlock: ((URL, Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var shareAccessRequestResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Makes an operation without URLs.
  public override init() {
    super.init()
  }

  /// Makes an operation that requests access to the shares at these URLs.
  public convenience init(shareURLs: [URL]) {
    self.init()
    self.shareURLs = shareURLs
  }

  override func work(_ request: Request) throws {
    if shareURLs?.isEmpty != false { try request.requireAccount() }
    for url in shareURLs ?? [] {
      try checkCancelled()
      let result = try request.item { () throws(ServiceError) in
        try request.service.sharing.requestAccess(url: url.absoluteString, by: request.caller)
      }
      deliver { [self] in perShareAccessRequestResultBlock?(url, result) }
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    shareAccessRequestResultBlock?(outcome)
  }
}
