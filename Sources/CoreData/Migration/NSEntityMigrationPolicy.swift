// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The variable of the migration manager in the expressions of a mapping model.
public let NSMigrationManagerKey = "manager"
/// The variable of the object of the old version.
public let NSMigrationSourceObjectKey = "source"
/// The variable of the object of the new version.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable of the entity mapping.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable of the property mapping.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable of the migration policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// Makes the objects of an entity mapping. A subclass overrides the steps that it changes.
///
/// - Difference: an expression can't call a method that a program adds to a policy or to a migration manager, as
///   `FUNCTION($entityPolicy, "title:", $source.title)` does: methods have no names at run time here. Override
///   ``createDestinationInstances(forSource:in:manager:)``.
///
/// A migration makes one for each entity mapping, and goes through all entity mappings three times: to make objects, to connect
/// them by their relationships, and to check them. Methods are called on the thread that migrates.
open class NSEntityMigrationPolicy: NSObject {
  /// Makes a policy. The migration does it, by the class's name.
  public required override init() { super.init() }

  /// Called before the first object of a mapping is made. Does nothing.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the objects that an object of the old version becomes: one, with the values of the attribute mappings'
  /// expressions, and associates it with its source. None if the mapping has no destination.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let name = mapping.destinationEntityName else { return }
    let object = NSManagedObject(
      entity: try manager.entity(named: name, of: manager.destinationContext, mapping),
      insertInto: manager.destinationContext)
    let evaluator = MappingEvaluator(manager, mapping, self, source: sInstance, destination: object)
    for property in mapping.attributeMappings ?? [] { try evaluator.setAttribute(property) }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
  }

  /// Called when all objects of a mapping were made. Does nothing.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Sets an object's relationships to the values of the relationship mappings' expressions.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let source = manager.sourceInstances(forEntityMappingName: mapping.name ?? "", destinationInstances: [dInstance])
      .first
    let evaluator = MappingEvaluator(manager, mapping, self, source: source, destination: dInstance)
    for property in mapping.relationshipMappings ?? [] { try evaluator.setRelationship(property) }
  }

  /// Called when all objects of a mapping have their relationships. Does nothing.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called for each mapping before the new store is saved, for checks beyond the model's rules. Does nothing.
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called when a mapping is done. Does nothing.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}
