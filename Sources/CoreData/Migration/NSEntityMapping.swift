import Foundation
import LocalCloudFoundationPredicates

/// The kind of an entity mapping.
public enum NSEntityMappingType: UInt, Sendable {
  /// The mapping does not say: the policy makes the objects.
  case undefinedEntityMappingType = 0
  /// A policy of the program makes the objects.
  case customEntityMappingType = 1
  /// The entity is new: there are no objects.
  case addEntityMappingType = 2
  /// The entity is removed, with its objects.
  case removeEntityMappingType = 3
  /// The entity is the same: its objects are taken as they are.
  case copyEntityMappingType = 4
  /// The entity was changed: its objects become those of the new one.
  case transformEntityMappingType = 5
}

/// How the objects of one entity become those of another one.
open class NSEntityMapping: NSObject {
  /// The mapping's name, like `PostToPost`; inferred ones are called `IEM_Copy_Post`.
  open var name: String!

  /// The kind of the mapping.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType

  /// The entity in the old version; nil for one that is new.
  open var sourceEntityName: String?

  /// The version hash of the entity in the old version.
  open var sourceEntityVersionHash: Data?

  /// The entity in the new version; nil for one that is removed.
  open var destinationEntityName: String?

  /// The version hash of the entity in the new version.
  open var destinationEntityVersionHash: Data?

  /// How attributes of the entity in the new version get their values.
  open var attributeMappings: [NSPropertyMapping]?

  /// How relationships of the entity in the new version get their values.
  open var relationshipMappings: [NSPropertyMapping]?

  /// The expression of the source's objects: a fetch, with the migration manager as `$manager`. Without one there are
  /// none.
  open var sourceExpression: _NSExpression?

  /// The name of a subclass of ``NSEntityMigrationPolicy`` that makes the objects: `Module.Class`, or `Class` of a module that
  /// has a model. Nil for ``NSEntityMigrationPolicy`` itself.
  open var entityMigrationPolicyClassName: String?

  /// Values of the program. An inferred mapping has the names of properties as sets under `mappedProperties`,
  /// `addedProperties` and `removedProperties`.
  open var userInfo: [AnyHashable: Any]?

  /// Whether both say the same.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityMapping else { return false }
    if self === other { return true }
    return name == other.name && mappingType == other.mappingType && sourceEntityName == other.sourceEntityName
      && sourceEntityVersionHash == other.sourceEntityVersionHash
      && destinationEntityName == other.destinationEntityName
      && destinationEntityVersionHash == other.destinationEntityVersionHash
      && (attributeMappings ?? []) == (other.attributeMappings ?? [])
      && (relationshipMappings ?? []) == (other.relationshipMappings ?? [])
      && sourceExpression == other.sourceExpression
      && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
      && DescriptionEquality.areEqual(userInfo, other.userInfo)
  }

  /// Equal for equal mappings.
  open override var hash: Int { [name, sourceEntityName, destinationEntityName].hashValue }
}

/// How a property of the destination gets its value.
open class NSPropertyMapping: NSObject {
  /// The property in the new version.
  open var name: String?

  /// The expression of the value, with the object of the old version as `$source` and the migration manager as `$manager`. A
  /// property without one keeps its default.
  open var valueExpression: _NSExpression?

  /// Values of the program.
  open var userInfo: [AnyHashable: Any]?

  /// Whether both say the same.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    if self === other { return true }
    return name == other.name && valueExpression == other.valueExpression
      && DescriptionEquality.areEqual(userInfo, other.userInfo)
  }

  /// Equal for equal mappings.
  open override var hash: Int { name.hashValue }
}
