import Foundation
import ObjectStore

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

  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
  }
}

/// What becomes of the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
  case undefinedEntityMappingType = 0
  case customEntityMappingType = 1
  case addEntityMappingType = 2
  case removeEntityMappingType = 3
  case copyEntityMappingType = 4
  case transformEntityMappingType = 5
}

/// How the objects of one entity become those of another one.
open class NSEntityMapping: NSObject {
  open var name: String!
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  open var sourceEntityName: String?
  open var sourceEntityVersionHash: Data?
  open var destinationEntityName: String?
  open var destinationEntityVersionHash: Data?
  open var attributeMappings: [NSPropertyMapping]?
  open var relationshipMappings: [NSPropertyMapping]?
  open var userInfo: [AnyHashable: Any]?
}

/// How a property of the destination gets its value.
///
/// - Difference: it has no expression.
open class NSPropertyMapping: NSObject {
  open var name: String?
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
