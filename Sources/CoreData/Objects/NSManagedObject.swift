import Foundation
import LocalCloudObjectStore

/// An object of the model, which lives in a context.
///
/// - Difference: on Linux there is no key-value observing; ``willChangeValue(forKey:)`` and its like tell the context
///   alone.
/// - Difference: ``init(entity:insertInto:)`` is `required` here, since a class that is found by its name must have it.
///   The plugin for hand-written sources rewrites `override` to it.
open class NSManagedObject: NSObject {
  enum Stage {
    /// Not in the store yet.
    case inserted
    case present
    /// To be removed at the next save.
    case deleted
    /// Removed, or without a context: no property is read any more.
    case gone

    /// Whether the store has the object after the next save.
    var isLive: Bool { self == .inserted || self == .present }
  }

  final let layout: EntityLayout
  /// Made when it is first asked for: most objects are faults, which get theirs from the store.
  final lazy var identity = NSManagedObjectID(temporary: layout.entity)
  final weak var context: NSManagedObjectContext?
  final var stage = Stage.present
  /// Whether a change since the last save was noted.
  final var isMarkedUpdated = false
  /// The numbers of the insertion and of the last change, in the order of those of the context.
  final var (insertionNumber, changeNumber) = (0, 0)

  /// The values that were last read or saved; nil for a new object, and for a fault that was never read.
  final var committed: ObjectSnapshot?
  /// Whether the values below are those of the program. A fault has none, but may have ``committed`` ones at hand.
  final var isFilled = false
  final var attributes: [StoredValue] = []
  final var toOnes: [ToOne] = []
  final var toManys: [ToManyMembers] = []
  /// The values of transient attributes, and of transformable ones that were transformed back.
  final var objects: [String: Any] = [:]
  /// The properties that changed since the last save, whether or not their values differ now.
  final var changedKeys: Set<String> = []
  /// The properties that changed since the changes were last processed.
  final var changedInEvent: Set<String> = []
  /// The objects with which the values are read: a batch of a fetch, or members of a relationship.
  final var batch: (any FaultGroup)?
  /// Why the values could not be read: they read as nil, and the object can't be saved until it is refreshed.
  final var readError: (any Error)?

  /// The target of a relationship to one object.
  struct ToOne {
    var id: NSManagedObjectID?
    /// Set once it was asked for.
    var object: NSManagedObject?
  }

