import Foundation
import ObjectStore

/// Settles a conflict between objects with the same unique values, as a policy has it: one object stays, and takes over
/// what leads to the others.
///
/// - Assumption: where a new object meets a stored one, the stored one stays, with its identity, unless the policy is to
///   overwrite. Where several new ones meet, the last one stays; with the policy to roll back, the first.
/// - Assumption: what is in the relationships to many objects of those that go is added to those of the one that stays.
/// - Assumption: a stored object whose change meets another stored one loses the change of the unique values where the
///   store's values count, and is deleted where its own do.
struct ConstraintSettlement {
  private let conflict: NSConstraintConflict
  private let context: NSManagedObjectContext
  private let stored: NSManagedObject?
  /// The objects of the context, as they came to their values.
  private let contenders: [NSManagedObject]

  /// Nil if something else has settled the conflict.
  init?(_ conflict: NSConstraintConflict) {
    self.conflict = conflict
    let values = conflict.constraintValues
    stored = conflict.databaseObject.flatMap { $0.has(values) ? $0 : nil }
    contenders = conflict.conflictingObjects.filter { $0.has(values) }
    guard contenders.count + (stored == nil ? 0 : 1) > 1, let context = contenders.first?.context else { return nil }
    self.context = context
  }

  func run(_ policy: NSMergePolicyType) {
    guard let last = contenders.last(where: { $0.stage == .inserted }) ?? contenders.last else { return }
    let old = stored ?? contenders.first { $0.stage == .present }
    switch policy {
    case .errorMergePolicyType: return
    case .rollbackMergePolicyType:
      for object in stored == nil ? contenders.dropFirst() : contenders[...] { giveUp(object) }
    case .mergeByPropertyStoreTrumpMergePolicyType:
      let kept = old ?? last
      for object in contenders where object !== kept {
        if object.stage == .inserted { replace(object, by: kept) } else { restoreValues(of: object) }
      }
    case .mergeByPropertyObjectTrumpMergePolicyType:
      let kept = old ?? last
      if kept !== last { copyValues(of: last, to: kept) }
      for object in contenders where object !== kept { replace(object, by: kept) }
    case .overwriteMergePolicyType:
      for object in contenders + [stored].compactMap(\.self) where object !== last { replace(object, by: last) }
    }
  }

  /// Drops what the context changed of an object.
  private func giveUp(_ object: NSManagedObject) {
    if object.stage == .inserted { context.delete(object) } else { context.refresh(object, mergeChanges: false) }
  }

  /// Gives a stored object the unique values back that it had.
  private func restoreValues(of object: NSManagedObject) {
    for name in conflict.constraint {
      switch object.layout.property(name) {
      case .attribute(let place), .transformable(let place):
        object.change(place, to: object.committed?.attributes[place] ?? .null)
      case .toOne(let place): object.setToOne(place, to: object.committedToOne(place).map { context.object(with: $0) })
      default: break
      }
    }
  }

  // MARK: Two objects become one

  /// Only properties that both entities have: one of them may be below the other one.
  private func copyValues(of source: NSManagedObject, to target: NSManagedObject) {
    source.fire()
    target.fire()
    for (place, attribute) in source.layout.attributes.enumerated() {
      switch target.layout.property(attribute.name) {
      case .attribute(let own), .transformable(let own): target.change(own, to: source.attributes[place])
      default: break
      }
    }
    for (place, relationship) in source.layout.toOnes.enumerated() {
      guard case .toOne(let own) = target.layout.property(relationship.name) else { continue }
      let object = source.toOneObject(place)
      guard object !== target.toOneObject(own) else { continue }
      // The source's deletion must not follow its relationship.
      source.setToOne(place, to: nil)
      target.setToOne(own, to: object === source ? target : object)
    }
  }

  private func replace(_ object: NSManagedObject, by kept: NSManagedObject) {
    object.fire()
    for relationship in object.layout.toManys {
      guard case .toMany = kept.layout.property(relationship.name) else { continue }
      for member in object.relatedObjects(relationship) where member.stage != .deleted {
        object.setMember(member, of: relationship.name, false)
        if member !== kept { kept.setMember(member === object ? kept : member, of: relationship.name, true) }
      }
    }
    redirectReferences(to: object, to: kept)
    context.delete(object)
    // A child's object is then the one that stays.
    if object.identity.isTemporaryID { context.tellChildrenOfRename(object.identity, kept.identity) }
  }

  /// References of the context's changed objects that have no inverse.
  private func redirectReferences(to object: NSManagedObject, to kept: NSManagedObject) {
    for source in context.inserted.union(context.updated) where source !== object {
      for (place, relationship) in source.layout.toOnes.enumerated() where relationship.inverseRelationship == nil {
        if source.toOnes[place].object === object { source.setToOne(place, to: kept) }
      }
      for relationship in source.layout.toManys where relationship.inverseRelationship == nil {
        guard case .toMany(let place) = source.layout.property(relationship.name),
          source.toManys[place].added.contains(object)
        else { continue }
        source.setMember(object, of: relationship.name, false)
        source.setMember(kept, of: relationship.name, true)
      }
    }
  }
}

extension NSManagedObject {
  /// Whether the object is there, and has these values.
  fileprivate final func has(_ values: [String: Any]) -> Bool {
    guard context != nil, stage != .deleted, stage != .gone else { return false }
    fire()
    return values.allSatisfy { name, value in
      switch layout.property(name) {
      case .attribute(let place): attributes[place] == StoredValue(value, of: layout.attributes[place])
      case .transformable(let place):
        attributes[place] == StoredValue(transforming: value, by: layout.attributes[place])
      case .toOne(let place): toOneID(place) == value as? NSManagedObjectID
      default: false
      }
    }
  }

  /// Sets a stored attribute.
  fileprivate final func change(_ place: Int, to value: StoredValue) {
    let name = layout.attributes[place].name
    guard attributes[place] != value else { return }
    willChangeValue(forKey: name)
    attributes[place] = value
    objects[name] = nil
    didChangeValue(forKey: name)
  }
}
