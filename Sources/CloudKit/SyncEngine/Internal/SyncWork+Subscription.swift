import Foundation
import LocalCloudStorage

/// The subscription with the pushes that start a fetch.
extension SyncWork {
  /// Looks for a subscription to the database, and saves one if there is none.
  ///
  /// - Assumption: the engine looks once after its start, after each account change and after the expiry of the
  ///   database's token, before it fetches. Without `automaticallySync` it has no subscription. The identifier of its
  ///   own is `CKSyncEngine-` and the database's scope, so that the engines of all devices share it.
  ///
  /// - Throws: an error after which the engine tries again by itself. After another one, the engine fetches without
  ///   pushes.
  func ensureSubscription(_ pass: SyncPass) async throws {
    guard isAutomatic, !hasSubscription else { return }
    do {
      let id = try await subscriptionID(pass)
      if state.read({ $0.subscriptionID }) != id { state.change { $0.subscriptionID = id } }
      hasSubscription = true
    } catch {
      let isFinal = (error as? CKError).map { !$0.isRetriedBySyncEngine } ?? false
      if !isFinal { throw error }
    }
  }

  /// The zone with the change that a push reports; nil if it is not in the database, or the push does not name it.
  static func changedZone(_ push: JSONObject, in scope: CKDatabase.Scope) -> CKRecordZone.ID? {
    guard let dictionary = JSONValue.object(push).foundation as? [String: Any], let content = PushContent(dictionary),
      content.scope == scope
    else { return nil }
    return content.zoneID
  }

  private func subscriptionID(_ pass: SyncPass) async throws -> CKSubscription.ID {
    let database = database
    let present = try await pass.request { try await database.allSubscriptions() }
      .filter { ($0 as? CKDatabaseSubscription).map { $0.recordType == nil } ?? false }
    let wanted = chosenSubscription ?? state.read { $0.subscriptionID }
    if let known = present.first(where: { $0.subscriptionID == wanted }) { return known.subscriptionID }
    if chosenSubscription == nil, let found = present.first { return found.subscriptionID }
    let isShared = database.databaseScope == .shared
    let id = chosenSubscription ?? (isShared ? "CKSyncEngine-shared" : "CKSyncEngine-private")
    let subscription = CKDatabaseSubscription(subscriptionID: id)
    let info = CKNotificationInfo()
    info.shouldSendContentAvailable = true
    subscription.notificationInfo = info
    return try await pass.request { try await database.save(subscription).subscriptionID }
  }
}
