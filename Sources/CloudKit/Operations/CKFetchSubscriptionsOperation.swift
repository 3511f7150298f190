import Foundation
import LocalCloudModel
import LocalCloudService

/// Fetches the current user's subscriptions by their IDs, or all of a database. A subscription that does not exist
/// fails with `unknownItem`.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The IDs of the subscriptions; nil in an operation that fetches all subscriptions.
  open var subscriptionIDs: [CKSubscription.ID]? { willSet { checkNotRunning() } }

  /// Called for each subscription.
  open var perSubscriptionResultBlock: ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with the subscriptions found. Failures of single subscriptions are in a `partialFailure`.
  @available(*, deprecated, renamed: "fetchSubscriptionsResultBlock")
  open var fetchSubscriptionCompletionBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldResultBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  private let fetched = CollectedResults<CKSubscription.ID, CKSubscription>()
  private var fetchesAll = false

  /// Makes an operation without IDs.
  public override init() {
    super.init()
  }

  /// Makes an operation that fetches the subscriptions with these IDs.
  public convenience init(subscriptionIDs: [CKSubscription.ID]) {
    self.init()
    self.subscriptionIDs = subscriptionIDs
  }

  /// Makes an operation that fetches all of the user's subscriptions in its database.
  ///
  /// Stops the process if called on a subclass.
  @discardableResult
  open class func fetchAllSubscriptionsOperation() -> Self {
    let operation = CKFetchSubscriptionsOperation()
    operation.fetchesAll = true
    return operation.asSelf()
  }

  override var purpose: String { "fetch some subscriptions" }

  override func work(_ request: Request) throws {
    var known: Set<CKSubscription.ID> = []
    let wanted = fetchesAll ? nil : (subscriptionIDs ?? []).filter { known.insert($0).inserted }
    try NameRules.check(items: wanted?.count ?? 0)
    let results = try request.service.subscriptions.list(wanted, in: request.scope, by: request.caller)
    for (index, result) in results.enumerated() {
      let id = if let wanted { wanted[index] } else { try result.get().id }
      let result = request.item(result, request.translator.subscription)
      recordResult(result, of: id)
      deliver { [self] in
        fetched.block(id, result)
        perSubscriptionResultBlock?(id, result)
      }
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    fetchSubscriptionsResultBlock?(outcome)
    oldResultBlock?(fetched.values.compactMapValues { try? $0.get() }, completionError(outcome))
  }
}
