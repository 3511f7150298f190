import Foundation
import Synchronization

/// The entities of an app, and their relationships.
///
/// It can be changed until a coordinator uses it. After that a change stops the process; Apple's framework raises an
/// exception.
///
/// - Difference: on Linux models are not archived, and not enumerated: `NSCoding` and `NSFastEnumeration` are missing.
// Sendable: see ModelPart.
open class NSManagedObjectModel: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  private final let frozen = Atomic<Bool>(false)
  private final var members: [NSEntityDescription] = []
  private final var known: [String: NSEntityDescription]?
  private final var namedConfigurations: [(name: String, entities: [NSEntityDescription])] = []
  /// See ``fetchRequestTemplatesByName``.
  final var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]

  /// The name of the configuration that has all entities.
  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  /// Creates a model without entities.
  public override init() { super.init() }

  final var isFrozen: Bool { frozen.load(ordering: .acquiring) }

  // MARK: Entities

  /// All entities, including subentities.
  open var entities: [NSEntityDescription] {
    get { members }
    set {
      willChange()
      for entity in members { entity.model = nil }
      members = newValue
      for entity in members { entity.model = self }
    }
  }

  /// All entities.
  open var entitiesByName: [String: NSEntityDescription] {
    if let known { return known }
    return Dictionary(members.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  // MARK: Configurations

  /// The names of all configurations.
  ///
  /// - Assumption: the configuration with all entities, `PF_DEFAULT_CONFIGURATION_NAME`, is among them.
  open var configurations: [String] { [Self.defaultConfiguration] + namedConfigurations.map(\.name) }

  /// The entities of a configuration; nil if there is no configuration of that name. The name nil stands for all
  /// entities.
  @discardableResult
  open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != Self.defaultConfiguration else { return members }
    return namedConfigurations.first { $0.name == configuration }?.entities
  }

  /// The entities of a store with a configuration; nil if there is no configuration of that name.
  ///
  /// - Assumption: a store with an entity contains the objects of its subentities, although the configuration does not
  ///   name them. Apple's framework stores them in one table.
  final func storedEntities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    entities(forConfigurationName: configuration).map { named in
      members.filter { entity in named.contains { entity.isKindOf(entity: $0) } }
    }
  }

  /// Sets the entities of a configuration. Creates the configuration if there is none of that name.
  open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
    willChange()
    namedConfigurations.removeAll { $0.name == configuration }
    namedConfigurations.append((configuration, entities))
  }

  // MARK: Versions

  /// The version hashes of all entities, by entity name. A store saves those of its model.
  open var entityVersionHashesByName: [String: Data] { entitiesByName.mapValues(\.versionHash) }

  /// A text that differs from that of any other version of the model.
  ///
  /// - Difference: it is not Apple's.
  open var versionChecksum: String {
    let texts = entities.map(\.versionText).sorted()
    return VersionHash.data(texts.joined()).base64EncodedString()
  }

  /// Whether a store with these metadata has exactly the entities of a configuration, in the same versions.
  @discardableResult
  open func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let entities = storedEntities(forConfigurationName: configuration),
      let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    else { return false }
    return hashes == Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }) { first, _ in first }
  }

  // MARK: Fetch requests

  /// The model's fetch requests, by name.
  ///
  /// - Difference: those of a model in use are copies: changing one changes nothing in the model. Apple's raises an
  ///   exception.
  open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates.mapValues(handedOut)
  }

  /// The fetch request of a name, with the variables in its predicate; nil if there is none.
  @discardableResult
  open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    templates[name].map(handedOut)
  }

  /// Sets the fetch request of a name; nil removes it. The model must not be in use.
  open func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    willChange()
    templates[name] = fetchRequestTemplate
  }

  /// A copy of the fetch request of a name, with values substituted for the variables in its predicate; nil if there is
  /// none of that name. Variables without a value remain.
  @discardableResult
  open func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    templates[name].map { $0.substituting(variables) }
  }

  // MARK: Models of the program

  /// Merges all models of the program, in their current versions.
  ///
  /// - Difference: a model that is compiled into the program is in no bundle. All of those are merged, with any
  ///   bundles, besides the models in the bundles' folders.
  @discardableResult
  open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = ManagedModels.all(in: bundles, versions: .current)
    return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
  }

  /// The model, of any version, of a store with these metadata; nil if there is none.
  @discardableResult
  open class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    NSManagedObjectModel(byMerging: ManagedModels.all(in: bundles, versions: .all), forStoreMetadata: metadata)
  }

  // MARK: Texts

  /// Texts that the developer gave the model. They have no effect.
  open var versionIdentifiers: Set<AnyHashable> = [] { willSet { willChange() } }

  /// Names of entities and properties, and texts of errors, in the user's language, by Apple's keys.
  ///
  /// - Difference: it is not filled from files of strings beside the model.
  open var localizationDictionary: [String: String]? { willSet { willChange() } }

  // MARK: Equality

  /// Whether both have equal entities, the same configurations, and equal templates.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    if self === other { return true }
    return DescriptionEquality.areEqual(members, other.members) && configurationNames == other.configurationNames
      && versionIdentifiers == other.versionIdentifiers && templates.count == other.templates.count
      && templates.allSatisfy { DescriptionEquality.areEqual($0.value, other.templates[$0.key]) }
  }

  /// A hash value that is equal for equal models.
  open override var hash: Int { Set(members.map(\.name)).hashValue }

  private var configurationNames: [String: Set<String?>] {
    Dictionary(namedConfigurations.map { ($0.name, Set($0.entities.map(\.name))) }) { first, _ in first }
  }

  // MARK: Use

  /// Makes the model immutable. Threads may call it concurrently.
  final func freeze() {
    Self.freezing.withLock { _ in
      guard !isFrozen else { return }
      for entity in members { entity.freeze() }
      known = entitiesByName
      frozen.store(true, ordering: .releasing)
    }
  }

  private static let freezing = Mutex(())

  /// A readable text.
  open override var description: String {
    "(<NSManagedObjectModel>) isEditable \(isFrozen ? 0 : 1), entities \(members.compactMap(\.name).sorted())"
  }

  /// Returns a mutable copy, with copies of everything in it.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    copy.entities = Self.copies(of: members)
    let byName = copy.entitiesByName
    copy.namedConfigurations = namedConfigurations.map { configuration in
      (configuration.name, configuration.entities.compactMap { byName[$0.name ?? ""] })
    }
    copy.versionIdentifiers = versionIdentifiers
    copy.localizationDictionary = localizationDictionary
    copy.templates = templates.mapValues { $0.duplicate(for: byName[$0.entityName ?? ""]) }
    return copy
  }
}

/// A model or a part of one. It can be changed until a coordinator uses the model.
///
/// That is why these classes may be sent between threads: before that they belong to their creator, as Apple's do;
/// afterwards they do not change.
protocol ModelPart: AnyObject {
  var isFrozen: Bool { get }
}

extension ModelPart {
  /// Call it before each change. Stops the process if the model is in use.
  func willChange() {
    if isFrozen { raiseException("Can't modify an immutable model.", name: "NSInternalInconsistencyException") }
  }
}
