import Foundation
import LocalCloudObjectStore

/// How the objects of one version of a model become those of another one.
///
/// - Difference: mapping models are inferred; there are no files of them. One that a program made or changed describes
///   something, but no migration follows it.
open class NSMappingModel: NSObject {
  /// What a migration follows; nil for a model that a program made or changed.
  final private(set) var versions: Versions?

  final class Versions: Sendable {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    init(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) {
      self.source = source
      self.destination = destination
    }
  }

  /// A mapping model without entity mappings, which no migration follows.
  public override init() { super.init() }

  /// There are no files of mapping models: nil.
  public init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    nil
  }

  /// There are no files of mapping models: nil.
  public init?(contentsOf url: URL?) { nil }

  /// The mapping that follows from the names and renaming identifiers of two versions of a model.
  ///
  /// Throws ``NSInferredMappingModelError``, with `entity`, `property` and `reason`.
  @discardableResult
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let mapping = try InferredMapping(destinationModel, nil).mapping(from: sourceModel.storeSchema(configuration: nil))
    let model = NSMappingModel()
    model.entityMappings = NSEntityMapping.all(of: mapping, sourceModel, destinationModel)
    model.versions = Versions(sourceModel, destinationModel)
    return model
  }

  /// One for each entity that is in the one version or the other.
  open var entityMappings: [NSEntityMapping]! = [] { didSet { versions = nil } }

  /// The entity mappings by their names.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
  }
}

/// What becomes of the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
  /// It was not said.
  case undefinedEntityMappingType = 0
  /// What the program says.
  ///
  /// - Difference: no migration follows it.
  case customEntityMappingType = 1
  /// The entity is new: there are no objects.
  case addEntityMappingType = 2
  /// The entity is gone, with its objects.
  case removeEntityMappingType = 3
  /// The entity is the same: its objects are taken as they are.
  case copyEntityMappingType = 4
  /// The entity was changed: its objects become those of the new one.
  case transformEntityMappingType = 5
}

/// How the objects of one entity become those of another one.
open class NSEntityMapping: NSObject {
  /// The mapping's name, such as `IEM_Copy_Post`.
  open var name: String!

  /// What becomes of the objects.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType

  /// The entity in the old version; nil for one that is new.
  open var sourceEntityName: String?

  /// The version hash of the entity in the old version.
  open var sourceEntityVersionHash: Data?

  /// The entity in the new version; nil for one that is gone.
  open var destinationEntityName: String?

  /// The version hash of the entity in the new version.
  open var destinationEntityVersionHash: Data?

  /// One for each attribute of the entity in the new version.
  open var attributeMappings: [NSPropertyMapping]?

  /// One for each relationship of the entity in the new version.
  open var relationshipMappings: [NSPropertyMapping]?

  /// What the program keeps with it.
  open var userInfo: [AnyHashable: Any]?
}

/// How a property of the destination gets its value.
///
/// - Difference: it has no expression.
open class NSPropertyMapping: NSObject {
  /// The property in the new version.
  open var name: String?

  /// What the program keeps with it.
  open var userInfo: [AnyHashable: Any]?
}

extension NSEntityMapping {
  /// - Assumption: the names are those of reports, such as `IEM_Copy_Post`.
  fileprivate static func all(
    of mapping: StoreMapping, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) -> [NSEntityMapping] {
    var found: [NSEntityMapping] = []
    for (place, entity) in mapping.destination.entities.enumerated() {
      let before = mapping.entities[place].source.map { mapping.source.entities[$0] }
      let result = NSEntityMapping()
      result.destinationEntityName = entity.name
      result.destinationEntityVersionHash = destination.entityVersionHashesByName[entity.name]
      result.sourceEntityName = before?.name
      result.sourceEntityVersionHash = before.flatMap { source.entityVersionHashesByName[$0.name] }
      let isSame = before?.versionHash == entity.versionHash
      result.mappingType =
        before == nil ? .addEntityMappingType : isSame ? .copyEntityMappingType : .transformEntityMappingType
      result.name = (before == nil ? "IEM_Add_" : isSame ? "IEM_Copy_" : "IEM_Transform_") + entity.name
      result.attributeMappings = entity.attributes.map { NSPropertyMapping(named: $0.name) }
      result.relationshipMappings = entity.relationships.map {
        NSPropertyMapping(named: mapping.destination.relationships[$0].name)
      }
      found.append(result)
    }
    for (place, entity) in mapping.source.entities.enumerated() where mapping.targets[place] == nil {
      let result = NSEntityMapping()
      result.name = "IEM_Remove_" + entity.name
      result.mappingType = .removeEntityMappingType
      result.sourceEntityName = entity.name
      result.sourceEntityVersionHash = source.entityVersionHashesByName[entity.name]
      found.append(result)
    }
    return found
  }
}

extension NSPropertyMapping {
  fileprivate convenience init(named name: String) {
    self.init()
    self.name = name
  }
}
