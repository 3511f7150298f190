import Foundation
import LocalCloudObjectStore

/// Resolves conflicts of unique values by the rules for conflicts between versions of one object: one object stays, as
/// the first version, and the others count as later changes of it.
///
/// - Assumption: the stored object stays, with its identity. If only objects of the context are in conflict, the first
///   one that is stored stays, or the first one if none is stored.
/// - Assumption: an object that counts as a change of another one was not deleted by the program. Its delete rules deny
///   nothing and reach no stored object; only new objects are deleted with it, by the cascade rule.
struct ConstraintSettlement {
  private let policy: NSMergePolicyType
  private var context: NSManagedObjectContext?
  /// The replacements of removed objects; nil for removed objects without a replacement.
  private var successors: [NSManagedObject: NSManagedObject?] = [:]

  static func run(_ conflicts: [NSConstraintConflict], _ policy: NSMergePolicyType) {
    var settlement = ConstraintSettlement(policy)
    for conflict in conflicts { ConflictingVersions(conflict).map { settlement.settle($0) } }
    settlement.redirectReferences()
  }

  private init(_ policy: NSMergePolicyType) { self.policy = policy }

  private mutating func settle(_ versions: ConflictingVersions) {
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
    if change.identity.isTemporaryID { context?.tellChildrenOfRename(change.identity, versions.kept.identity) }
  }

  /// Removes an object from the context, with the new objects that its cascade rules delete.
  private mutating func drop(_ object: NSManagedObject, successor: NSManagedObject?) {
    var going = [object]
    var known: Set = [object]
    var place = 0
    while place < going.count {
      for relationship in going[place].layout.toOnes + going[place].layout.toManys
      where relationship.deleteRule == .cascadeDeleteRule {
        for member in going[place].relatedObjects(relationship) where member.stage == .inserted {
          if known.insert(member).inserted { going.append(member) }
        }
      }
      place += 1
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
    for source in context.inserted.union(context.updated) {
      for (place, relationship) in source.layout.toOnes.enumerated() where relationship.inverseRelationship == nil {
        guard let target = source.toOnes[place].object, let successor = successors[target] else { continue }
        source.setToOne(place, to: successor)
      }
      for (place, relationship) in source.layout.toManys.enumerated() where relationship.inverseRelationship == nil {
        for target in source.toManys[place].newcomers {
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
      case .attribute(let place), .transformable(let place):
        attributes[place].isSame(as: StoredValue(value, of: layout.attributes[place]))
      case .toOne(let place): toOneID(place) == value as? NSManagedObjectID
      default: false
      }
    }
  }

  /// Moves the values of the attributes and of the to-one relationships that both entities have to another object: one
  /// of the entities may inherit from the other.
  fileprivate final func moveValues(to kept: NSManagedObject) {
    fire()
    kept.fire()
    for (place, attribute) in layout.attributes.enumerated() {
      guard let own = kept.layout.attributePlace(attribute.name) else { continue }
      kept.setStored(own, to: attributes[place])
    }
    for (place, relationship) in layout.toOnes.enumerated() {
      guard case .toOne(let own) = kept.layout.property(relationship.name) else { continue }
      let target = toOneObject(place)
      setToOne(place, to: nil)
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
    for (place, _) in layout.toOnes.enumerated() { setToOne(place, to: nil) }
    for (place, _) in layout.toManys.enumerated() { setToMany(place, to: []) }
  }

  /// Restores the stored values of properties.
  fileprivate final func restoreCommitted(_ names: [String]) {
    for name in names {
      if let place = layout.attributePlace(name) {
        setStored(place, to: committed?.attributes[place] ?? .null)
      } else if case .toOne(let place) = layout.property(name) {
        setToOne(place, to: committedToOne(place).flatMap { context?.objectOrFault($0) })
      }
    }
  }

  private final func setStored(_ place: Int, to value: StoredValue) {
    let name = layout.attributes[place].name
    guard attributes[place] != value else { return }
    willChangeValue(forKey: name)
    attributes[place] = value
    objects[name] = nil
    didChangeValue(forKey: name)
  }
}

extension StoredValue {
  /// Whether the values are equal; bytes in a file are those of the file.
  fileprivate func isSame(as other: StoredValue) -> Bool {
    if case .external(let file) = self, case .binary(let bytes) = other { return file.isOf(bytes) }
    return self == other
  }
}

extension EntityLayout {
  /// The index of a stored attribute.
  fileprivate func attributePlace(_ name: String) -> Int? {
    switch property(name) {
    case .attribute(let place), .transformable(let place): place
    default: nil
    }
  }
}
