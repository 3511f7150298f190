import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform

extension NSManagedObjectModel {
  /// Reads a model; nil if there is none. stderr tells what is wrong with it.
  ///
  /// - Difference: there are no compiled models. The URL is that of a folder `.xcdatamodeld` or `.xcdatamodel` as Xcode
  ///   writes it, or of a folder `.momd` that stands for a model of that name which is compiled into the program, whether
  ///   there is such a folder or not.
  public convenience init?(contentsOf url: URL) {
    guard url.isFileURL, let source = ManagedModels.source(at: url) else { return nil }
    self.init(source.model, module: source.module)
  }

  /// - Parameters:
  ///   - model: A model that was checked.
  ///   - module: The module of the classes that the model names without one; nil if that is not known.
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
