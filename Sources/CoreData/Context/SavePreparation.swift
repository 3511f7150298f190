import Foundation

/// The steps of a context before it saves: its objects prepare themselves, and are validated.
struct SavePreparation {
  let context: NSManagedObjectContext

  /// Calls `willSave()` of the objects, until none of them changes any more.
  func callWillSave() throws {
    var notified = Set<ObjectIdentifier>()
    var lastChange = 0
    for _ in 0..<1000 {
      let waiting = (context.changes.inserted.inOrder + Array(context.changes.updated) + Array(context.changes.deleted))
        .filter { notified.insert(ObjectIdentifier($0)).inserted || $0.changeNumber > lastChange }
      if waiting.isEmpty { return }
      lastChange = context.changes.changeCount
      for object in waiting { object.willSave() }
      context.propagateDeletions()
      context.processChanges()
      guard context.hasChanges else { return }
    }
    raiseException(
      "Failed to process pending changes before save. The context is still dirty after 1000 attempts. Typically this "
        + "recursive dirtying is caused by a bad validation method, -willSave, or notification handler.",
      name: "NSInternalInconsistencyException")
  }

  func validate() throws {
    var checks = CoreDataError.Checks()
    for object in context.changes.inserted.inOrder { checks.check(object.validateForInsert) }
    for object in context.changes.updated { checks.check(object.validateForUpdate) }
    for object in context.changes.storedDeletions { checks.check(object.validateForDelete) }
    try checks.finish()
  }
}
