import Foundation

/// What a context does before it saves: its objects prepare themselves, and are validated.
struct SavePreparation {
  let context: NSManagedObjectContext

  /// Has the objects prepare themselves, until none of them changes any more.
  func tellObjects() throws {
    // With what each object was changed when it was told.
    var told: [ObjectIdentifier: Set<String>] = [:]
    for _ in 0..<1000 {
      let waiting = (context.inserted.inOrder + Array(context.updated) + Array(context.deleted))
        .filter { told[ObjectIdentifier($0)] != $0.changedKeys }
      if waiting.isEmpty { return }
      for object in waiting {
        told[ObjectIdentifier(object)] = object.changedKeys
        object.willSave()
      }
      context.processPendingChanges()
      guard context.hasChanges else { return }
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