  /// Makes an object of an entity, and inserts it into a context if one is given. It has the entity's class, also where
  /// this is called on a class above that.
  ///
  /// - Difference: of an entity whose class has stored properties of its own, the object has the class that this is called
  ///   on. Call it on the entity's class, or call ``NSEntityDescription/insertNewObject(forEntityName:into:)``.
  // Not inlined, so that the compiler does not take the object's class for known.
  @inline(never)
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    if entity.isAbstract {
      raiseException("Cannot create an object of the abstract entity '\(entity.name ?? "")'.")
    }
    layout = entity.derived(EntityLayout.init)
    super.init()
    // What a context makes for itself has the entity's class.
    if context != nil || type(of: self) == NSManagedObject.self { entity.adopt(self) }
    fillWithDefaults()
    if let context { context.insert(self) }
  }

  /// Makes an object of the class's entity in the context's model, and inserts it.
  ///
  /// Required, so that generic code can make objects of a type that it is given.
  public required convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: Self.entity(in: moc.model), insertInto: moc)
  }

  /// A fault for an object of a store.
  static func fault(_ id: NSManagedObjectID, in context: NSManagedObjectContext) -> NSManagedObject {
    // Classes that programs write have the one initializer only.
    let object = id.entity.managedObjectClass.init(entity: id.entity, insertInto: nil)
    object.identity = id
    object.context = context
    object.empty()
    return object
  }

  final func fillWithDefaults() {
    attributes = layout.defaults
    toOnes = Array(repeating: ToOne(), count: layout.toOnes.count)
    toManys = layout.emptyMembers
    objects = layout.transientDefaults
    isFilled = true
  }

  /// Forgets all values.
  final func empty() {
    isFilled = false
    attributes = []
    toOnes = []
    toManys = []
    objects = [:]
  }

  // MARK: State

  /// The context that the object lives in; nil if it is in none, or was deleted and saved.
  open var managedObjectContext: NSManagedObjectContext? { context }
  /// The object's kind.
  open var entity: NSEntityDescription { layout.entity }
  /// The object's identity, which is another one once a new object is saved.
  open var objectID: NSManagedObjectID { identity }
  /// Whether the object is new: no save has written it yet.
  open var isInserted: Bool { stage == .inserted }
  /// Whether the object is in the store, and has changes.
  open var isUpdated: Bool { stage == .present && isMarkedUpdated }
  /// Whether the next save removes the object.
  open var isDeleted: Bool { stage == .deleted }
  /// Whether the object is new, changed or to be removed.
  open var hasChanges: Bool { stage == .inserted || stage == .deleted || isMarkedUpdated }
  /// Whether the object's values were not read yet.
  open var isFault: Bool { !isFilled }
  /// 0 for an object with values; another number while it is a fault.
  open var faultingState: Int { isFault ? 1 : 0 }

  /// Whether a change of what is no property of the model does not count as a change.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: Classes and entities

  /// The entity of the class. Without one in a model that was loaded, an entity without a name, which stderr tells.
  @discardableResult open class func entity() -> NSEntityDescription {
    LoadedModels.entity(of: self) ?? LoadedModels.nothing(for: self)
  }

  /// Generated classes have one of their own, which a call without a type is to find.
  @_disfavoredOverload
  @discardableResult open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = entity()
    return request
  }

  static func entity(in model: NSManagedObjectModel) -> NSEntityDescription {
    guard let entity = model.entity(of: self) else {
      raiseException(
        "An NSManagedObject of class '\(NSStringFromClass(self))' must have a valid NSEntityDescription.")
    }
    return entity
  }

  // MARK: Values by key

  /// The value of a property: numbers as `NSNumber`, objects of a relationship to many in an `NSSet`, or an `NSOrderedSet`
  /// if it is ordered. Reads the object from the store if it is a fault.
  @discardableResult open func value(forKey key: String) -> Any? { readValue(key) }

  /// Sets the value of a property, and its inverse if it is a relationship. Nil and `NSNull` mean that there is none.
  open func setValue(_ value: Any?, forKey key: String) { writeValue(value, key) }

  /// Called for a key that the object does not have: an exception. A subclass may return a value.
  @discardableResult open func value(forUndefinedKey key: String) -> Any? { UnmodeledValues.refuse(key, of: self) }

  /// Called to set a value for a key that the object does not have: an exception. A subclass may take the value.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    UnmodeledValues.refuse(key, of: self, "setValue:forUndefinedKey:")
  }

  /// For subclasses that call it: an exception. Attributes take nil, also those of scalar types.
  open func setNilValueForKey(_ key: String) {
    raiseException("[\(self) setNilValueForKey]: could not set nil as the value for the key \(key).")
  }

  /// The values for some keys; `NSNull` stands for nil.
  @discardableResult open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }

  /// Sets each value for its key, in the order of the keys; `NSNull` stands for nil.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  /// The value of a property, without reading the object from the store.
  @discardableResult open func primitiveValue(forKey key: String) -> Any? { readPrimitive(key) }

  /// Sets the value of a property, without telling the context and without setting an inverse.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) { writePrimitive(value, key) }

  /// The members of a relationship to many objects, as they are at any time. Changes of the set are changes of the
  /// relationship. An exception for an ordered relationship, and for a property that is none.
  @discardableResult
  open func mutableSetValue(forKey key: String) -> NSMutableSet { MemberAccess(self, key).mutableSet() }

  /// The same for the last property of a key path, of the object that the others lead to.
  @discardableResult open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let owner = MemberAccess(self, keyPath: keyPath)
    return owner.object.mutableSetValue(forKey: owner.key)
  }

  /// The same for an ordered relationship.
  @discardableResult open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    MemberAccess(self, key).mutableOrderedSet()
  }

  /// The same for the last property of a key path, of the object that the others lead to.
  @discardableResult open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let owner = MemberAccess(self, keyPath: keyPath)
    return owner.object.mutableOrderedSetValue(forKey: owner.key)
  }

  /// No property has an array: an exception.
  @discardableResult open func mutableArrayValue(forKey key: String) -> NSMutableArray {
    MemberAccess(self, key).refuse("mutableArrayValueForKey:")
  }

  /// The same for a key path.
  @discardableResult open func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let owner = MemberAccess(self, keyPath: keyPath)
    return owner.object.mutableArrayValue(forKey: owner.key)
  }

  /// The value of a property.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Reads the object from the store if it is a fault. Nil stands for any property. A transient attribute of an object
  /// whose context is gone reads nil.
  open func willAccessValue(forKey key: String?) {
    ConcurrencyCheck.check(context)
    if !isFilled { fireToRead(key) }
  }
  /// Says that a property was read.
  open func didAccessValue(forKey key: String?) {}
  /// Says that a property is about to change. Reads the object from the store if it is a fault.
  open func willChangeValue(forKey key: String) {
    ConcurrencyCheck.check(context)
    fire()
  }
  /// Says that a property changed: the context counts the object as changed.
  open func didChangeValue(forKey key: String) { noteChange(of: key) }

  /// Says that the objects of a relationship are about to change.
  open func willChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    willChangeValue(forKey: inKey)
  }

  /// Says that the objects of a relationship changed.
  open func didChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    didChangeValue(forKey: inKey)
  }

  private final var observers: UnsafeMutableRawPointer?

  /// What was set by ``setObservationInfo(_:)``. There is no key-value observing that would use it.
  @discardableResult open func observationInfo() -> UnsafeMutableRawPointer? { observers }

  /// Keeps what key-value observing would keep with the object.
  open func setObservationInfo(_ inObservationInfo: UnsafeMutableRawPointer?) { observers = inObservationInfo }

  /// The properties that differ from what was last read or saved, with their present values; of a new object, from its
  /// entity's defaults.
  @discardableResult open func changedValues() -> [String: Any] { ObjectDifferences(object: self).values }

  /// The properties that changed since the context last processed its changes.
  @discardableResult open func changedValuesForCurrentEvent() -> [String: Any] {
    guard isFilled else { return [:] }
    return Dictionary(uniqueKeysWithValues: changedInEvent.map { ($0, readPrimitive($0) ?? NSNull()) })
  }

  /// The values that were last read or saved, for some properties or for all. A new object has none.
  @discardableResult open func committedValues(forKeys keys: [String]?) -> [String: Any] {
    ObjectDifferences(object: self).committed(keys)
  }

  /// Whether a property that is stored has another value than was last read or saved.
  open var hasPersistentChangedValues: Bool { ObjectDifferences(object: self).hasStored }

  // MARK: Relationships

  /// Whether the targets of a relationship have not been read from the store yet.
  @discardableResult open func hasFault(forRelationshipNamed key: String) -> Bool { isRelationshipFault(key) }

  /// The identities of a relationship's targets, read from the store if need be, without making objects of them.
  @discardableResult open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { relatedIDs(key) }

  // MARK: For subclasses

  /// Called once, when the object is inserted for the first time.
  open func awakeFromInsert() {}
  /// Called when the object's values were read from the store.
  open func awakeFromFetch() {}
  /// Called when the object's values changed at once: changes were given up, or newer values were taken.
  ///
  /// - Difference: it is not called for what a merge policy settles.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called when the object is about to be deleted, while its values are still there.
  open func prepareForDeletion() {}
  /// Called before a save, until no object changes any more. May change values.
  open func willSave() {}
  /// Called after a save that wrote the object.
  open func didSave() {}
  /// Called before the object forgets its values.
  open func willTurnIntoFault() {}
  /// Called when the object has forgotten its values.
  open func didTurnIntoFault() {}

  /// Checks a value that a property is to have. `value` may be replaced by another one.
  ///
  /// - Difference: on Linux the value is `inout`.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try ObjectValidation(object: self).check(value, key)
  }

  /// Checks a new object before a save.
  open func validateForInsert() throws { try ObjectValidation(object: self).checkAll() }
  /// Checks a changed object before a save.
  open func validateForUpdate() throws { try ObjectValidation(object: self).checkAll() }
  /// Checks an object that a save is to remove.
  open func validateForDelete() throws { try ObjectValidation(object: self).checkDeletion() }

  /// A text for people.
  open override var description: String {
    let name = NSStringFromClass(type(of: self))
    let values = isFault ? "<fault>" : "\(describedValues)"
    return "<\(name): 0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))> (entity: "
      + "\(entity.name ?? ""); id: \(identity.uriRepresentation().absoluteString); data: \(values))"
  }

  private var describedValues: String {
    guard stage != .gone else { return "<gone>" }
    let lines = layout.attributes.indices.map {
      "    \(layout.attributes[$0].name) = \(attributes[$0].object ?? "nil");"
    }
    return "{\n" + lines.joined(separator: "\n") + "\n}"
  }
}

// Objects belong to their context's queue.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}

extension NSManagedObject: NSFetchRequestResult {}

/// Why the values of an object changed at once.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The reasons as bits.
  public let rawValue: UInt

  /// Reasons of these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// The context gave its changes up.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was read anew.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy settled a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
