import Foundation
import LocalCloudObjectStore

/// Reads the values of objects without values from the store when they are used.
extension NSManagedObject {
  /// Reads the object's values unless it has them. An object that the store no longer has counts as deleted: its values
  /// are nil. The values of an object that can't be read are nil too, and the object can't be saved. A new object that
  /// became a fault gets its entity's defaults. Stops the process if the context was reset or released.
  final func fire() {
    if isFilled { return }
    guard let context else { Self.raiseInaccessible(identity) }
    if stage == .inserted { return fillWithDefaults() }
    if committed == nil {
      do { committed = try firstSnapshot(in: context) } catch {
        readError = error
        return fillWithNothing()
      }
    }
    if let committed {
      fill(with: committed)
      context.awaken(self) { awakeFromFetch() }
    } else {
      context.foundMissing(self)
      fillWithNothing()
    }
  }

  /// The values that were read ahead or are read with others, or those of the store.
  private func firstSnapshot(in context: NSManagedObjectContext) throws -> ObjectSnapshot? {
    if let known = context.readAhead.removeRow(of: identity, at: context.commits) { return known }
    if let group {
      try group.read(for: self, in: context)
      if let read = committed ?? context.readAhead.removeRow(of: identity, at: context.commits) { return read }
    }
    return try context.reader.snapshot(of: identity)
  }

  /// Reads the object's values for a program that iterates over the results of a fetch. A transient attribute of an
  /// object without a context is nil. Without a key, all values of an object without a context become nil.
  final func fireToRead(_ key: String?) {
    if group?.fill(self, toRead: key) != true {
      if context == nil {
        guard let key else { return fillWithNothing() }
        if isTransient(key) { return }
      }
      fire()
    }
    if let group, let context { group.forgetOld(in: context) }
  }

  /// Sets the values to those of a snapshot. Unsaved differences are lost.
  final func fill(with snapshot: ObjectSnapshot) {
    committed = snapshot
    readError = nil
    attributes = snapshot.attributes
    let store = identity.persistentStore
    toOnes = layout.toOnes.indices.map { ToOne(id: snapshot.toOne($0, in: store), object: nil) }
    if toManys.isEmpty { toManys = layout.unreadMembers }
    objects = [:]
    isFilled = true
  }

  private func fillWithNothing() {
    attributes = Array(repeating: .null, count: layout.attributes.count)
    toOnes = Array(repeating: ToOne(), count: layout.toOnes.count)
    toManys = layout.emptyMembers
    isFilled = true
  }

  /// Turns the object into a fault. Unsaved changes are lost.
  final func becomeFault() {
    guard isFilled else {
      committed = nil
      return
    }
    willTurnIntoFault()
    readError = nil
    committed = nil
    forgetChangedKeys()
    empty()
    didTurnIntoFault()
  }

  /// Discards all unsaved changes.
  final func restoreCommitted() {
    if let committed {
      toManys = []
      fill(with: committed)
    } else {
      empty()
    }
    forgetChangedKeys()
  }

  /// Sets newer values, and retains unsaved changes. Returns the names of the attributes and of the to-one
  /// relationships with other values; nil if these are not known.
  @discardableResult final func refresh(with snapshot: ObjectSnapshot) -> Set<String>? {
    guard isFilled, let old = committed else {
      // An object with values, but without committed ones, could not be read before.
      if isFilled { toManys = [] }
      if isFilled { fill(with: snapshot) } else { committed = snapshot }
      return nil
    }
    committed = snapshot
    readError = nil
    forgetFetched()
    let store = identity.persistentStore
    let differences = ObjectDifferences(object: self)
    var names: Set<String> = []
    for (index, attribute) in layout.attributes.enumerated() {
      let name = attribute.name
      let isOwn = changedKeys.contains(name) && !differences.isSame(attributes[index], old.attributes[index])
      if isOwn || attributes[index] == snapshot.attributes[index] { continue }
      attributes[index] = snapshot.attributes[index]
      objects[name] = nil
      names.insert(name)
    }
    for (index, relationship) in layout.toOnes.enumerated() {
      let name = relationship.name
      if changedKeys.contains(name), toOnes[index].id != old.toOne(index, in: store) { continue }
      let id = snapshot.toOne(index, in: store)
      if toOneID(index) != id { names.insert(name) }
      toOnes[index] = ToOne(id: id, object: nil)
    }
    for index in toManys.indices { toManys[index].becomeFault() }
    return names
  }

  static func raiseInaccessible(_ id: NSManagedObjectID) -> Never {
    raiseException(
      "CoreData could not fulfill a fault for '\(id.uriRepresentation().absoluteString)'",
      name: "NSObjectInaccessibleException")
  }

  /// Removes the object from its context, since the context was reset or is released. A fault can no longer be read.
  final func loseContext() {
    detach()
    empty()
  }

  /// Removes a deleted object from its context. A fault of it reads nil.
  final func leaveContext() {
    if !isFilled { fillWithNothing() }
    detach()
    // Objects that refer to one another would retain each other.
    for index in toOnes.indices { toOnes[index].object = nil }
    if !toManys.isEmpty { toManys = layout.emptyMembers }
  }

  private func detach() {
    stage = .detached
    context = nil
    isMarkedUpdated = false
    forgetChangedKeys()
  }
}
