import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import Synchronization

/// The type of a group of objects: their name, class and properties.
///
/// - Difference: on Linux descriptions are not archived, and not enumerated: `NSCoding` and `NSFastEnumeration` are
///   missing.
// Sendable: see ModelPart.
open class NSEntityDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen: Bool { known != nil }
  /// Cached lookups, once the model is in use.
  private final var known: KnownEntity?
  final weak var model: NSManagedObjectModel?
  private final weak var parent: NSEntityDescription?
  final var ownProperties: [NSPropertyDescription] = []
  private final var className = NSEntityDescription.defaultClassName
  private final var identifier: String?
  private final var constraints: [[String]] = []
  final let derivations = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  static let defaultClassName = "NSManagedObject"

  /// Creates an entity without a name and without properties.
  public override init() { super.init() }

  /// The model with the entity. Stops the process if the entity is in no model.
  open var managedObjectModel: NSManagedObjectModel {
    model ?? { raiseException("The entity '\(name ?? "")' belongs to no model.") }()
  }

  /// Whether the entity's model still exists.
  final var hasModel: Bool { model != nil }

  /// The name; it is unique in the model.
  open var name: String? { willSet { willChange() } }

  /// The name of the objects' class, with its module: `Module.Class`. Nil stands for `NSManagedObject`.
  ///
  /// - Difference: a class has only the name with its module. A name without one is looked up among the classes of
  ///   generated code, then in the program's own module; `NSStringFromClass` gives a name that is always found.
  open var managedObjectClassName: String! {
    get { className }
    set {
      willChange()
      className = newValue ?? Self.defaultClassName
    }
  }

  /// Whether only subentities have objects.
  open var isAbstract = false { willSet { willChange() } }

  /// Any values that the program stores with the entity; from a model file, texts. It may be set in a model that is in
  /// use, by one thread at a time.
  open var userInfo: [AnyHashable: Any]? = [:]

  /// A text that changes the entity's version without any other change.
  open var versionHashModifier: String? { willSet { willChange() } }

  /// Identifier that lightweight migration uses to match this entity with one in another model version. Defaults to
  /// `name`.
  open var renamingIdentifier: String? {
    get { identifier ?? name }
    set {
      willChange()
      identifier = newValue
    }
  }

  // MARK: Inheritance

  /// The parent entity. This entity inherits its properties.
  open var superentity: NSEntityDescription? { parent }

  /// The direct subentities. The model must contain them, too.
  open var subentities: [NSEntityDescription] = [] {
    willSet { willChange() }
    didSet {
      for entity in oldValue where entity.parent === self { entity.parent = nil }
      for entity in subentities { entity.parent = self }
    }
  }

  /// The direct subentities by name.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  // MARK: Entities by name

  /// The entity of a name in the context's model; nil if there is none.
  @discardableResult
  open class func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.model.entitiesByName[entityName]
  }

  /// Creates an object of an entity and inserts it. Stops the process for a name that the model does not have.
  @discardableResult
  open class func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: entityName, in: context) else {
      raiseException(
        "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for entity name '\(entityName)'")
    }
    return entity.managedObjectClass.init(entity: entity, insertInto: context)
  }

  // MARK: Relatives

  /// Whether this is the entity, or one of its subentities.
  @discardableResult
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    self === entity || (known?.line.contains(ObjectIdentifier(entity)) ?? line.contains { $0 === entity })
  }

  /// The entity itself, its parent, the parent's parent, and so on.
  final var line: [NSEntityDescription] {
    var line = [self]
    while let next = line[line.count - 1].parent, !line.contains(where: { $0 === next }) { line.append(next) }
    return line
  }

  // MARK: Properties

  /// All properties: the entity's own and the inherited ones. Setting it sets the own properties; inherited ones in the
  /// list are left out.
  ///
  /// - Assumption: of several properties with one name, the last one is used.
  open var properties: [NSPropertyDescription] {
    get { known?.properties ?? line.flatMap(\.ownProperties) }
    set {
      willChange()
      let inherited = Set(line.dropFirst().flatMap(\.ownProperties).map(ObjectIdentifier.init))
      for property in ownProperties { property.join(nil) }
      ownProperties = Self.lastOfEachName(newValue.filter { !inherited.contains(ObjectIdentifier($0)) })
      for property in ownProperties { property.join(self) }
    }
  }

  /// Without the properties that a later one of the same name replaces. Properties may have no name yet.
  private static func lastOfEachName(_ properties: [NSPropertyDescription]) -> [NSPropertyDescription] {
    var names: Set<String> = []
    return properties.reversed().filter { $0.name.isEmpty || names.insert($0.name).inserted }.reversed()
  }

  /// All properties, own and inherited.
  open var propertiesByName: [String: NSPropertyDescription] { known?.byName ?? KnownEntity(self).byName }

  /// The attributes, own and inherited.
  open var attributesByName: [String: NSAttributeDescription] { known?.attributes ?? KnownEntity(self).attributes }

  /// The relationships, own and inherited.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    known?.relationships ?? KnownEntity(self).relationships
  }

  /// The relationships with a given destination entity.
  @discardableResult
  open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
  }

  // MARK: Indexes and constraints

  /// The entity's own indexes.
  open var indexes: [NSFetchIndexDescription] = [] {
    willSet { willChange() }
    didSet { for index in indexes { index.join(self) } }
  }

  /// Lists of attribute names: no two objects may have the same values for all attributes of a list. A list may also be
  /// set with `NSAttributeDescription`s; any other element raises an exception. Constraints apply to objects of
  /// subentities, too, and not to objects without one of the values. When a context saves, its merge policy resolves
  /// conflicts: see ``NSConstraintConflict``.
  ///
  /// - Assumption: a constraint may name relationships to one object.
  /// - Difference: a store in memory enforces the constraints like one on disk.
  open var uniquenessConstraints: [[Any]] {
    get { constraints }
    set {
      willChange()
      constraints = newValue.map { constraint in
        constraint.map { item in
          (item as? NSPropertyDescription)?.name ?? item as? String
            // A constraint without one of its attributes would reject valid values.
            ?? { raiseException("A uniqueness constraint is of attributes or their names, not of \(item)") }()
        }
      }
    }
  }

  final var ownUniquenessConstraints: [[String]] { constraints }

  /// Has no effect.
  @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
  open var compoundIndexes: [[Any]] {
    get { oldIndexes }
    set {
      willChange()
      oldIndexes = newValue
    }
  }

  private final var oldIndexes: [[Any]] = []

  // MARK: Versions

  /// Differs for versions of the entity that store different data: it covers the name, whether the entity is abstract,
  /// the parent entity, the properties and the uniqueness constraints.
  ///
  /// - Difference: the hash is not Apple's, so that a store's metadata do not compare with those of a store that
  ///   Apple's framework created.
  open var versionHash: Data { VersionHash.data(versionText) }

  /// The text that the version hash is computed from.
  final var versionText: String {
    let own = ownProperties.map(\.versionText).sorted().joined()
    let constraints = constraints.map { VersionHash.line(["unique"] + $0) }.sorted().joined()
    return VersionHash.line(
      "entity", name ?? "", isAbstract ? "abstract" : "", versionHashModifier ?? "",
      parent.map { VersionHash.hex($0.versionText) } ?? "") + own + constraints
  }

  // MARK: Equality

  /// Whether both describe the same entity. Referenced entities are compared by name.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    return self === other
      || (name == other.name && className == other.className && isAbstract == other.isAbstract
        && superentity?.name == other.superentity?.name && versionHashModifier == other.versionHashModifier
        && Set(subentities.map(\.name)) == Set(other.subentities.map(\.name))
        && renamingIdentifier == other.renamingIdentifier && constraints == other.constraints
        && DescriptionEquality.areEqual(userInfo, other.userInfo)
        && DescriptionEquality.areEqual(ownProperties, other.ownProperties) && indexes == other.indexes)
  }

  /// A hash value that is equal for equal descriptions.
  open override var hash: Int { name.hashValue }

  // MARK: Parts of a model

  final func freeze() {
    guard known == nil else { return }
    // Names may have been set after the entity got the properties.
    ownProperties = Self.lastOfEachName(ownProperties)
    for property in ownProperties { property.freeze() }
    for index in indexes { index.freeze() }
    known = KnownEntity(self)
  }

  /// A readable text.
  open override var description: String {
    "(<NSEntityDescription>) name \(name ?? "(null)"), managedObjectClassName \(className), renamingIdentifier "
      + "\(renamingIdentifier ?? "(null)"), isAbstract \(isAbstract ? 1 : 0), superentity name "
      + "\(parent?.name ?? "(null)"), properties \(properties.map(\.name).sorted()), subentities "
      + "\(subentities.compactMap(\.name).sorted())"
  }

  /// Returns a copy with copies of the entity's own properties and indexes. The copy is in no model, and has neither
  /// subentities nor a parent; its relationships have the same destinations.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSEntityDescription()
    copy.name = name
    copy.className = className
    copy.isAbstract = isAbstract
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.identifier = identifier
    copy.constraints = constraints
    copy.oldIndexes = oldIndexes
    copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
    copy.indexes = indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
    copy.findIndexedProperties()
    return copy
  }

  /// Connects the elements of copied indexes to the entity's own properties instead of the originals.
  final func findIndexedProperties() {
    let properties = propertiesByName
    for element in indexes.flatMap(\.elements) {
      if let name = element.propertyName, let property = properties[name] { element.setProperty(property) }
    }
  }
}

