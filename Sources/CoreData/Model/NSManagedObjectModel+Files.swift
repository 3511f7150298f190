import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform

extension NSManagedObjectModel {
  /// Reads a model; nil if there is none. Problems are reported to stderr.
  ///
  /// - Difference: there are no compiled models. The URL is that of a folder `.xcdatamodeld` or `.xcdatamodel` as Xcode
  ///   writes it, or of a folder `.momd`. The latter stands for a model of that name compiled into the program, even if
  ///   there is no folder of that name.
  public convenience init?(contentsOf url: URL) {
    guard url.isFileURL, let source = ManagedModels.source(at: url) else { return nil }
    self.init(source.model, module: source.module)
  }

  /// - Parameters:
  ///   - model: A checked model.
  ///   - module: The module of classes that the model names without a module; nil if it is not known.
  convenience init(_ model: ManagedModel, module: String?) {
    self.init()
    let builder = ModelBuilder(model, module: module)
    entities = builder.entities
    let byName = entitiesByName
    for configuration in model.configurations {
      setEntities(configuration.entities.compactMap { byName[$0] }, forConfigurationName: configuration.name)
    }
    versionIdentifiers = Set([model.versionIdentifier].compactMap { $0 })
    for request in model.fetchRequests {
      templates[request.name] = ModelBuilder.request(request, byName[request.entity])
    }
  }
}
