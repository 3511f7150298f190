import Foundation
import LocalCloudModel
import LocalCloudService

/// Saves and deletes the current user's subscriptions in a database. Each subscription succeeds or fails separately.
///
/// A save replaces an existing subscription with the same ID. Errors of a subscription: `invalidArguments` if the
/// database does not support it, `serverRejectedRequest` if another subscription has the same content, `zoneNotFound`
/// if its zone does not exist, `unknownItem` if it is to be deleted and does not exist.
// Sendable: as CKOperation; inputs and blocks are set before the operation is started.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
  /// The subscriptions to save.
  open var subscriptionsToSave: [CKSubscription]? { willSet { checkNotRunning() } }

  /// The IDs of the subscriptions to delete.
  open var subscriptionIDsToDelete: [CKSubscription.ID]? { willSet { checkNotRunning() } }

  /// Called for each subscription to save.
  open var perSubscriptionSaveBlock: ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
  { willSet { checkNotRunning() } }

  /// Called for each subscription to delete.
  open var perSubscriptionDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)?
  {
    willSet { checkNotRunning() }
  }

  /// Called at the end. The result is a failure only if the request failed as a whole.
  open var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)? {
    willSet { checkNotRunning() }
  }

  /// Called at the end, with the saved subscriptions and the IDs of the deleted ones. Failures of single subscriptions
  /// are in a `partialFailure` by the subscription's ID, or by the zone's ID if the zone does not exist.
  @available(*, deprecated, renamed: "modifySubscriptionsResultBlock")
  open var modifySubscriptionsCompletionBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
  {
    get { oldResultBlock }
    set {
      checkNotRunning()
      oldResultBlock = newValue
    }
  }

  private var oldResultBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
  private let saved = ResultCollector<CKSubscription>()
  private let deleted = ResultCollector<CKSubscription.ID>()

  /// Makes an operation without subscriptions.
  public override init() {
    super.init()
  }

  /// Makes an operation that saves and deletes these subscriptions.
  public convenience init(
    subscriptionsToSave: [CKSubscription]? = nil, subscriptionIDsToDelete: [CKSubscription.ID]? = nil
  ) {
    self.init()
    self.subscriptionsToSave = subscriptionsToSave
    self.subscriptionIDsToDelete = subscriptionIDsToDelete
  }

  override var purpose: String { "modify some subscriptions" }

  override func work(_ request: Request) throws {
    let subscriptions = subscriptionsToSave ?? []
    let ids = subscriptionIDsToDelete ?? []
    try NameRules.check(items: subscriptions.count + ids.count)
    let response = try request.service.subscriptions.modifySubscriptions(
      ModifySubscriptionsRequest(
        scope: request.scope, saves: subscriptions.map { $0.save(request.translator) }, deletes: ids),
      by: request.caller)
    for (subscription, result) in zip(subscriptions, response.saves) {
      let id = subscription.subscriptionID
      let result = request.item(result, request.translator.subscription)
      recordResult(result, subscription)
      deliver { [self] in
        if case .success(let subscription) = result { saved.append(subscription) }
        perSubscriptionSaveBlock?(id, result)
      }
    }
    for (id, result) in zip(ids, response.deletes) {
      let result = request.item(result) { $0 }
      recordResult(result, of: id)
      deliver { [self] in
        if case .success = result { deleted.append(id) }
        perSubscriptionDeleteBlock?(id, result)
      }
    }
  }

  private func recordResult(_ result: Result<CKSubscription, any Error>, _ subscription: CKSubscription) {
    if case .failure(let error as CKError) = result, error.code == .zoneNotFound,
      let zoneID = (subscription as? CKRecordZoneSubscription)?.zoneID
    {
      recordResult(result, of: zoneID)
    } else {
      recordResult(result, of: subscription.subscriptionID)
    }
  }

  override func report(_ outcome: Result<Void, any Error>) {
    modifySubscriptionsResultBlock?(outcome)
    oldResultBlock?(saved.values, deleted.values, completionError(outcome))
  }
}
