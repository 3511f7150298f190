import Foundation
import LocalCloudObjectStore

/// Merges changes of other contexts, or of an import, into a context. Runs on the context's queue.
struct ContextMerge {
  private typealias Key = NSManagedObjectContext.NotificationKey

  let context: NSManagedObjectContext

  func run(_ merged: ObjectChangeIDs) {
    let (inserted, updated, deleted) = (merged.inserted, merged.updated, merged.deleted)
    context.applyRenames()
    context.advanceGeneration()
    context.readAhead = ReadAhead()
    var changed = updated.compactMap { context.registered[$0] }
    for id in inserted {
      if let object = context.registered[id] {
        changed.append(object)
      } else {
        context.changes.reportInsertion(context.objectOrFault(id))
      }
    }
    changed.removeAll { $0.stage != .present }
    refreshMerged(changed)
    let deletedObjects = deleted.compactMap { context.registered[$0] }.filter { $0.stage != .inserted }
    for object in deletedObjects {
      Self.clearReferences(to: object)
      context.changes.recordMissing(object)
    }
    context.processChanges()
    context.changes.mergedDeletions += deletedObjects
    if !deletedObjects.isEmpty { context.scheduleEvent() }
    NotificationCenter.default.post(
      name: NSManagedObjectContext.didMergeChangesObjectIDsNotification, object: context,
      userInfo: [
        Key.insertedObjectIDs.rawValue: Set(inserted),
        Key.updatedObjectIDs.rawValue: Set(updated),
        Key.deletedObjectIDs.rawValue: Set(deleted),
        Key.refreshedObjectIDs.rawValue: Set(changed.map(\.identity)),
      ])
    context.children.merge(merged)
  }

  /// Updates filled objects. Faults, and objects that can't be read now, are read when they are next used.
  private func refreshMerged(_ objects: [NSManagedObject]) {
    let snapshots = (try? context.reader.snapshots(of: objects.filter(\.isFilled).map(\.identity))) ?? [:]
    for object in objects {
      object.group = nil
      if !object.isFilled {
        object.committed = nil
        context.changes.reportRefresh(object)
      } else {
        context.refresh(object, with: snapshots[object.identity])
      }
    }
  }

  /// Clears references in memory to a deleted object. The objects that refer to it have their own changes in the store.
  static func clearReferences(to object: NSManagedObject) {
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

extension NSManagedObjectContext {
  /// Merges a save of another context to the same parent or stores, or an import, if the context merges automatically.
  /// Any thread may call it.
  func parentChanged(_ changes: ObjectChangeIDs) {
    guard automaticallyMergesChangesFromParent else { return }
    enqueue { [weak self] in
      if let self { ContextMerge(context: self).run(changes) }
    }
  }

  /// Removes from the context the objects that an earlier merge deleted.
  func releaseMergedDeletions() {
    for object in changes.removeMergedDeletions() { release(object) }
  }
}