extension NSEntityDescription: PredicateValueConvertible {
  /// An entity is compared by its name, as in a store.
  package var predicateValue: PredicateValue {
    .object(
      PredicateObject(type: "NSEntityDescription", parts: ["name": .string(name ?? "")], origin: PredicateOrigin(self)))
  }
}

extension NSEntityDescription: KeyValueCoded {
  package func codedValue(forKey key: String) -> Any?? {
    switch key {
    case "name": .some(name)
    case "managedObjectClassName": .some(managedObjectClassName)
    case "isAbstract", "abstract": .some(isAbstract)
    case "superentity": .some(superentity)
    case "userInfo": .some(userInfo)
    case "self": .some(self)
    default: .none
    }
  }
}

/// Cached properties of an entity in a model that does not change any more.
private struct KnownEntity {
  var line: Set<ObjectIdentifier>
  var properties: [NSPropertyDescription]
  var byName: [String: NSPropertyDescription]
  var attributes: [String: NSAttributeDescription]
  var relationships: [String: NSRelationshipDescription]

  init(_ entity: NSEntityDescription) {
    let line = entity.line
    self.line = Set(line.map(ObjectIdentifier.init))
    properties = line.flatMap(\.ownProperties)
    // The entity's own property is the first one of its name.
    byName = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
    attributes = byName.compactMapValues { $0 as? NSAttributeDescription }
    relationships = byName.compactMapValues { $0 as? NSRelationshipDescription }
  }
}
