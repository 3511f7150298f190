import Foundation

extension NSManagedObjectModel {
  /// Merges the entities of several models. Stops the process if two models have different entities of one name.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models else { return nil }
    self.init(merging: models)
  }

  /// Merges the entities that a store was created with; nil if the models don't have them.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
    let fitting = models.filter { model in
      !model.entities.isEmpty && model.entities.allSatisfy { hashes[$0.name ?? ""] == $0.versionHash }
    }
    guard Set(fitting.flatMap { $0.entitiesByName.keys }) == Set(hashes.keys) else { return nil }
    self.init(merging: fitting)
  }

  private convenience init(merging models: [NSManagedObjectModel]) {
    self.init()
    var merged: [String: NSEntityDescription] = [:]
    var configurations: [String: [String]] = [:]
    for model in models {
      for entity in model.entities {
        let name = entity.name ?? ""
        if let other = merged[name], other.versionHash != entity.versionHash {
          raiseException("Can't merge models with two different entities named '\(name)'")
        }
        merged[name] = merged[name] ?? entity
      }
      for name in model.configurations where name != Self.defaultConfiguration {
        configurations[name, default: []] += model.entities(forConfigurationName: name)?.compactMap(\.name) ?? []
      }
      versionIdentifiers.formUnion(model.versionIdentifiers)
      if let new = model.localizationDictionary {
        localizationDictionary = (localizationDictionary ?? [:]).merging(new) { first, _ in first }
      }
      templates.merge(model.templates) { first, _ in first }
    }
    entities = Self.copies(of: merged.values.sorted { $0.name ?? "" < $1.name ?? "" })
    let byName = entitiesByName
    templates = templates.mapValues { $0.duplicate(for: byName[$0.entityName ?? ""]) }
    for (name, members) in configurations.sorted(by: { $0.key < $1.key }) {
      setEntities(Set(members).sorted().compactMap { byName[$0] }, forConfigurationName: name)
    }
  }
}
