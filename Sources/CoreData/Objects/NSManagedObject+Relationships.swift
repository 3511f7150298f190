import Foundation
import LocalCloudObjectStore

extension NSManagedObject {
  // MARK: Reading

  final func toOneObject(_ index: Int) -> NSManagedObject? {
    guard !toOnes.isEmpty else { return nil }
    if let object = toOnes[index].object { return object }
    guard let id = toOnes[index].id, let context else { return nil }
    let object = context.objectOrFault(id)
    toOnes[index].object = object
    return object
  }

  /// The target's present identity.
  final func toOneID(_ index: Int) -> NSManagedObjectID? {
    if let object = toOnes[index].object { return object.identity }
    return toOnes[index].id.map { context?.registered.resolved($0) ?? $0 }
  }

  /// The members as a set, or an ordered set.
  final func toManyValue(_ index: Int) -> NSObject {
    guard !toManys.isEmpty else { return layout.toManys[index].isOrdered ? NSOrderedSet() : NSSet() }
    load(index)
    return toManys[index].set()
  }

  /// Reads the members of a relationship from the store, unless they are known.
  final func load(_ index: Int) {
    guard toManys[index].isFault, let context else { return }
    var stored: [NSManagedObjectID] = []
    // Members that can't be read are left out for now; the object can't be saved before it is refreshed.
    let name = layout.toManys[index].name
    do {
      stored =
        try context.readAhead.removeTargets(of: identity, named: name)
        ?? context.reader.relatedIDs(of: [identity], named: name)[identity] ?? []
    } catch { readError = error }
    // An object that the context has deleted is no longer a member, nor is an object that now refers to another owner.
    let inverse = layout.toManys[index].inverseRelationship
    let members = stored.map { context.objectOrFault($0) }.filter { member in
      guard let inverse, !inverse.isToMany, member.isFilled,
        case .toOne(let index)? = member.layout.property(inverse.name)
      else { return member.stage != .deleted }
      return member.stage != .deleted && member.toOneID(index) == identity
    }
    let faults = members.filter { $0.isUnread && $0.group == nil }
    if context.parent == nil, faults.count > 1 { _ = FaultGroup(faults) }
    toManys[index].load(members)
  }

  final func relatedIDs(_ key: String) -> [NSManagedObjectID] {
    fire()
    switch layout.property(key) {
    case .toOne(let index): return toOneID(index).map { [$0] } ?? []
    case .toMany(let index):
      load(index)
      return toManys[index].list.map(\.identity)
    default: raiseException("objectIDsForRelationshipNamed: '\(key)' is not a relationship of \(entity.name ?? "")")
    }
  }

  // MARK: Changing both sides

  final func setToOne(_ index: Int, to object: NSManagedObject?) {
    let relationship = layout.toOnes[index]
    willChangeValue(forKey: relationship.name)
    let before = toOneObject(index)
    if before !== object {
      toOnes[index] = ToOne(id: object?.identity, object: object)
      if let inverse = relationship.inverseRelationship {
        before?.inverseChanged(inverse, from: self, isMember: false)
        object?.inverseChanged(inverse, from: self, isMember: true)
      }
    }
    didChangeValue(forKey: relationship.name)
  }

  final func setToMany(_ index: Int, to objects: [NSManagedObject]) {
    let relationship = layout.toManys[index]
    willChangeValue(forKey: relationship.name)
    replaceMembers(index, by: objects) { object, isMember in
      if let inverse = relationship.inverseRelationship {
        object.inverseChanged(inverse, from: self, isMember: isMember)
      }
    }
    didChangeValue(forKey: relationship.name)
  }

  /// `changed`: called for each object that became a member or is no longer one.
  final func replaceMembers(
    _ index: Int, by objects: [NSManagedObject], _ changed: (NSManagedObject, Bool) -> Void
  ) {
    load(index)
    let wanted = Set(objects)
    for object in toManys[index].list where !wanted.contains(object) {
      if toManys[index].remove(object) { changed(object, false) }
    }
    for object in objects where toManys[index].insert(object) { changed(object, true) }
    arrange(index, by: objects)
  }

  /// Changes the order of the members of an ordered relationship. Members that are not in `wanted` stay behind the one
  /// that they follow.
  final func arrange(_ index: Int, by wanted: [NSManagedObject]) {
    guard toManys[index].order != nil else { return }
    load(index)
    let list = Arrangement.merged(toManys[index].list, by: wanted)
    if !list.elementsEqual(toManys[index].list, by: ===) { toManys[index].arrange(list) }
  }

  final func toManyIndex(_ key: String) -> Int {
    guard case .toMany(let index)? = layout.property(key) else {
      raiseException("'\(key)' is not a relationship of \(entity.name ?? "") to many objects")
    }
    fire()
    return index
  }

  /// Adds an object to a to-many relationship, or removes it, and updates the inverse. `position`: the index of a new
  /// member of an ordered relationship; nil for the end.
  final func setMember(_ object: NSManagedObject, of key: String, _ isMember: Bool, at position: Int? = nil) {
    let index = toManyIndex(key)
    RelationshipValues(owner: self, key: key).check(object)
    willChangeValue(forKey: key)
    let hasChanged = isMember ? toManys[index].insert(object, at: position) : toManys[index].remove(object)
    if hasChanged, let inverse = layout.toManys[index].inverseRelationship {
      object.inverseChanged(inverse, from: self, isMember: isMember)
    }
    didChangeValue(forKey: key)
  }

  /// Applies a change of the other side of a relationship: `source` began or ceased to refer to this object.
  final func inverseChanged(_ relationship: NSRelationshipDescription, from source: NSManagedObject, isMember: Bool) {
    guard stage != .detached else { return }
    willChangeValue(forKey: relationship.name)
    switch layout.property(relationship.name) {
    case .toOne(let index):
      if isMember {
        let displaced = toOneObject(index)
        toOnes[index] = ToOne(id: source.identity, object: source)
        if let displaced, displaced !== source, let inverse = relationship.inverseRelationship {
          displaced.inverseChanged(inverse, from: self, isMember: false)
        }
      } else if toOneID(index) == source.identity {
        toOnes[index] = ToOne()
      }
    case .toMany(let index):
      _ = isMember ? toManys[index].insert(source) : toManys[index].remove(source)
    default: break
    }
    didChangeValue(forKey: relationship.name)
  }

  /// The targets of a relationship of any kind.
  final func relatedObjects(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    switch layout.property(relationship.name) {
    case .toOne(let index): return toOneObject(index).map { [$0] } ?? []
    case .toMany(let index):
      load(index)
      return toManys[index].list
    default: return []
    }
  }
}
