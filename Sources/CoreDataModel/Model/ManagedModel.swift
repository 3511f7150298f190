/// One version of a Core Data model, as its file describes it: names are not resolved to objects, texts are not parsed
/// further. A ``ModelReader`` makes values that are consistent; a value made by hand may be anything.
package struct ManagedModel: Sendable, Hashable {
  /// The name of the version's folder without `.xcdatamodel`, for example `Model 2`; empty if the model was read from a
  /// text without a folder.
  package var versionName: String
  /// The identifier that the author gave the version; nil if none.
  package var versionIdentifier: String?
  /// Whether the default configuration is marked for use with CloudKit.
  package var usedWithCloudKit = false
  /// In the file's order. A parent may be before, between or after its children.
  package var entities: [ModelEntity] = []
  /// The configurations with a name. Besides them each model has the default one, with all entities.
  package var configurations: [ModelConfiguration] = []
  package var fetchRequests: [ModelFetchRequest] = []

  package init(versionName: String = "") { self.versionName = versionName }

  /// The entity with a name; takes time that grows with the number of entities.
  package func entity(_ name: String) -> ModelEntity? { entities.first { $0.name == name } }
}

/// A named set of entities. A store may be limited to it.
package struct ModelConfiguration: Sendable, Hashable {
  package var name: String
  package var usedWithCloudKit = false
  /// The names of the members, in the file's order.
  package var entities: [String] = []

  package init(name: String) { self.name = name }
}
