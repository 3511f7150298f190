import CoreData
import FaultInjection
import Foundation
import TestSupport

/// A model in two versions, and a mapping model between them.
///
/// Version 2 has an area in place of a bed's size, and kinds of plants as entities in place of texts.
enum GardenMapping {
  static let name = "Gardens 1 to 2"

  /// Makes model and mapping model known, as generated code does when a program is loaded.
  static let registration: Void = {
    _registerManagedObjectModel(
      "Gardens", current: "Gardens 2",
      versions: [("Gardens", ModelTexts.text(first)), ("Gardens 2", ModelTexts.text(second))],
      module: "Gardens")
    _registerMappingModel(name, contents: file.text)
    _registerManagedObjectClass("GardenKinds") { KindPolicy.self }
  }()

  private static func relationship(_ name: String, _ destination: String, _ inverse: String, _ toMany: String = "NO")
    -> String
  {
    """
    <relationship name='\(name)' optional='YES' toMany='\(toMany)' destinationEntity='\(destination)' \
    inverseName='\(inverse)' inverseEntity='\(destination)' deletionRule='Nullify'/>
    """
  }

  private static let first = """
    <entity name='GardenBed'>
      <attribute name='title' attributeType='String'/>
      <attribute name='size' optional='YES' attributeType='Integer 16'/>
      \(relationship("plants", "GardenPlant", "bed", "YES"))
    </entity>
    <entity name='GardenPlant'>
      <attribute name='name' optional='YES' attributeType='String'/>
      <attribute name='kind' optional='YES' attributeType='String'/>
      <attribute name='price' optional='YES' attributeType='Decimal'/>
      \(relationship("bed", "GardenBed", "plants"))
    </entity>
    """

  private static let second = """
    <entity name='GardenBed' representedClassName='NoSuchClass'>
      <attribute name='title' attributeType='String'/>
      <attribute name='area' optional='YES' attributeType='Double'/>
      <attribute name='label' optional='YES' attributeType='String' defaultValueString='none'/>
      <attribute name='checked' optional='YES' attributeType='Date'/>
      \(relationship("plants", "GardenPlant", "bed", "YES"))
    </entity>
    <entity name='GardenPlant'>
      <attribute name='name' optional='YES' attributeType='String'/>
      <attribute name='price' optional='YES' attributeType='Decimal'/>
      \(relationship("bed", "GardenBed", "plants"))
      \(relationship("kind", "GardenKind", "plants"))
    </entity>
    <entity name='GardenKind'>
      <attribute name='name' attributeType='String'/>
      \(relationship("plants", "GardenPlant", "kind", "YES"))
    </entity>
    """

  static let file: MappingFile = {
    var file = MappingFile(
      from: "Old/Gardens.xcdatamodeld/Gardens.xcdatamodel", to: "Old/Gardens.xcdatamodeld/Gardens 2.xcdatamodel")
    file.map(
      "GardenPlant", to: "GardenKind", number: 3, attributes: [("name", .source("kind"))],
      relationships: [
        (
          "plants",
          .method(
            .variable("manager"), "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [.constant(.text("GardenPlantToGardenPlant")), .variable("source")])
        )
      ], more: MappingFile.archive(.dictionary(["empty": "unknown"]), "userinfodata"))
    file.map(
      "GardenBed", to: "GardenBed", number: 1,
      attributes: [
        ("title", nil), ("area", .function("multiply:by:", .source("size"), .constant(.number(2)))), ("label", nil),
        ("checked", .constant(.date(1000))),
      ], relationships: [("plants", nil)])
    file.map(
      "GardenPlant", to: "GardenPlant", number: 2, attributes: [("name", nil), ("price", nil)],
      relationships: [("bed", nil), ("kind", nil)])
    return file
  }()

  static func url() -> URL? {
    registration
    return Bundle.main.url(forResource: name, withExtension: "cdm")
  }

  static func model(_ version: String) -> NSManagedObjectModel {
    registration
    return NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/Gardens.momd/\(version).mom"))
      ?? NSManagedObjectModel()
  }
}

/// Makes one kind for all plants of a kind, and keeps it in the manager.
final class KindPolicy: NSEntityMigrationPolicy {
  static let stepsKey = "steps"

  struct Refused: Error, Equatable {
    var step: String
  }

  private func step(_ name: String, _ manager: NSMigrationManager) throws {
    manager.userInfo = manager.userInfo ?? [:]
    manager.userInfo?[Self.stepsKey] = (manager.userInfo?[Self.stepsKey] as? [String] ?? []) + [name]
    if manager.userInfo?["refused"] as? String == name { throw Refused(step: name) }
  }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try step("begin", manager)
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try step("create", manager)
    let name = sInstance.value(forKey: "kind") as? String ?? mapping.userInfo?["empty"] as? String ?? ""
    if let known = manager.userInfo?["kind " + name] as? NSManagedObject {
      return manager.associate(sourceInstance: sInstance, withDestinationInstance: known, for: mapping)
    }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
    made?.setValue(name, forKey: "name")
    manager.userInfo?["kind " + name] = made
  }

  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try step("created", manager)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try step("connect", manager)
    let sources = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    let plants = manager.destinationInstances(
      forEntityMappingName: "GardenPlantToGardenPlant", sourceInstances: sources)
    dInstance.setValue(Set(plants), forKey: "plants")
  }

  override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try step("connected", manager)
  }

  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try step("validate", manager)
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { try step("end", manager) }
}
