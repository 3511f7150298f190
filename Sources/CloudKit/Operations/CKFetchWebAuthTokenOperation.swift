import Foundation
import LocalCloudService

/// Fetches a token that lets a web page act as the current user in the container.
///
/// Fails with `invalidArguments` without an API token. Without an account it fails like every request.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchWebAuthTokenOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The API token of the app's web service.
  ///
  /// - Assumption: every API token that is not empty is known.
  @available(*, deprecated, message: "Use init(apiToken:)")
  open var apiToken: String? {
    get { ownAPIToken }
    set {
      checkNotRunning()
      ownAPIToken = newValue
    }
  }

  /// Called at the end, with the token.
  open var fetchWebAuthTokenResultBlock: ((Result<String, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with the token or an error.
  @available(*, deprecated, renamed: "fetchWebAuthTokenResultBlock")
  open var fetchWebAuthTokenCompletionBlock: ((String?, (any Error)?) -> Void)? {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var ownAPIToken: String?
  private var oldResultBlock: ((String?, (any Error)?) -> Void)?
  private let fetched = ResultCollector<String>()

  /// Makes an operation without an API token.
  public override init() {
    super.init()
  }

  /// Makes an operation for a web service with that token.
  public convenience init(apiToken APIToken: String) {
    self.init()
    ownAPIToken = APIToken
  }

  override func work(_ request: Request) throws {
    fetched.append(try request.service.accounts.webAuthToken(apiToken: ownAPIToken, by: request.caller))
  }

  override func report(_ outcome: Result<Void, any Error>) {
    let result = outcome.flatMap { _ in
      fetched.values.first.map { .success($0) } ?? .failure(CKError.cancelled(container: containerName))
    }
    fetchWebAuthTokenResultBlock?(result)
    let (token, error) = result.parts
    oldResultBlock?(token, error)
  }
}
