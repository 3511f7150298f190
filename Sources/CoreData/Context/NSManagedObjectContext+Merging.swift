import Foundation
import LocalCloudObjectStore

/// Merges changes of other contexts, or of an import. Runs on the context's queue.
extension NSManagedObjectContext {
  func merge(_ merged: ObjectChangeIDs) {
    let (inserted, updated, deleted) = (merged.inserted, merged.updated, merged.deleted)
    applyRenames()
    advanceGeneration()
    readAhead = ReadAhead()
    var changed = updated.compactMap { registered[$0] }
    for id in inserted {
      if let object = registered[id] {
        changed.append(object)
      } else {
        changes.reportInsertion(objectOrFault(id))
      }
    }
    changed.removeAll { $0.stage != .present }
    refreshMerged(changed)
    let deletedObjects = deleted.compactMap { registered[$0] }.filter { $0.stage != .inserted }
    for object in deletedObjects {
      clearReferences(to: object)
      changes.recordMissing(object)
    }
    processChanges()
    changes.mergedDeletions += deletedObjects
    if !deletedObjects.isEmpty { scheduleEvent() }
    NotificationCenter.default.post(
      name: Self.didMergeChangesObjectIDsNotification, object: self,
      userInfo: [
        NotificationKey.insertedObjectIDs.rawValue: Set(inserted),
        NotificationKey.updatedObjectIDs.rawValue: Set(updated),
        NotificationKey.deletedObjectIDs.rawValue: Set(deleted),
        NotificationKey.refreshedObjectIDs.rawValue: Set(changed.map(\.identity)),
      ])
    children.merge(merged)
  }

  /// Updates filled objects. Faults, and objects that can't be read now, are read when they are next used.
  private func refreshMerged(_ objects: [NSManagedObject]) {
    let snapshots = (try? snapshots(of: objects.filter(\.isFilled).map(\.identity))) ?? [:]
    for object in objects {
      object.group = nil
      if !object.isFilled {
        object.committed = nil
        changes.reportRefresh(object)
      } else {
        refresh(object, with: snapshots[object.identity])
      }
    }
  }

  /// Merges a save of another context to the same parent or stores, or an import, if the context merges automatically.
  /// Any thread may call it.
  func parentChanged(_ changes: ObjectChangeIDs) {
    guard automaticallyMergesChangesFromParent else { return }
    enqueue { [weak self] in self?.merge(changes) }
  }

  /// Removes from the context the objects that an earlier merge deleted.
  func releaseMergedDeletions() {
    for object in changes.removeMergedDeletions() { release(object) }
  }

  /// Clears references in memory to a deleted object. The objects that refer to it have their own changes in the store.
  func clearReferences(to object: NSManagedObject) {
    guard object.isFilled else { return }
    for relationship in object.layout.toOnes + object.layout.toManys {
      guard let inverse = relationship.inverseRelationship else { continue }
      let targets: [NSManagedObject] =
        switch object.layout.property(relationship.name) {
        case .toOne(let index): object.toOnes[index].object.map { [$0] } ?? []
        case .toMany(let index): Array(object.toManys[index].all ?? object.toManys[index].added)
        default: []
        }
      for target in targets where target.isFilled {
        switch target.layout.property(inverse.name) {
        case .toMany(let index): target.toManys[index].becomeFault()
        case .toOne(let index) where target.toOnes[index].object === object:
          target.toOnes[index].object = nil
        default: break
        }
      }
    }
  }
}
