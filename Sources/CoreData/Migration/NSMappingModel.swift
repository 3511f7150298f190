import Foundation
import LocalCloudObjectStore

/// How the objects of one version of a model become those of another one.
open class NSMappingModel: NSObject {
  /// A mapping model without entity mappings.
  public override init() { super.init() }

  convenience init(_ entityMappings: [NSEntityMapping]) {
    self.init()
    self.entityMappings = entityMappings
  }

  /// Finds the mapping model with entity mappings that have the version hashes of both models; nil if there is none.
  ///
  /// - Parameters:
  ///   - bundles: Nil for the main bundle.
  ///   - sourceModel: Nil for any model.
  ///   - destinationModel: Nil for any model.
  ///
  /// - Difference: a mapping model that is compiled into the program is in no bundle. All of those are searched, whatever the
  ///   bundles, besides the folders `.xcmappingmodel` in the bundles.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    let mappings = MappingModels.all(in: bundles).lazy.compactMap { ManagedModels.reading($0.mappingModel) }
    guard let found = mappings.first(where: { $0.fits(sourceModel, destinationModel) }) else { return nil }
    self.init(found.entityMappings)
  }

  /// Reads a mapping model; nil if there is none. One that can't be read is reported on stderr.
  ///
  /// - Difference: there are no compiled mapping models. The URL is that of a folder `.xcmappingmodel` as Xcode writes it, or
  ///   of a file `.cdm` that stands for the mapping model of that name: it is compiled into the program, or has a folder
  ///   `.xcmappingmodel` at that path. The versions of the model that the mapping model names by their paths have to be
  ///   compiled into the program, or in folders beside it: the last two names of a path count, and the copies of the models in
  ///   the file are ignored.
  public convenience init?(contentsOf url: URL?) {
    guard let url, url.isFileURL,
      let mapping = MappingModels.source(at: url).flatMap({ ManagedModels.reading($0.mappingModel) })
    else { return nil }
    self.init(mapping.entityMappings)
  }

  /// The mapping that follows from the names and renaming identifiers of two versions of a model.
  ///
  /// Throws ``NSInferredMappingModelError``, with `entity`, `property` and `reason`.
  @discardableResult
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let mapping = try InferredMapping(destinationModel, nil).mapping(from: sourceModel.storeSchema(configuration: nil))
    return NSMappingModel(NSEntityMapping.all(of: mapping, sourceModel, destinationModel))
  }

  /// The entity mappings in the order of the migration.
  open var entityMappings: [NSEntityMapping]! = []

  /// The entity mappings by their names.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// Whether both have equal entity mappings in the same order.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || (entityMappings ?? []) == (other.entityMappings ?? [])
  }

  /// Equal for equal mapping models.
  open override var hash: Int { (entityMappings ?? []).map(\.name).hashValue }
}

extension NSMappingModel {
  /// Whether a model has the source entities, and the other one the destination entities, in the versions of the entity mappings,
  /// of which there is one at least. Nil stands for any model.
  final func fits(_ source: NSManagedObjectModel?, _ destination: NSManagedObjectModel?) -> Bool {
    func fits(_ model: NSManagedObjectModel?, _ name: String?, _ hash: Data?) -> Bool {
      guard let model, let name else { return true }
      return model.entitiesByName[name].map { $0.versionHash == hash } ?? false
    }
    let mappings = entityMappings ?? []
    return !mappings.isEmpty
      && mappings.allSatisfy {
        fits(source, $0.sourceEntityName, $0.sourceEntityVersionHash)
          && fits(destination, $0.destinationEntityName, $0.destinationEntityVersionHash)
      }
  }
}
