/// A change of a record or a zone that waits to be sent.
protocol PendingChange: Hashable, Sendable {
  associatedtype ItemID: Hashable, Sendable

  /// The ID of the record or the zone.
  var itemID: ItemID { get }
}

/// A list of changes with at most one change for each record or zone ([sync-state-2], [sync-state-3]).
///
/// Adding or removing a change costs O(1) on average, whatever the number of changes. ``list`` costs O(n), and so does
/// the first change while a copy exists.
struct PendingChanges<Change: PendingChange>: Sendable {
  /// The changes in order. A removed change leaves nil until the next compaction.
  private var slots: [Change?] = []
  private var indexes: [Change.ItemID: Int] = [:]

  init(_ changes: [Change] = []) { add(changes) }

  /// The changes in order.
  var list: [Change] { slots.compactMap { $0 } }

  var isEmpty: Bool { indexes.isEmpty }

  /// Whether a record or zone outside of `itemIDs` has a change. Looks at no more changes than there are `itemIDs`.
  func contains(otherThan itemIDs: Set<Change.ItemID>) -> Bool {
    indexes.count > itemIDs.count || indexes.keys.contains { !itemIDs.contains($0) }
  }

  /// Appends changes. A change of a record or zone that already has a change replaces it at its position.
  ///
  /// - Assumption: a pending change that is replaced by one of the other kind leaves its position to it.
  ///
  /// - Returns: the records or zones that had a change.
  @discardableResult
  mutating func add(_ changes: [Change]) -> [Change.ItemID] {
    var known: [Change.ItemID] = []
    for change in changes {
      if let index = indexes[change.itemID] {
        slots[index] = change
        known.append(change.itemID)
      } else {
        indexes[change.itemID] = slots.count
        slots.append(change)
      }
    }
    return known
  }

  /// Removes the changes that the list holds. A change of the same record or zone, but of the other kind, stays.
  ///
  /// - Returns: the removed changes.
  @discardableResult
  mutating func remove(_ changes: [Change]) -> [Change] {
    var removed: [Change] = []
    for change in changes {
      guard let index = indexes[change.itemID], let pending = slots[index], pending == change else { continue }
      indexes[change.itemID] = nil
      slots[index] = nil
      removed.append(pending)
    }
    if slots.count > 2 * indexes.count { self = PendingChanges(list) }
    return removed
  }

  mutating func removeAll(where isRemoved: (Change) -> Bool) {
    let kept = list.filter { !isRemoved($0) }
    if kept.count < indexes.count { self = PendingChanges(kept) }
  }

  /// Moves changes behind all others. Both parts keep their order.
  mutating func postpone(where isPostponed: (Change) -> Bool) {
    let list = list
    self = PendingChanges(list.filter { !isPostponed($0) } + list.filter(isPostponed))
  }

  /// Inserts changes at the front, in their order, except those of records or zones that already have a change.
  mutating func putBack(_ changes: [Change]) {
    // Nothing returns after a success.
    if changes.isEmpty { return }
    self = PendingChanges(changes.filter { indexes[$0.itemID] == nil } + list)
  }
}

extension PendingChanges: Equatable {
  static func == (lhs: PendingChanges, rhs: PendingChanges) -> Bool { lhs.list == rhs.list }
}
