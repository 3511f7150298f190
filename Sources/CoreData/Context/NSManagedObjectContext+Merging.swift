import Foundation
import LocalCloudObjectStore

extension NSManagedObjectContext {
  /// Merges what another context saved, as its notification tells: ``didSaveObjectsNotification``, the one with
  /// identities, or a history transaction's.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    merge(notification.userInfo ?? [:])
  }

  /// Merges changes that are told by identities or by their URLs, under the keys of the notifications.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    let data = UncheckedSendable(changeNotificationData)
    for context in contexts { context.queue.borrow { context.inBlock { context.merge(data.value) } } }
  }

  private func merge(_ info: [AnyHashable: Any]) {
    let changes = ObjectChangeIDs(info, persistentStoreCoordinator)
    merge(inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
  }

  /// Follows a save of another context to the same parent or stores, or an import, if the context is to. Any thread may
  /// call it.
  func parentChanged(_ changes: ObjectChangeIDs) {
    guard automaticallyMergesChangesFromParent else { return }
    perform { [weak self] in
      self?.merge(inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
    }
  }

  func merge(inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID]) {
    followRenames()
    advanceGeneration()
    prefetched.removeAll()
    var changed = updated.compactMap { registry[$0.key]?.object }
    for id in inserted {
      if let object = registry[id.key]?.object {
        changed.append(object)
      } else {
        event.inserted.insert(object(with: id))
      }
    }
    changed.removeAll { $0.stage != .present }
    refreshMerged(changed)
    let gone = deleted.compactMap { registry[$0.key]?.object }.filter { $0.stage != .inserted }
    for object in gone {
      self.updated.remove(object)
      event.updated.remove(object)
      leaveRelationships(object)
      object.stage = .deleted
      object.isMarkedUpdated = false
      self.deleted.insert(object)
      missing.insert(object)
      event.deleted.insert(object)
    }
    processPendingChanges()
    mergedDeletions += gone
    if !gone.isEmpty { scheduleEvent() }
    NotificationCenter.default.post(
      name: Self.didMergeChangesObjectIDsNotification, object: self,
      userInfo: [
        NotificationKey.insertedObjectIDs.rawValue: Set(inserted),
        NotificationKey.updatedObjectIDs.rawValue: Set(updated),
        NotificationKey.deletedObjectIDs.rawValue: Set(deleted),
        NotificationKey.refreshedObjectIDs.rawValue: Set(changed.map(\.identity)),
      ])
    children.follow(ObjectChangeIDs(inserted: inserted, updated: updated, deleted: deleted))
  }

  /// Takes the objects out of the context that an earlier merge deleted.
  func removeMergedDeletions() {
    for object in mergedDeletions {
      deleted.remove(object)
      missing.remove(object)
      registry[object.identity.key] = nil
      object.leaveContext()
    }
    mergedDeletions = []
  }

  /// Faults are read anew when they are used, and so are objects that can't be read now.
  private func refreshMerged(_ objects: [NSManagedObject]) {
    let snapshots = (try? reader.snapshots(of: objects.filter(\.isFilled).map(\.identity))) ?? [:]
    for object in objects {
      object.batch = nil
      if !object.isFilled {
        object.committed = nil
      } else if let snapshot = snapshots[object.identity] {
        event.refresh(object, with: snapshot)
        object.awake(fromSnapshotEvents: .refresh)
      }
      event.refreshed.insert(object)
    }
  }

  /// Objects that refer to one that is gone are told by their own changes in the store; what they hold of it in memory
  /// goes now.
  func leaveRelationships(_ object: NSManagedObject) {
    guard object.isFilled else { return }
    for relationship in object.layout.toOnes + object.layout.toManys {
      guard let inverse = relationship.inverseRelationship else { continue }
      let targets: [NSManagedObject] =
        switch object.layout.property(relationship.name) {
        case .toOne(let place): object.toOnes[place].object.map { [$0] } ?? []
        case .toMany(let place): Array(object.toManys[place].all ?? object.toManys[place].added)
        default: []
        }
      for target in targets where target.isFilled {
        switch target.layout.property(inverse.name) {
        case .toMany(let place): target.toManys[place].turnIntoFault()
        case .toOne(let place) where target.toOnes[place].object === object:
          target.toOnes[place].object = nil
        default: break
        }
      }
    }
  }
}
