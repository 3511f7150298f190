import Foundation
import LocalCloudObjectStore

/// Resolves conflicts of unique values by the rules for conflicts between versions of one object: one object stays, as
/// the first version, and the others count as later changes of it.
///
/// - Assumption: the stored object stays, with its identity. If only objects of the context are in conflict, the first
///   one that is stored stays, or the first one if none is stored.
/// - Assumption: an object that counts as a change of another one was not deleted by the program. Its delete rules deny
///   nothing and reach no stored object; only new objects are deleted with it, by the cascade rule.
struct ConstraintResolver {
  private let policy: NSMergePolicyType
  private var context: NSManagedObjectContext?
  /// The replacements of removed objects; nil for removed objects without a replacement.
  private var successors: [NSManagedObject: NSManagedObject?] = [:]

  static func run(_ conflicts: [NSConstraintConflict], _ policy: NSMergePolicyType) {
    var resolver = ConstraintResolver(policy)
    for conflict in conflicts { ConflictingVersions(conflict).map { resolver.resolve($0) } }
    resolver.redirectReferences()
  }

  private init(_ policy: NSMergePolicyType) { self.policy = policy }

  private mutating func resolve(_ versions: ConflictingVersions) {
    context = versions.kept.context
    for change in versions.changes {
      switch policy {
      case .errorMergePolicyType: break
      case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
        // All properties of a new object are changes, so both policies have the same effect.
        versions.moveValues(of: change)
        join(change, versions)
      case .mergeByPropertyStoreTrumpMergePolicyType:
        if change.stage == .inserted { join(change, versions) } else { versions.restore(change) }
      case .rollbackMergePolicyType:
        if change.stage == .inserted {
          drop(change, successor: nil)
        } else {
          context?.refreshObject(change, mergeChanges: false)
        }
      }
    }
  }

  /// To-many relationships are not part of a version: the members that a change added stay with every policy that does
  /// not discard the change.
  private mutating func join(_ change: NSManagedObject, _ versions: ConflictingVersions) {
    versions.moveMembers(of: change)
    drop(change, successor: versions.kept)
    // A child context's object then becomes the remaining one.
    if change.identity.isTemporaryID { context?.notifyChildrenOfRename(change.identity, versions.kept.identity) }
  }

  /// Removes an object from the context, with the new objects that its cascade rules delete.
  private mutating func drop(_ object: NSManagedObject, successor: NSManagedObject?) {
    var going = [object]
    var known: Set = [object]
    var index = 0
    while index < going.count {
      for relationship in going[index].layout.toOnes + going[index].layout.toManys
      where relationship.deleteRule == .cascadeDeleteRule {
        for member in going[index].relatedObjects(relationship) where member.stage == .inserted {
          if known.insert(member).inserted { going.append(member) }
        }
      }
      index += 1
    }
    for object in going { removeFromRelationships(object) }
    for object in going {
      successors[object] = .some(nil)
      context?.deleteObject(object)
    }
    successors[object] = successor
  }

  /// Applies no delete rules.
  private func removeFromRelationships(_ object: NSManagedObject) {
    object.fire()
    for index in object.layout.toOnes.indices { object.setToOne(index, to: nil) }
    for index in object.layout.toManys.indices { object.setToMany(index, to: []) }
  }

  /// Changes references without an inverse, in the context's changed objects, from removed objects to their
  /// replacements.
  private func redirectReferences() {
    guard let context, !successors.isEmpty else { return }
    for source in context.changes.inserted.union(context.changes.updated) {
      for (index, relationship) in source.layout.toOnes.enumerated() where relationship.inverseRelationship == nil {
        guard let target = source.toOnes[index].object, let successor = successors[target] else { continue }
        source.setToOne(index, to: successor)
      }
      for (index, relationship) in source.layout.toManys.enumerated() where relationship.inverseRelationship == nil {
        for target in source.toManys[index].newcomers {
          guard let successor = successors[target] else { continue }
          source.setMember(target, of: relationship.name, false)
          if let successor { source.setMember(successor, of: relationship.name, true) }
        }
      }
    }
  }
}

