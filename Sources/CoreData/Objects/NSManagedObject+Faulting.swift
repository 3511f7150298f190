import Foundation
import ObjectStore

/// Objects without values get them from the store when they are asked for.
extension NSManagedObject {
  /// Reads the object's values unless it has them. An object that is gone from the store is taken as deleted: its
  /// values are nil. So are those of an object that can't be read, which is then not saved.
  final func fire() {
    if isFilled { return }
    guard stage != .gone else { return fillWithNothing() }
    guard let context else { return fillWithNothing() }
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

  /// The values as they were read ahead, or as the store has them.
  private func firstSnapshot(in context: NSManagedObjectContext) throws -> ObjectSnapshot? {
    if let known = context.prefetched.takeRow(identity) { return known }
    if let found = try batch?.snapshot(of: self, in: context) { return found }
    return try context.reader.snapshot(of: identity)
  }

  /// Reads the object's values for a program that goes through the results of a fetch.
  final func fireToRead(_ key: String?) {
    if batch?.fill(self, toRead: key) != true { fire() }
    if let batch, let context { batch.forgetOld(in: context) }
  }

  /// Takes the values of a snapshot. Differences that were not saved are gone.
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

  /// Turns the object into a fault. Changes that were not saved are lost.
  final func turnIntoFault() {
    guard isFilled else {
      committed = nil
      return
    }
    willTurnIntoFault()
    empty()
    readError = nil
    committed = nil
    (changedKeys, changedInEvent) = ([], [])
    isMarkedUpdated = false
    didTurnIntoFault()
  }

  /// Gives up all changes that were not saved.
  final func restoreCommitted() {
    if let committed {
      toManys = []
      fill(with: committed)
    } else {
      empty()
    }
    (changedKeys, changedInEvent) = ([], [])
    isMarkedUpdated = false
  }

  /// Takes newer values; what the program changed and did not save stays.
  final func refresh(with snapshot: ObjectSnapshot) {
    guard isFilled else {
      committed = snapshot
      return
    }
    guard let old = committed else {
      // It could not be read before.
      toManys = []
      return fill(with: snapshot)
    }
    committed = snapshot
    readError = nil
    forgetFetched()
    let store = identity.persistentStore
    for place in attributes.indices {
      let isOwn = changedKeys.contains(layout.attributes[place].name) && attributes[place] != old.attributes[place]
      if !isOwn, attributes[place] != snapshot.attributes[place] {
        attributes[place] = snapshot.attributes[place]
        objects[layout.attributes[place].name] = nil
      }
    }
    for place in toOnes.indices {
      let isOwn =
        changedKeys.contains(layout.toOnes[place].name)
        && toOnes[place].id != old.toOne(place, in: store)
      if !isOwn { toOnes[place] = ToOne(id: snapshot.toOne(place, in: store), object: nil) }
    }
    for place in toManys.indices { toManys[place].turnIntoFault() }
  }

  /// Takes the object out of its context: it was deleted, or the context was reset.
  final func leaveContext() {
    stage = .gone
    context = nil
    isMarkedUpdated = false
    (changedKeys, changedInEvent) = ([], [])
    // Objects that refer to one another would keep each other alive.
    for place in toOnes.indices { toOnes[place].object = nil }
    if !toManys.isEmpty { toManys = layout.emptyMembers }
  }
}
