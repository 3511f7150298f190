import Foundation

extension NSManagedObjectContext {
  /// Implements ``processPendingChanges()``. The module calls this function, so that no override runs.
  func processChanges() {
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
      // Observers may have changed more objects.
      if propagatesDeletesAtEndOfEvent { propagateDeletions() }
    }
  }

  private func post(_ event: ChangeEvent) {
    ChangeAnnouncements.send(event)
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

  // MARK: Discarding changes

  /// See ``rollback()``.
  func discardChanges() {
    removeMergedDeletions()
    propagateDeletions()
    for object in inserted {
      event.deleted.insert(object)
      release(object)
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
    processChanges()
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

  /// See ``reset()``.
  func forgetObjects() {
    let objects = registered.all
    for object in objects { object.loseContext() }
    registered.removeAll()
    advanceGeneration()
    clearChanges()
    resetCount += 1
    mergedDeletions = []
    event = ChangeEvent()
    event.allInvalidated = objects.map(\.identity)
    processChanges()
  }

  /// See ``refresh(_:mergeChanges:)``.
  func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
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
      object.becomeFault()
    }
    event.refreshed.insert(object)
    scheduleEvent()
  }

  /// See ``refreshAllObjects()``.
  func refreshObjects() {
    for object in registered.all where object.stage == .present {
      refreshObject(object, mergeChanges: object.isMarkedUpdated)
    }
  }
}
