import CloudKit
import CoreData

/// Two devices may both make a tag "city" before they receive each other's changes. Afterwards each of them keeps the
/// same one of the two, without communication, by a fixed rule: the tag with the lowest identifier.
///
/// Tags are compared within a zone: objects that are shared together are in a zone of their own, and a tag can't be in
/// two.
extension PersistenceController {
  /// Merges the tags with others of the same name and zone, saves, and returns the names that several tags had. The
  /// merged tags stay, without photos and with a date: another device may still use them.
  func deduplicate(tagObjectIDs: [NSManagedObjectID], in context: NSManagedObjectContext) throws -> [String] {
    var names: Set<String> = []
    for objectID in Set(tagObjectIDs) {
      guard let tag = try? context.existingObject(with: objectID) as? Tag, let name = tag.name else { continue }
      if try deduplicate(name, in: zoneID(of: tag), context) { names.insert(name) }
    }
    if context.hasChanges { try context.save() }
    return names.sorted()
  }

  /// Returns whether there was something to merge.
  func deduplicateAndWait(tagObjectIDs: [NSManagedObjectID]) throws -> Bool {
    guard let context = shared.withLock({ $0.taskContext }) else { return false }
    return try context.performAndWait { try !deduplicate(tagObjectIDs: tagObjectIDs, in: context).isEmpty }
  }

  private func deduplicate(
    _ name: String, in zoneID: CKRecordZone.ID, _ context: NSManagedObjectContext
  ) throws -> Bool {
    let request: NSFetchRequest<Tag> = Tag.fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", name)
    request.affectedStores = privatePersistentStore.map { [$0] }
    let tags = try context.fetch(request).filter { self.zoneID(of: $0) == zoneID }
      .sorted { ($0.uuid?.uuidString ?? "") < ($1.uuid?.uuidString ?? "") }
    guard let winner = tags.first else { return false }
    var hasMerged = false
    for loser in tags.dropFirst() {
      let photos = (loser.photos?.allObjects ?? []).compactMap { $0 as? Photo }
      if loser.deduplicatedDate != nil, photos.isEmpty { continue }
      for photo in photos {
        photo.removeFromTags(loser)
        photo.addToTags(winner)
      }
      loser.deduplicatedDate = Date()
      hasMerged = true
    }
    return hasMerged
  }

  // MARK: Removing merged tags

  /// Once an export and an import that began after the merging have succeeded, this device has the other devices' tags,
  /// and the other devices receive the merged ones.
  @objc func containerEventChanged(_ notification: Notification) {
    let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
    guard let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event, event.endDate != nil,
      event.succeeded
    else { return }
    let context = shared.withLock { shared in
      switch event.type {
      case .export: shared.lastExport[event.storeIdentifier] = event.startDate
      case .import: shared.lastImport[event.storeIdentifier] = event.startDate
      default: break
      }
      return shared.taskContext
    }
    context?.perform { [self] in reportErrors { if let context { try removeDuplicates(in: context) } } }
  }

  /// Deletes tags that were merged long enough ago. Tags that another device used since are merged once more.
  func removeDuplicates(in context: NSManagedObjectContext) throws {
    guard let store = privatePersistentStore, let identifier = store.identifier else { return }
    let dates = shared.withLock { [$0.lastExport[identifier], $0.lastImport[identifier]].compactMap { $0 } }
    guard dates.count == 2, let date = dates.min() else { return }
    let request: NSFetchRequest<Tag> = Tag.fetchRequest()
    request.predicate = NSPredicate(format: "deduplicatedDate < %@", date as NSDate)
    request.affectedStores = [store]
    let tags = try context.fetch(request)
    _ = try deduplicate(tagObjectIDs: tags.filter { ($0.photos?.count ?? 0) > 0 }.map(\.objectID), in: context)
    for tag in tags where (tag.photos?.count ?? 0) == 0 { context.delete(tag) }
    if context.hasChanges { try context.save() }
  }
}