/// A conflict of unique values, treated as one between versions of an object.
private struct ConflictingVersions {
  /// The names of the constraint's properties.
  let constraint: [String]
  let kept: NSManagedObject
  /// The other objects, in the order of the conflict.
  let changes: [NSManagedObject]

  /// Nil if the conflict was resolved in another way.
  init?(_ conflict: NSConstraintConflict) {
    let values = conflict.constraintValues
    let objects = conflict.conflictingObjects.filter { Self.has($0, values) }
    let stored = conflict.databaseObject.flatMap { Self.has($0, values) ? $0 : nil }
    guard let kept = stored ?? objects.first(where: { $0.stage == .present }) ?? objects.first else { return nil }
    constraint = conflict.constraint
    self.kept = kept
    changes = objects.filter { $0 !== kept }
    if changes.isEmpty { return nil }
  }

  /// Whether the object exists, and has these values.
  private static func has(_ object: NSManagedObject, _ values: [String: Any]) -> Bool {
    guard object.context != nil, object.stage.isLive else { return false }
    object.fire()
    return values.allSatisfy { name, value in
      switch object.layout.property(name) {
      case .attribute(let index), .transformable(let index):
        ObjectDifferences(object: object)
          .isSame(StoredValue(value, of: object.layout.attributes[index]), object.attributes[index])
      case .toOne(let index): object.toOneID(index) == value as? NSManagedObjectID
      default: false
      }
    }
  }

  /// Moves the values of the attributes and of the to-one relationships that both entities have from a change to the
  /// object that stays: one of the entities may inherit from the other.
  func moveValues(of change: NSManagedObject) {
    change.fire()
    kept.fire()
    for (index, attribute) in change.layout.attributes.enumerated() {
      guard let own = kept.layout.attributeIndex(attribute.name) else { continue }
      set(own, of: kept, to: change.attributes[index])
    }
    for (index, relationship) in change.layout.toOnes.enumerated() {
      guard case .toOne(let own) = kept.layout.property(relationship.name) else { continue }
      let target = change.toOneObject(index)
      change.setToOne(index, to: nil)
      kept.setToOne(own, to: target === change ? kept : target)
    }
  }

  /// Moves the members of the to-many relationships that both entities have from a change to the object that stays.
  func moveMembers(of change: NSManagedObject) {
    change.fire()
    for relationship in change.layout.toManys {
      guard case .toMany = kept.layout.property(relationship.name) else { continue }
      for member in change.relatedObjects(relationship) where member.stage.isLive {
        change.setMember(member, of: relationship.name, false)
        // Of members that are versions, the object that stays remains.
        kept.setMember(changes.contains(member) ? kept : member, of: relationship.name, true)
      }
    }
  }

  /// Restores a change's stored values of the constraint's properties.
  func restore(_ change: NSManagedObject) {
    for name in constraint {
      if let index = change.layout.attributeIndex(name) {
        set(index, of: change, to: change.committed?.attributes[index] ?? .null)
      } else if case .toOne(let index) = change.layout.property(name) {
        change.setToOne(index, to: change.committedToOne(index).flatMap { change.context?.objectOrFault($0) })
      }
    }
  }

  private func set(_ index: Int, of object: NSManagedObject, to value: StoredValue) {
    let name = object.layout.attributes[index].name
    guard object.attributes[index] != value else { return }
    object.willChangeValue(forKey: name)
    object.attributes[index] = value
    object.objects[name] = nil
    object.didChangeValue(forKey: name)
  }
}

extension EntityLayout {
  /// The index of a stored attribute.
  fileprivate func attributeIndex(_ name: String) -> Int? {
    switch property(name) {
    case .attribute(let index), .transformable(let index): index
    default: nil
    }
  }
}
