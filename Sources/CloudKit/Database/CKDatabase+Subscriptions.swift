import Foundation

extension CKDatabase {
  // MARK: One subscription

  /// Saves a subscription, replacing one with the same ID. See `CKModifySubscriptionsOperation` for errors.
  @discardableResult
  public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
    try await result { startSave(subscription, $0) }
  }

  /// Saves a subscription, replacing one with the same ID. See `CKModifySubscriptionsOperation` for errors.
  @preconcurrency
  public func save(
    _ subscription: CKSubscription, completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
  ) {
    startSave(subscription, split(completionHandler))
  }

  private func startSave(
    _ subscription: CKSubscription, _ completion: @escaping Completion<CKSubscription>
  ) {
    let id = subscription.subscriptionID
    startModifySubscriptions([subscription], []) { results in
      completion(results.flatMap { $0.saveResults.result(of: id) })
    }
  }

  /// Fetches a subscription of the current user. Fails with `unknownItem` if it does not exist.
  @discardableResult
  public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
    try await result { startFetchSubscription(subscriptionID, $0) }
  }

  /// Fetches a subscription of the current user. Fails with `unknownItem` if it does not exist.
  @preconcurrency
  public func fetch(
    withSubscriptionID subscriptionID: CKSubscription.ID,
    completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
  ) {
    startFetchSubscription(subscriptionID, split(completionHandler))
  }

  private func startFetchSubscription(
    _ id: CKSubscription.ID, _ completion: @escaping Completion<CKSubscription>
  ) {
    startFetchSubscriptions(CKFetchSubscriptionsOperation(subscriptionIDs: [id])) { results in
      completion(results.flatMap { $0.result(of: id) })
    }
  }

  /// Deletes a subscription of the current user. Fails with `unknownItem` if it does not exist.
  @discardableResult
  public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
    try await result { startDelete(subscriptionID, $0) }
  }

  /// Deletes a subscription of the current user. Fails with `unknownItem` if it does not exist.
  @preconcurrency
  public func delete(
    withSubscriptionID subscriptionID: CKSubscription.ID,
    completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
  ) {
    startDelete(subscriptionID, split(completionHandler))
  }

  private func startDelete(_ id: CKSubscription.ID, _ completion: @escaping Completion<CKSubscription.ID>) {
    startModifySubscriptions([], [id]) { results in
      completion(results.flatMap { $0.deleteResults.result(of: id).map { id } })
    }
  }

  // MARK: Several subscriptions

  /// Fetches all subscriptions of the current user in this database.
  @discardableResult
  public func allSubscriptions() async throws -> [CKSubscription] {
    try await result(of: startFetchAllSubscriptions)
  }

  /// Fetches all subscriptions of the current user in this database.
  @preconcurrency
  public func fetchAllSubscriptions(completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void) {
    startFetchAllSubscriptions(split(completionHandler))
  }

  private func startFetchAllSubscriptions(_ completion: @escaping Completion<[CKSubscription]>) {
    startFetchSubscriptions(.fetchAllSubscriptionsOperation()) { results in
      completion(
        results.map { subscriptions in
          subscriptions.values.compactMap { try? $0.get() }.sorted { $0.subscriptionID < $1.subscriptionID }
        })
    }
  }

  /// Fetches subscriptions of the current user. Each has its own result.
  public func subscriptions(
    for ids: [CKSubscription.ID]
  ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
    try await result { startFetchSubscriptions(CKFetchSubscriptionsOperation(subscriptionIDs: ids), $0) }
  }

  /// Fetches subscriptions of the current user. Each has its own result.
  @preconcurrency
  public func fetch(
    withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
    completionHandler:
      @escaping @Sendable (Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>) -> Void
  ) {
    startFetchSubscriptions(CKFetchSubscriptionsOperation(subscriptionIDs: subscriptionIDs), completionHandler)
  }

  private func startFetchSubscriptions(
    _ operation: CKFetchSubscriptionsOperation,
    _ completion: @escaping Completion<[CKSubscription.ID: Result<CKSubscription, any Error>]>
  ) {
    let results = CollectedResults<CKSubscription.ID, CKSubscription>()
    operation.perSubscriptionResultBlock = results.block
    operation.fetchSubscriptionsResultBlock = { outcome in completion(outcome.map { results.values }) }
    begin(operation)
  }

  /// Saves and deletes subscriptions. Each has its own result. See `CKModifySubscriptionsOperation`.
  @discardableResult
  public func modifySubscriptions(
    saving subscriptionsToSave: [CKSubscription] = [], deleting subscriptionIDsToDelete: [CKSubscription.ID] = []
  ) async throws -> (
    saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
    deleteResults: [CKSubscription.ID: Result<Void, any Error>]
  ) {
    try await result { startModifySubscriptions(subscriptionsToSave, subscriptionIDsToDelete, $0) }
  }

  /// Saves and deletes subscriptions. Each has its own result. See `CKModifySubscriptionsOperation`.
  @preconcurrency
  public func modifySubscriptions(
    saving subscriptionsToSave: [CKSubscription] = [], deleting subscriptionIDsToDelete: [CKSubscription.ID] = [],
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
            deleteResults: [CKSubscription.ID: Result<Void, any Error>]
          ), any Error
        >
      ) -> Void
  ) {
    startModifySubscriptions(subscriptionsToSave, subscriptionIDsToDelete, completionHandler)
  }

  private typealias ModifiedSubscriptions = (
    saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
    deleteResults: [CKSubscription.ID: Result<Void, any Error>]
  )

  private func startModifySubscriptions(
    _ subscriptions: [CKSubscription], _ ids: [CKSubscription.ID],
    _ completion: @escaping Completion<ModifiedSubscriptions>
  ) {
    let operation = CKModifySubscriptionsOperation(subscriptionsToSave: subscriptions, subscriptionIDsToDelete: ids)
    let saved = CollectedResults<CKSubscription.ID, CKSubscription>()
    let deleted = CollectedResults<CKSubscription.ID, Void>()
    operation.perSubscriptionSaveBlock = saved.block
    operation.perSubscriptionDeleteBlock = deleted.block
    operation.modifySubscriptionsResultBlock = { outcome in completion(outcome.map { (saved.values, deleted.values) }) }
    begin(operation)
  }
}
