import Foundation

extension NSManagedObjectContext {
  /// Implements ``processPendingChanges()``. The module calls this function, so that no override runs.
  func processChanges() {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    releaseMergedDeletions()
    if propagatesDeletesAtEndOfEvent { propagateDeletions() }
    for _ in 0..<100 {
      guard let event = changes.beginEvent() else { return }
      post(event)
      changes.endEvent()
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
    info[NSInvalidatedAllObjectsKey] = event.allInvalidated
    NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: info)
  }

  // MARK: Discarding changes

  /// See ``refresh(_:mergeChanges:)``.
  func refreshObject(_ object: NSManagedObject, mergeChanges flag: Bool) {
    requireOwn(object, "refresh")
    guard object.context === self, !flag || object.stage != .inserted else { return }
    readAhead = ReadAhead()
    object.group = nil
    if flag {
      guard object.isFilled else {
        object.committed = nil
        return
      }
      refresh(object, with: try? reader.snapshot(of: object.identity))
    } else {
      changes.removeUpdate(of: object)
      object.becomeFault()
      changes.reportRefresh(object)
    }
    scheduleEvent()
  }

  /// Updates an object that has values with newer ones. Without them the object stays as it is.
  func refresh(_ object: NSManagedObject, with snapshot: ObjectSnapshot?) {
    let names = snapshot.flatMap { object.refresh(with: $0) }
    changes.reportRefresh(object, names)
    if snapshot != nil { object.awake(fromSnapshotEvents: .refresh) }
  }
}
