import Foundation

extension NSManagedObjectContext {
  /// Follows delete rules, and tells of what changed since the last time.
  public func processPendingChanges() {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    removeMergedDeletions()
    if propagatesDeletesAtEndOfEvent { propagateDeletions() }
    for _ in 0..<100 {
      guard !event.isEmpty else { return }
      let event = self.event
      self.event = ChangeEvent()
      for object in event.inserted { object.changedInEvent = [] }
      postedEvent = event
      post(event)
      postedEvent = nil
      for object in event.updated { object.changedInEvent = [] }
      // Whoever is told may change more.
      if propagatesDeletesAtEndOfEvent { propagateDeletions() }
    }
  }

  private func post(_ event: ChangeEvent) {
    var info: [AnyHashable: Any] = [:]
    func add(_ key: String, _ objects: Set<NSManagedObject>) { if !objects.isEmpty { info[key] = objects } }
    add(NSInsertedObjectsKey, event.inserted)
    add(NSUpdatedObjectsKey, event.updated)
    add(NSDeletedObjectsKey, event.deleted)
    add(NSRefreshedObjectsKey, event.refreshed)
    add(NSInvalidatedObjectsKey, event.invalidated)
    info[NSInvalidatedAllObjectsKey] = event.allInvalidated
    NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: info)
  }

  // MARK: Giving up changes

  /// Gives up all changes since the last save.
  public func rollback() {
    removeMergedDeletions()
    propagateDeletions()
    for object in inserted {
      registry[object.identity.key] = nil
      event.deleted.insert(object)
      object.leaveContext()
    }
    for object in deleted where !missing.contains(object) {
      object.stage = .present
      object.restoreCommitted()
      event.refreshed.insert(object)
    }
    for object in updated {
      object.restoreCommitted()
      event.refreshed.insert(object)
    }
    let restored = (updated.union(deleted).subtracting(missing)).filter(\.isFilled)
    clearChanges()
    event.inserted.removeAll()
    event.updated.removeAll()
    for object in restored { object.awake(fromSnapshotEvents: .rollback) }
    processPendingChanges()
  }

  func clearChanges() {
    inserted.removeAll()
    updated.removeAll()
    deleted.removeAll()
    missing.removeAll()
    unsavedDeletions.removeAll()
    deletionsToFollow = []
    assignments = [:]
    checked.removeAll()
    prefetched.removeAll()
  }

  /// Forgets all objects. Objects that a program still holds become faults without a context. Their values can't be read.
  public func reset() {
    let objects = registry.values.compactMap(\.object)
    for object in objects { object.loseContext() }
    registry = [:]
    advanceGeneration()
    clearChanges()
    resetCount += 1
    mergedDeletions = []
    event = ChangeEvent()
    event.allInvalidated = objects.map(\.identity)
    processPendingChanges()
  }

  /// Reads an object anew when it is next used. With `mergeChanges` its unsaved changes are kept. Without, they are lost:
  /// a new object becomes a fault, too, and has its entity's defaults when it is next used.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    requireOwn(object, "refresh")
    guard object.context === self, !flag || object.stage != .inserted else { return }
    prefetched.removeAll()
    object.batch = nil
    if flag {
      guard object.isFilled else {
        object.committed = nil
        return
      }
      if let snapshot = try? reader.snapshot(of: object.identity) {
        event.refresh(object, with: snapshot)
        object.awake(fromSnapshotEvents: .refresh)
      }
    } else {
      updated.remove(object)
      event.updated.remove(object)
      object.turnIntoFault()
    }
    event.refreshed.insert(object)
    scheduleEvent()
  }

  /// Makes faults of all objects, and reads those with changes anew, which keep their changes.
  public func refreshAllObjects() {
    for object in registry.values.compactMap(\.object) where object.stage == .present {
      refresh(object, mergeChanges: object.isMarkedUpdated)
    }
  }
}
