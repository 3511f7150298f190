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
        change.moveValues(to: versions.kept)
        join(change, versions)
      case .mergeByPropertyStoreTrumpMergePolicyType:
        if change.stage == .inserted { join(change, versions) } else { change.restoreCommitted(versions.constraint) }
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
    change.moveMembers(to: versions.kept, versions)
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
    for object in going { object.leaveRelationships() }
    for object in going {
      successors[object] = .some(nil)
      context?.deleteObject(object)
    }
    successors[object] = successor
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
    let objects = conflict.conflictingObjects.filter { $0.has(values) }
    let stored = conflict.databaseObject.flatMap { $0.has(values) ? $0 : nil }
    guard let kept = stored ?? objects.first(where: { $0.stage == .present }) ?? objects.first else { return nil }
    constraint = conflict.constraint
    self.kept = kept
    changes = objects.filter { $0 !== kept }
    if changes.isEmpty { return nil }
  }

  /// The object that remains of `object` when all versions are merged.
  func unified(_ object: NSManagedObject) -> NSManagedObject { changes.contains(object) ? kept : object }
}

extension NSManagedObject {
  /// Whether the object exists, and has these values.
  fileprivate final func has(_ values: [String: Any]) -> Bool {
    guard context != nil, stage.isLive else { return false }
    fire()
    return values.allSatisfy { name, value in
      switch layout.property(name) {
      case .attribute(let index), .transformable(let index):
        isSame(StoredValue(value, of: layout.attributes[index]), attributes[index])
      case .toOne(let index): toOneID(index) == value as? NSManagedObjectID
      default: false
      }
    }
  }

  /// Moves the values of the attributes and of the to-one relationships that both entities have to another object: one
  /// of the entities may inherit from the other.
  fileprivate final func moveValues(to kept: NSManagedObject) {
    fire()
    kept.fire()
    for (index, attribute) in layout.attributes.enumerated() {
      guard let own = kept.layout.attributeIndex(attribute.name) else { continue }
      kept.setStored(own, to: attributes[index])
    }
    for (index, relationship) in layout.toOnes.enumerated() {
      guard case .toOne(let own) = kept.layout.property(relationship.name) else { continue }
      let target = toOneObject(index)
      setToOne(index, to: nil)
      kept.setToOne(own, to: target === self ? kept : target)
    }
  }

  /// Moves the members of the to-many relationships that both entities have to another object.
  fileprivate final func moveMembers(to kept: NSManagedObject, _ versions: ConflictingVersions) {
    fire()
    for relationship in layout.toManys {
      guard case .toMany = kept.layout.property(relationship.name) else { continue }
      for member in relatedObjects(relationship) where member.stage.isLive {
        setMember(member, of: relationship.name, false)
        kept.setMember(versions.unified(member), of: relationship.name, true)
      }
    }
  }

  /// Removes the object from all its relationships, without applying delete rules.
  fileprivate final func leaveRelationships() {
    fire()
    for (index, _) in layout.toOnes.enumerated() { setToOne(index, to: nil) }
    for (index, _) in layout.toManys.enumerated() { setToMany(index, to: []) }
  }

  /// Restores the stored values of properties.
  fileprivate final func restoreCommitted(_ names: [String]) {
    for name in names {
      if let index = layout.attributeIndex(name) {
        setStored(index, to: committed?.attributes[index] ?? .null)
      } else if case .toOne(let index) = layout.property(name) {
        setToOne(index, to: committedToOne(index).flatMap { context?.objectOrFault($0) })
      }
    }
  }

  private final func setStored(_ index: Int, to value: StoredValue) {
    let name = layout.attributes[index].name
    guard attributes[index] != value else { return }
    willChangeValue(forKey: name)
    attributes[index] = value
    objects[name] = nil
    didChangeValue(forKey: name)
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
