import Foundation

/// Copies a context's changes to its parent. There they are pending, as if they had been made in the parent.
///
/// Nothing is written to a store: the save of the topmost context does that.
struct ChildSave {
  let child: NSManagedObjectContext
  let parent: NSManagedObjectContext
  private let inserted: [NSManagedObject]
  private let updated: [NSManagedObject]
  private let deleted: [NSManagedObject]

  init(_ child: NSManagedObjectContext, into parent: NSManagedObjectContext) {
    self.child = child
    self.parent = parent
    inserted = child.changes.inserted.inOrder
    updated = Array(child.changes.updated)
    deleted = Array(child.changes.storedDeletions)
  }

  /// Throws ``NSManagedObjectMergeError`` if the parent has deleted objects that the child changed, unless the child's
  /// policy resolves conflicts: then the child discards those objects.
  func run(_ policy: NSMergePolicy) throws {
    for object in updated + deleted {
      if let error = object.readError { throw error }
    }
    let conflicting = try parent.queue.borrow {
      parent.applyRenames()
      parent.propagateDeletions()
      let conflicting = updated.filter { parent.registered[$0.identity]?.stage == .deleted }
      if !conflicting.isEmpty { try policy.resolve(mergeConflicts: conflicting.map(conflict)) }
      copyChanges(except: Set(conflicting.map(ObjectIdentifier.init)))
      return conflicting
    }
    finish(conflicting)
  }

  private func conflict(_ object: NSManagedObject) -> NSMergeConflict {
    NSMergeConflict(
      source: object, newVersion: 0, oldVersion: Int(object.committed?.version ?? 0),
      cachedSnapshot: object.committed.map(object.conflictValues), persistedSnapshot: nil)
  }

  // MARK: On the parent's queue

  private func copyChanges(except conflicting: Set<ObjectIdentifier>) {
    let changed = updated.filter { !conflicting.contains(ObjectIdentifier($0)) }
    // All targets exist before any of them refers to another one.
    let targets = inserted.map(insert) + changed.map(counterpart)
    var pairs = Pairs()
    for (object, target) in zip(inserted + changed, targets) { copy(object, to: target, &pairs) }
    for object in deleted {
      let target = counterpart(object)
      parent.deleteObject(target)
    }
    parent.processChanges()
    func ids(_ objects: [NSManagedObject]) -> [NSManagedObjectID] {
      objects.map { parent.registered.resolved($0.identity) }
    }
    parent.children.merge(
      ObjectChangeIDs(inserted: ids(inserted), updated: ids(changed), deleted: ids(deleted)), except: child)
  }

  /// The parent's object with the same identity and its values.
  private func counterpart(_ object: NSManagedObject) -> NSManagedObject {
    let target = parent.objectOrFault(object.identity)
    if !target.isFilled {
      // The child changed the version that it had read: a newer version by another context is a conflict.
      if target.committed == nil, let read = object.committed, read.isStored { target.committed = read }
      target.fire()
    }
    return target
  }

  /// Creates the parent's object for a new object of the child.
  ///
  /// - Assumption: `awakeFromInsert()` is called once, for the object of the context that created it, and not again for
  ///   the parent's object. The parent's object takes all of its values.
  private func insert(_ object: NSManagedObject) -> NSManagedObject {
    let target = NSManagedObject.fault(object.identity, in: parent)
    target.fillWithDefaults()
    parent.enter(target)
    if let store = child.changes.stores[object] { parent.changes.stores[target] = store }
    return target
  }

  /// Pairs of related objects that were copied from one side. If the members of the other side were not read, a second
  /// copy from there would count, and be reported, as a change.
  private struct Pairs {
    private struct Side: Hashable {
      var object: ObjectIdentifier
      var relationship: String
      var other: ObjectIdentifier
    }

    private var sides: Set<Side> = []

    /// Returns false if the pair was copied already.
    mutating func insert(
      _ object: NSManagedObject, _ relationship: NSRelationshipDescription, _ other: NSManagedObject
    ) -> Bool {
      let (one, two) = (ObjectIdentifier(object), ObjectIdentifier(other))
      guard sides.insert(Side(object: one, relationship: relationship.name, other: two)).inserted else { return false }
      if let inverse = relationship.inverseRelationship {
        sides.insert(Side(object: two, relationship: inverse.name, other: one))
      }
      return true
    }
  }

  private func copy(_ object: NSManagedObject, to target: NSManagedObject, _ pairs: inout Pairs) {
    let layout = object.layout
    let isNew = object.stage == .inserted
    func isChanged(_ property: NSPropertyDescription) -> Bool {
      isNew || (object.changedKeys.contains(property.name) && ObjectDifferences(object: object).contains(property.name))
    }
    for (index, attribute) in layout.attributes.enumerated() where isChanged(attribute) {
      target.attributes[index] = object.attributes[index]
      target.objects[attribute.name] = nil
      if !isNew { target.didChangeValue(forKey: attribute.name) }
    }
    for name in layout.transients where isNew || object.changedKeys.contains(name) {
      target.objects[name] = object.objects[name]
      if !isNew { target.didChangeValue(forKey: name) }
    }
    for (index, relationship) in layout.toOnes.enumerated() where isChanged(relationship) {
      let id = object.toOneObject(index).flatMap { $0.stage.isLive ? $0.identity : nil }
      if isNew, id == nil { continue }
      let other = id.map { parent.objectOrFault($0) }
      for other in [target.toOneObject(index), other] {
        if let other { _ = pairs.insert(target, relationship, other) }
      }
      target.setToOne(index, to: other)
    }
    for (index, relationship) in layout.toManys.enumerated() where isChanged(relationship) {
      let members = object.toManys[index]
      func counterparts(_ objects: some Sequence<NSManagedObject>) -> [NSManagedObject] {
        objects.map { parent.objectOrFault($0.identity) }
      }
      for member in counterparts(members.removed) where pairs.insert(target, relationship, member) {
        target.setMember(member, of: relationship.name, false)
      }
      let added = members.newcomers.filter(\.stage.isLive)
      for member in counterparts(added) where pairs.insert(target, relationship, member) {
        // The member also leaves its former owner. The owner's own side must not remove it a second time.
        if let inverse = relationship.inverseRelationship, !inverse.isToMany {
          member.fire()
          for former in member.relatedObjects(inverse) { _ = pairs.insert(former, relationship, member) }
        }
        target.setMember(member, of: relationship.name, true)
      }
      switch members.order?.difference(added: members.added) {
      case .none?, nil: break
      case .tail(let list)?, .arrangement(let list)?: target.rearrange(index, by: counterparts(list))
      }
    }
  }

  // MARK: On the child's queue

  private func finish(_ conflicting: [NSManagedObject]) {
    for object in inserted + updated where object.stage != .detached {
      object.committed = ObjectSnapshot(of: object)
    }
    child.changes.markSaved(inserted + updated, deleted: deleted)
    for object in deleted + conflicting { child.release(object) }
  }
}
