import Foundation

/// Everything that a sync engine remembers between two processes ([sync-state-1]).
///
/// A change is pending until it is sent, and in flight until the server answers. An app can add a change again while it
/// is in flight.
struct SyncState: Equatable, Sendable {
  var recordChanges = PendingChanges<CKSyncEngine.PendingRecordZoneChange>()
  var databaseChanges = PendingChanges<CKSyncEngine.PendingDatabaseChange>()
  var recordChangesInFlight: [CKSyncEngine.PendingRecordZoneChange] = []
  var databaseChangesInFlight: [CKSyncEngine.PendingDatabaseChange] = []
  /// Whether the app has changes that are not in the lists.
  var hasPendingUntrackedChanges = false
  /// Whether the engine asks the app for these changes, and sends them. It has cleared the mark before.
  var untrackedChangesAreInFlight = false
  var databaseToken: CKServerChangeToken?
  var zoneTokens: [CKRecordZone.ID: CKServerChangeToken] = [:]
  /// In the order in which they became known, each once; see ``markUnfetched(_:)``.
  var zonesWithUnfetchedChanges: [CKRecordZone.ID] = []
  /// The user record ID of the last known account; nil if no account is known.
  var lastUser: CKRecord.ID?
  /// The database subscription that the engine found or saved.
  var subscriptionID: CKSubscription.ID?

  // MARK: Pending changes

  /// Returns the records that had a pending change.
  @discardableResult
  mutating func add(_ changes: [CKSyncEngine.PendingRecordZoneChange]) -> [CKRecord.ID] { recordChanges.add(changes) }

  mutating func add(_ changes: [CKSyncEngine.PendingDatabaseChange]) { databaseChanges.add(changes) }

  /// Removes pending changes, and returns the removed ones. Changes in flight stay in flight.
  @discardableResult
  mutating func remove(
    _ changes: [CKSyncEngine.PendingRecordZoneChange]
  ) -> [CKSyncEngine.PendingRecordZoneChange] {
    recordChanges.remove(changes)
  }

  /// Removes pending changes. Changes in flight stay in flight.
  mutating func remove(_ changes: [CKSyncEngine.PendingDatabaseChange]) { databaseChanges.remove(changes) }

  // MARK: Sending

  /// Moves the pending changes of a batch into flight, and returns them. Changes of the batch that are not pending are
  /// untracked and leave no trace.
  @discardableResult
  mutating func takeOff(
    _ batch: [CKSyncEngine.PendingRecordZoneChange]
  ) -> [CKSyncEngine.PendingRecordZoneChange] {
    let taken = recordChanges.remove(batch)
    recordChangesInFlight += taken
    return taken
  }

  /// Moves changes that are still pending into flight, and returns them as they are pending now.
  @discardableResult
  mutating func takeOff(_ batch: [CKSyncEngine.PendingDatabaseChange]) -> [CKSyncEngine.PendingDatabaseChange] {
    let taken = databaseChanges.remove(batch)
    databaseChangesInFlight += taken
    return taken
  }

  /// Clears ``hasPendingUntrackedChanges`` before the app is asked for these changes. Returns whether it was set.
  mutating func takeOffUntrackedChanges() -> Bool {
    guard hasPendingUntrackedChanges else { return false }
    (hasPendingUntrackedChanges, untrackedChangesAreInFlight) = (false, true)
    return true
  }

  /// Ends the flight of untracked changes.
  ///
  /// - Parameter wereSent: whether the pass had the scope `all`, and no failure that the engine retries. Otherwise they
  ///   are pending again.
  mutating func landUntrackedChanges(wereSent: Bool) {
    if untrackedChangesAreInFlight, !wereSent { hasPendingUntrackedChanges = true }
    untrackedChangesAreInFlight = false
  }

  /// The state for another engine or process: everything in flight is pending again, before all other changes.
  var landed: SyncState {
    var state = self
    state.recordChanges = PendingChanges(recordChangesInFlight + recordChanges.list)
    state.databaseChanges = PendingChanges(databaseChangesInFlight + databaseChanges.list)
    (state.recordChangesInFlight, state.databaseChangesInFlight) = ([], [])
    state.landUntrackedChanges(wereSent: false)
    return state
  }

  /// Ends the flight of the changes of a batch. Retryable ones become pending again, before all others, in the order in
  /// which they were taken off.
  ///
  /// - Assumption: a retryable failure of a change that was not in the list sets ``hasPendingUntrackedChanges``.
  mutating func landRecordChanges(retryable: Set<CKSyncEngine.PendingRecordZoneChange>) {
    if !retryable.isSubset(of: recordChangesInFlight) { hasPendingUntrackedChanges = true }
    recordChanges.putBack(recordChangesInFlight.filter(retryable.contains))
    recordChangesInFlight = []
  }

  /// Moves the pending changes of zones behind those of other zones, in their order.
  ///
  /// - Assumption: changes of different zones may be sent in another order than they were added.
  mutating func postpone(_ zoneIDs: Set<CKRecordZone.ID>) {
    if !zoneIDs.isEmpty { recordChanges.postpone { zoneIDs.contains($0.itemID.zoneID) } }
  }

  /// Ends the flight of the changes of a request. Retryable ones become pending again, before all others, in the order
  /// in which they were taken off.
  mutating func landDatabaseChanges(retryable: Set<CKSyncEngine.PendingDatabaseChange>) {
    databaseChanges.putBack(databaseChangesInFlight.filter(retryable.contains))
    databaseChangesInFlight = []
  }

  // MARK: Fetching

  /// Records that zones have changes to fetch.
  mutating func markUnfetched(_ zoneIDs: [CKRecordZone.ID]) {
    var known = Set(zonesWithUnfetchedChanges)
    for zoneID in zoneIDs where known.insert(zoneID).inserted { zonesWithUnfetchedChanges.append(zoneID) }
  }

  /// Records that a push reported a change of a zone. The database's feed reports zones that were not fetched yet, and a
  /// zone that was deleted must not come back with a late push.
  mutating func markPushed(_ zoneID: CKRecordZone.ID) {
    if zoneTokens[zoneID] != nil { markUnfetched([zoneID]) }
  }

  /// Records that a zone has no more changes to fetch.
  mutating func markFetched(_ zoneID: CKRecordZone.ID) {
    // Mostly the first one.
    if let index = zonesWithUnfetchedChanges.firstIndex(of: zoneID) { zonesWithUnfetchedChanges.remove(at: index) }
  }

  /// Forgets how far a zone was fetched, and that it has changes.
  mutating func forgetFetches(of zoneID: CKRecordZone.ID) {
    zoneTokens[zoneID] = nil
    markFetched(zoneID)
  }

  /// Removes everything that concerns a deleted zone.
  ///
  /// - Assumption: the pending changes of a zone that was deleted on the server are dropped, unless the app is about to
  ///   save the zone again. Apple documents only that the app decides by the reason of the deletion.
  mutating func forgetZone(_ zoneID: CKRecordZone.ID) {
    forgetFetches(of: zoneID)
    if databaseChanges.list.contains(where: { $0.isSave && $0.itemID == zoneID }) { return }
    recordChanges.removeAll { $0.itemID.zoneID == zoneID }
    databaseChanges.removeAll { $0.itemID == zoneID }
  }

  /// Removes everything, for another account.
  mutating func empty() { self = SyncState() }
}
