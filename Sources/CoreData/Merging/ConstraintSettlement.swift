import Foundation
import LocalCloudObjectStore

/// Settles conflicts of unique values by the rules for conflicts between versions of one object: one object stays, as
/// the version that was there first, and the others are later changes of it.
///
/// - Assumption: the stored object is the one that stays, with its identity, and where the context's objects are in
///   conflict among each other, the first of those that the store has, or else the first one.
/// - Assumption: an object that is taken for a change of another one was not deleted by the program. Its delete rules
///   deny nothing and reach no stored object; only new objects go with it by the rule to cascade.
struct ConstraintSettlement {
  private let policy: NSMergePolicyType
  private var context: NSManagedObjectContext?
  /// What stands for the objects that are gone; nil for those that were given up.
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
        // All properties of a new object are changes, so that both come to the same.
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

  /// Relationships to many are no part of a version: what a change added to them counts for every policy that does not
  /// discard it.
  private mutating func join(_ change: NSManagedObject, _ versions: ConflictingVersions) {
    change.moveMembers(to: versions.kept, versions)
    drop(change, successor: versions.kept)
    // A child's object is then the one that stays.
    if change.identity.isTemporaryID { context?.tellChildrenOfRename(change.identity, versions.kept.identity) }
  }

  /// Takes an object out of the context, with the new ones that go with it.
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

  /// Has references of the context's changed objects that have no inverse lead to what stands for those that are gone.
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

/// A conflict of unique values as one between versions of an object.
private struct ConflictingVersions {
  /// The names of the constraint's properties.
  let constraint: [String]
  let kept: NSManagedObject
  /// The others, as they came to their values.
  let changes: [NSManagedObject]

  /// Nil if something else has settled the conflict.
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

  /// What an object is when all versions are one.
  func unified(_ object: NSManagedObject) -> NSManagedObject { changes.contains(object) ? kept : object }
}

extension NSManagedObject {
  /// Whether the object is there, and has these values.
  fileprivate final func has(_ values: [String: Any]) -> Bool {
    guard context != nil, stage.isLive else { return false }
    fire()
    return values.allSatisfy { name, value in
      switch layout.property(name) {
      case .attribute(let place), .transformable(let place):
        attributes[place] == StoredValue(value, of: layout.attributes[place])
      case .toOne(let place): toOneID(place) == value as? NSManagedObjectID
      default: false
      }
    }
  }

  /// Gives another object the values of the attributes and of the relationships to one object that both entities have:
  /// one of them may be below the other one.
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

  /// Gives another object the members of the relationships to many that both entities have.
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

  /// Ends all relationships, without a delete rule.
  fileprivate final func leaveRelationships() {
    fire()
    for (place, _) in layout.toOnes.enumerated() { setToOne(place, to: nil) }
    for (place, _) in layout.toManys.enumerated() { setToMany(place, to: []) }
  }

  /// Gives properties the values back that the store has.
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

extension EntityLayout {
  /// The place of a stored attribute.
  fileprivate func attributePlace(_ name: String) -> Int? {
    switch property(name) {
    case .attribute(let place), .transformable(let place): place
    default: nil
    }
  }
}
