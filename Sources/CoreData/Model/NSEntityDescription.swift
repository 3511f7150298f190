import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat
import Synchronization

/// A kind of objects: their name, class and properties.
///
/// - Difference: on Linux descriptions are not archived, and not enumerated: `NSCoding` and `NSFastEnumeration` are
///   missing.
// Sendable: see ModelPart.
open class NSEntityDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen: Bool { known != nil }
  /// What is looked up often, of a model in use.
  private final var known: KnownEntity?
  final weak var model: NSManagedObjectModel?
  private final weak var parent: NSEntityDescription?
  final var ownProperties: [NSPropertyDescription] = []
  private final var className = NSEntityDescription.defaultClassName
  private final var identifier: String?
  private final var constraints: [[String]] = []
  final let derivations = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  static let defaultClassName = "NSManagedObject"

  /// Makes an entity without a name and without properties.
  public override init() { super.init() }

  /// The model that the entity is in. Stops the process if it is in none.
  open var managedObjectModel: NSManagedObjectModel {
    model ?? { raiseException("The entity '\(name ?? "")' belongs to no model.") }()
  }

  /// Whether the entity's model is still there.
  final var hasModel: Bool { model != nil }

  /// The name, which no other entity of the model has.
  open var name: String? { willSet { willChange() } }

  /// The name of the objects' class, with its module: `Module.Class`. Nil stands for `NSManagedObject`.
  ///
  /// - Difference: a class has no other name than that with its module. A name without one is looked up among the classes
  ///   of generated code, then in the program's own module; `NSStringFromClass` gives a name that is always found.
  open var managedObjectClassName: String! {
    get { className }
    set {
      willChange()
      className = newValue ?? Self.defaultClassName
    }
  }

  /// Whether there are objects of entities below only.
  open var isAbstract = false { willSet { willChange() } }

  /// Anything that the program wants to keep with the entity; from a model file, texts. It may be set in a model that is
  /// in use, by one thread at a time.
  open var userInfo: [AnyHashable: Any]? = [:]

  /// A text that makes this version of the entity another one, though nothing else differs.
  open var versionHashModifier: String? { willSet { willChange() } }

  /// By what the entity is found in another version of the model, where it may have another name. Unless set, the name.
  open var renamingIdentifier: String? {
    get { identifier ?? name }
    set {
      willChange()
      identifier = newValue
    }
  }

  // MARK: Inheritance

  /// The entity whose properties this one inherits.
  open var superentity: NSEntityDescription? { parent }

  /// The entities that inherit from this one directly. The model must have them, too.
  open var subentities: [NSEntityDescription] = [] {
    willSet { willChange() }
    didSet {
      for entity in oldValue where entity.parent === self { entity.parent = nil }
      for entity in subentities { entity.parent = self }
    }
  }

  /// The entities that inherit from this one directly.
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

  /// Makes an object of an entity and inserts it. Stops the process for a name that the model does not have.
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

  /// Whether this is the entity, or one that inherits from it.
  @discardableResult
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    self === entity || (known?.line.contains(ObjectIdentifier(entity)) ?? line.contains { $0 === entity })
  }

  /// The entity itself, the one that it inherits from, and so on.
  final var line: [NSEntityDescription] {
    var line = [self]
    while let next = line[line.count - 1].parent, !line.contains(where: { $0 === next }) { line.append(next) }
    return line
  }

  // MARK: Properties

  /// All properties: the entity's own, and those that it inherits. Set its own; inherited ones among them are left out.
  ///
  /// - Assumption: of several properties with one name, the last one is taken.
  open var properties: [NSPropertyDescription] {
    get { known?.properties ?? line.flatMap(\.ownProperties) }
    set {
      willChange()
      let inherited = Set(line.dropFirst().flatMap(\.ownProperties).map(ObjectIdentifier.init))
      for property in ownProperties { property.join(nil) }
      let own = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
      let last = Dictionary(own.enumerated().map { ($1.name, $0) }) { max($0, $1) }
      ownProperties = own.enumerated().filter { $1.name.isEmpty || last[$1.name] == $0 }.map(\.element)
      for property in ownProperties { property.join(self) }
    }
  }

  /// All properties, own and inherited.
  open var propertiesByName: [String: NSPropertyDescription] { known?.byName ?? KnownEntity(self).byName }

  /// The attributes, own and inherited.
  open var attributesByName: [String: NSAttributeDescription] { known?.attributes ?? KnownEntity(self).attributes }

  /// The relationships, own and inherited.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    known?.relationships ?? KnownEntity(self).relationships
  }

  /// The relationships that lead to an entity.
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

  /// Attributes whose values together no two objects may have, by their names. `NSAttributeDescription`s can be set, too;
  /// anything else is an exception. They hold for the objects of the entities below, too, and not for objects without
  /// one of the values. The save of a context has its merge policy settle conflicts: see ``NSConstraintConflict``.
  ///
  /// - Assumption: a constraint may name relationships to one object.
  /// - Difference: a store in memory keeps the constraints as one on disk does.
  open var uniquenessConstraints: [[Any]] {
    get { constraints }
    set {
      willChange()
      constraints = newValue.map { constraint in
        constraint.map { item in
          (item as? NSPropertyDescription)?.name ?? item as? String
            // A constraint without one of its attributes would refuse what it should not.
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

  /// Tells versions of the entity apart that store something else: by its name, whether it is abstract, what it inherits
  /// from, its properties and uniqueness constraints.
  ///
  /// - Difference: the hash is not Apple's, so that a store's metadata do not compare with those of a store that Apple's
  ///   framework made.
  open var versionHash: Data { VersionHash.data(versionText) }

  /// What the version hash stands for.
  final var versionText: String {
    let own = ownProperties.map(\.versionText).sorted().joined()
    let constraints = constraints.map { VersionHash.line(["unique"] + $0) }.sorted().joined()
    return VersionHash.line(
      "entity", name ?? "", isAbstract ? "abstract" : "", versionHashModifier ?? "",
      parent.map { VersionHash.hex($0.versionText) } ?? "") + own + constraints
  }

  // MARK: Equality

  /// Whether both describe the same entity. Other entities are compared by their names.
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

  /// Equal for equal descriptions.
  open override var hash: Int { name.hashValue }

  // MARK: Parts of a model

  final func freeze() {
    guard known == nil else { return }
    for property in ownProperties { property.freeze() }
    for index in indexes { index.freeze() }
    known = KnownEntity(self)
  }

  /// A text for people.
  open override var description: String {
    "(<NSEntityDescription>) name \(name ?? "(null)"), managedObjectClassName \(className), renamingIdentifier "
      + "\(renamingIdentifier ?? "(null)"), isAbstract \(isAbstract ? 1 : 0), superentity name "
      + "\(parent?.name ?? "(null)"), properties \(properties.map(\.name).sorted()), subentities "
      + "\(subentities.compactMap(\.name).sorted())"
  }

  /// Returns a copy with copies of the entity's own properties and indexes. It is in no model, has no subentities, and
  /// inherits from nothing; its relationships lead where they led.
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

  /// Lets the elements of indexes lead to the entity's properties, and not to those of which they are copies.
  final func findIndexedProperties() {
    let properties = propertiesByName
    for element in indexes.flatMap(\.elements) {
      if let name = element.propertyName, let property = properties[name] { element.setProperty(property) }
    }
  }
}

extension NSEntityDescription: PredicateValueConvertible {
  /// An entity is compared by its name, as a store knows it.
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

/// What is known of an entity whose model does not change any more.
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
    // The entity's own property is the first of its name.
    byName = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
    attributes = byName.compactMapValues { $0 as? NSAttributeDescription }
    relationships = byName.compactMapValues { $0 as? NSRelationshipDescription }
  }
}
