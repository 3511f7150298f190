import Foundation
import LocalCloudObjectStore

extension NSManagedObject {
  // MARK: Reading

  final func toOneObject(_ place: Int) -> NSManagedObject? {
    guard !toOnes.isEmpty else { return nil }
    if let object = toOnes[place].object { return object }
    guard let id = toOnes[place].id, let context else { return nil }
    let object = context.objectOrFault(id)
    toOnes[place].object = object
    return object
  }

  /// The target's present identity.
  final func toOneID(_ place: Int) -> NSManagedObjectID? {
    if let object = toOnes[place].object { return object.identity }
    return toOnes[place].id.map { context?.resolved($0) ?? $0 }
  }

  /// The members as a set, or an ordered set.
  final func toManyValue(_ place: Int) -> NSObject {
    guard !toManys.isEmpty else { return layout.toManys[place].isOrdered ? NSOrderedSet() : NSSet() }
    load(place)
    return toManys[place].set()
  }

  final func committedMembers(_ place: Int) -> NSObject {
    load(place)
    return toManys[place].committed
  }

  /// Reads the members of a relationship from the store, unless they are known.
  final func load(_ place: Int) {
    guard toManys[place].isFault, let context else { return }
    var stored: [NSManagedObjectID] = []
    // Members that can't be read are left out for now; the object can't be saved before it is refreshed.
    do { stored = try context.reader.relatedIDs(of: identity, layout.toManys[place]) } catch { readError = error }
    // An object that the context has deleted is no longer a member, nor is an object that now refers to another owner.
    let inverse = layout.toManys[place].inverseRelationship
    let members = stored.map { context.objectOrFault($0) }.filter { member in
      guard let inverse, !inverse.isToMany, member.isFilled,
        case .toOne(let place)? = member.layout.property(inverse.name)
      else { return member.stage != .deleted }
      return member.stage != .deleted && member.toOneID(place) == identity
    }
    if context.parent == nil { members.joinMemberRows() }
    toManys[place].load(members)
  }

  final func isRelationshipFault(_ key: String) -> Bool {
    guard isFilled else { return true }
    return switch layout.property(key) {
    case .toMany(let place): toManys[place].isFault
    case .toOne(let place): toOnes[place].id != nil && toOneObject(place)?.isFault ?? false
    default: false
    }
  }

  final func relatedIDs(_ key: String) -> [NSManagedObjectID] {
    fire()
    switch layout.property(key) {
    case .toOne(let place): return toOneID(place).map { [$0] } ?? []
    case .toMany(let place):
      load(place)
      return toManys[place].list.map(\.identity)
    default: raiseException("objectIDsForRelationshipNamed: '\(key)' is not a relationship of \(entity.name ?? "")")
    }
  }

  // MARK: Changing both sides

  final func setToOne(_ place: Int, to object: NSManagedObject?) {
    let relationship = layout.toOnes[place]
    willChangeValue(forKey: relationship.name)
    let before = toOneObject(place)
    if before !== object {
      toOnes[place] = ToOne(id: object?.identity, object: object)
      if let inverse = relationship.inverseRelationship {
        before?.inverseChanged(inverse, from: self, isMember: false)
        object?.inverseChanged(inverse, from: self, isMember: true)
      }
    }
    didChangeValue(forKey: relationship.name)
  }

  final func setToMany(_ place: Int, to objects: [NSManagedObject]) {
    let relationship = layout.toManys[place]
    willChangeValue(forKey: relationship.name)
    replaceMembers(place, by: objects) { object, isMember in
      if let inverse = relationship.inverseRelationship {
        object.inverseChanged(inverse, from: self, isMember: isMember)
      }
    }
    didChangeValue(forKey: relationship.name)
  }

  /// `changed`: called for each object that became a member or is no longer one.
  final func replaceMembers(
    _ place: Int, by objects: [NSManagedObject], _ changed: (NSManagedObject, Bool) -> Void
  ) {
    load(place)
    let wanted = Set(objects)
    for object in toManys[place].list where !wanted.contains(object) {
      if toManys[place].remove(object) { changed(object, false) }
    }
    for object in objects where toManys[place].insert(object) { changed(object, true) }
    arrange(place, by: objects)
  }

  /// Changes the order of the members of an ordered relationship. Members that are not in `wanted` stay behind the one
  /// that they follow.
  final func arrange(_ place: Int, by wanted: [NSManagedObject]) {
    guard toManys[place].order != nil else { return }
    load(place)
    let list = Arrangement.merged(toManys[place].list, by: wanted)
    if !list.elementsEqual(toManys[place].list, by: ===) { toManys[place].arrange(list) }
  }

  final func toManyPlace(_ key: String) -> Int {
    guard case .toMany(let place)? = layout.property(key) else {
      raiseException("'\(key)' is not a relationship of \(entity.name ?? "") to many objects")
    }
    fire()
    return place
  }

  /// Adds an object to a to-many relationship, or removes it, and updates the inverse. `position`: the index of a new
  /// member of an ordered relationship; nil for the end.
  final func setMember(_ object: NSManagedObject, of key: String, _ isMember: Bool, at position: Int? = nil) {
    let place = toManyPlace(key)
    RelationshipValues(owner: self, key: key).check(object)
    willChangeValue(forKey: key)
    let hasChanged = isMember ? toManys[place].insert(object, at: position) : toManys[place].remove(object)
    if hasChanged, let inverse = layout.toManys[place].inverseRelationship {
      object.inverseChanged(inverse, from: self, isMember: isMember)
    }
    didChangeValue(forKey: key)
  }

  /// Applies a change of the other side of a relationship: `source` began or ceased to refer to this object.
  final func inverseChanged(_ relationship: NSRelationshipDescription, from source: NSManagedObject, isMember: Bool) {
    guard stage != .gone else { return }
    willChangeValue(forKey: relationship.name)
    switch layout.property(relationship.name) {
    case .toOne(let place):
      if isMember {
        let displaced = toOneObject(place)
        toOnes[place] = ToOne(id: source.identity, object: source)
        if let displaced, displaced !== source, let inverse = relationship.inverseRelationship {
          displaced.inverseChanged(inverse, from: self, isMember: false)
        }
      } else if toOneID(place) == source.identity {
        toOnes[place] = ToOne()
      }
    case .toMany(let place):
      _ = isMember ? toManys[place].insert(source) : toManys[place].remove(source)
    default: break
    }
    didChangeValue(forKey: relationship.name)
  }

  /// The targets of a relationship of any kind.
  final func relatedObjects(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    switch layout.property(relationship.name) {
    case .toOne(let place): return toOneObject(place).map { [$0] } ?? []
    case .toMany(let place):
      load(place)
      return toManys[place].list
    default: return []
    }
  }
}
