import Foundation

/// The steps of a context before it saves: its objects prepare themselves, and are validated.
struct SavePreparation {
  let context: NSManagedObjectContext

  /// Calls `willSave()` of the objects, until none of them changes any more.
  func callWillSave() throws {
    var notified = Set<ObjectIdentifier>()
    var changed = Set<NSManagedObject>()
    defer { context.changedWhileSaving = nil }
    for _ in 0..<1000 {
      let waiting = (context.inserted.inOrder + Array(context.updated) + Array(context.deleted))
        .filter { notified.insert(ObjectIdentifier($0)).inserted || changed.contains($0) }
      if waiting.isEmpty { return }
      context.changedWhileSaving = []
      for object in waiting { object.willSave() }
      context.propagateDeletions()
      context.processChanges()
      guard context.hasChanges else { return }
      changed = context.changedWhileSaving ?? []
    }
    raiseException(
      "Failed to process pending changes before save. The context is still dirty after 1000 attempts. Typically this "
        + "recursive dirtying is caused by a bad validation method, -willSave, or notification handler.",
      name: "NSInternalInconsistencyException")
  }

  func validate() throws {
    var checks = CoreDataError.Checks()
    for object in context.inserted.inOrder { checks.check(object.validateForInsert) }
    for object in context.updated { checks.check(object.validateForUpdate) }
    for object in context.deleted where !context.missing.contains(object) { checks.check(object.validateForDelete) }
    try checks.finish()
  }
}
