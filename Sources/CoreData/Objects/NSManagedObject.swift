import Foundation
import LocalCloudObjectStore

/// An object of the model, used in a context.
///
/// - Difference: on Linux there is no key-value observing; ``willChangeValue(forKey:)`` and similar functions only
///   notify the context.
/// - Difference: ``init(entity:insertInto:)`` is `required` here, since a class that is found by its name must have it.
///   The plugin for hand-written sources rewrites `override` to it.
open class NSManagedObject: NSObject {
  /// The state of an object between its insertion and its deletion.
  enum LifecycleStage {
    /// Not in the store yet.
    case inserted
    case present
    /// The next save deletes the object.
    case deleted
    /// Deleted by a save, or without a context: its properties are no longer read.
    case detached

    /// Whether the store has the object after the next save.
    var isLive: Bool { self == .inserted || self == .present }
  }

  final let layout: EntityLayout
  /// Created when it is first read: most objects are faults, and faults get theirs from the store.
  final lazy var identity = NSManagedObjectID(temporary: layout.entity)
  final weak var context: NSManagedObjectContext?
  final var stage = LifecycleStage.present
  /// Whether a change since the last save was recorded.
  final var isMarkedUpdated = false
  /// Whether the values are set. A fault has none, but may have cached ``committed`` ones.
  final var isFilled = false
  /// The object's index in its ``group``.
  final var groupIndex: Int32 = 0

  /// The values and the record of changes. Most objects are faults, and have none.
  private final var contents: Contents?
  /// The objects that the values are read with.
  final var group: FaultGroup?

  private final class Contents {
    var committed: ObjectSnapshot?
    var attributes: [StoredValue] = []
    var toOnes: [ToOne] = []
    var toManys: [ToManyMembers] = []
    var objects: [String: Any] = [:]
    var insertionNumber = 0
    var changeNumber = 0
    var changedKeys: Set<String> = []
    var changedInEvent: Set<String> = []
    var readError: (any Error)?
    var observers: UnsafeMutableRawPointer?

    /// Whether an object without values needs it.
    var isNeeded: Bool {
      committed != nil || insertionNumber != 0 || changeNumber != 0 || !changedKeys.isEmpty || readError != nil
        || observers != nil
    }
  }

  private final var present: Contents {
    if let contents { return contents }
    let new = Contents()
    contents = new
    return new
  }

  /// The values that were last read or saved; nil for a new object, and for a fault that was never read.
  final var committed: ObjectSnapshot? {
    get { contents?.committed }
    set { if newValue != nil || contents != nil { present.committed = newValue } }
  }
  final var attributes: [StoredValue] {
    get { contents?.attributes ?? [] }
    _modify { yield &present.attributes }
  }
  final var toOnes: [ToOne] {
    get { contents?.toOnes ?? [] }
    _modify { yield &present.toOnes }
  }
  final var toManys: [ToManyMembers] {
    get { contents?.toManys ?? [] }
    _modify { yield &present.toManys }
  }
  /// The values of transient attributes, the converted values of transformable ones, and results of fetched properties.
  final var objects: [String: Any] {
    get { contents?.objects ?? [:] }
    _modify { yield &present.objects }
  }
  /// The numbers of the insertion and of the last change, as counted by the context.
  final var insertionNumber: Int {
    get { contents?.insertionNumber ?? 0 }
    set { present.insertionNumber = newValue }
  }
  final var changeNumber: Int {
    get { contents?.changeNumber ?? 0 }
    set { present.changeNumber = newValue }
  }
  /// The properties that changed since the last save, whether or not their values differ now.
  final var changedKeys: Set<String> {
    get { contents?.changedKeys ?? [] }
    _modify { yield &present.changedKeys }
  }
  /// The properties that changed since the changes were last processed.
  final var changedInEvent: Set<String> {
    get { contents?.changedInEvent ?? [] }
    _modify { yield &present.changedInEvent }
  }
  /// The error of reading the values. They read as nil, and the object can't be saved until it is refreshed.
  final var readError: (any Error)? {
    get { contents?.readError }
    set { if newValue != nil || contents != nil { present.readError = newValue } }
  }

  /// Ends the record of changed properties.
  final func forgetChangedKeys() {
    guard contents != nil else { return }
    (changedKeys, changedInEvent) = ([], [])
  }

  /// The target of a to-one relationship.
  struct ToOne {
    var id: NSManagedObjectID?
    /// Set once it was read.
    var object: NSManagedObject?
  }

  /// Creates an object of an entity, and inserts it into a context if one is given. It has the entity's class, even if
  /// this is called on a superclass.
  ///
  /// - Difference: if the entity's class has stored properties of its own, the object has the class that this is called
  ///   on. Call it on the entity's class, or call ``NSEntityDescription/insertNewObject(forEntityName:into:)``.
  // Not inlined, so that the compiler does not assume the object's class.
  @inline(never)
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    if entity.isAbstract {
      raiseException("Cannot create an object of the abstract entity '\(entity.name ?? "")'.")
    }
    layout = entity.derived(EntityLayout.init)
    super.init()
    // A fault that a context creates has the entity's class already.
    if context != nil || type(of: self) == NSManagedObject.self { entity.adopt(self) }
    fillWithDefaults()
    if let context { context.insert(self) }
  }

  /// Creates an object of the class's entity in the context's model, and inserts it.
  ///
  /// Required, so that generic code can create objects of a given type.
  public required convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: Self.entity(in: moc.model), insertInto: moc)
  }

  /// A fault for an object of a store.
  static func fault(_ id: NSManagedObjectID, in context: NSManagedObjectContext) -> NSManagedObject {
    // Classes that programs write have only this initializer.
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

  /// Releases all values.
  final func empty() {
    isFilled = false
    if contents?.isNeeded == true {
      (attributes, toOnes, toManys, objects) = ([], [], [], [:])
    } else {
      contents = nil
    }
  }

  // MARK: State

  /// The object's context; nil if it has none, or was deleted and saved.
  open var managedObjectContext: NSManagedObjectContext? { context }
  /// The object's entity.
  open var entity: NSEntityDescription { layout.entity }
  /// The object's identity. It changes when a new object is saved.
  open var objectID: NSManagedObjectID { identity }
  /// Whether the object is new: no save has written it yet.
  open var isInserted: Bool { stage == .inserted }
  /// Whether the object is in the store, and has changes.
  open var isUpdated: Bool { stage == .present && isMarkedUpdated }
  /// Whether the next save deletes the object.
  open var isDeleted: Bool { stage == .deleted }
  /// Whether the object is new, changed or to be deleted.
  open var hasChanges: Bool { stage == .inserted || stage == .deleted || isMarkedUpdated }
  /// Whether the object's values have not been read yet.
  open var isFault: Bool { !isFilled }
  /// 0 for an object with values; another number while it is a fault.
  open var faultingState: Int { isFault ? 1 : 0 }

  /// Whether the context ignores changes of properties that are not in the model.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: Classes and entities

  /// The entity of the class. If no loaded model has one, an entity without a name, and a line on stderr.
  @discardableResult open class func entity() -> NSEntityDescription {
    LoadedModels.entity(of: self) ?? LoadedModels.nothing(for: self)
  }

  /// A request for the class's objects. Disfavored, so that a call without a type finds the function of a generated
  /// class.
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

  /// The value of a property: numbers as `NSNumber`, objects of a to-many relationship in an `NSSet`, or an
  /// `NSOrderedSet` if it is ordered. Reads the object from the store if it is a fault.
  @discardableResult open func value(forKey key: String) -> Any? {
    guard layout.property(key) != nil || layout.fetched[key] != nil else {
      return UnmodeledValues.value(of: self, key) ?? value(forUndefinedKey: key)
    }
    willAccessValue(forKey: key)
    defer { didAccessValue(forKey: key) }
    return primitiveValue(forKey: key)
  }

  /// Sets the value of a property, and the inverse of a relationship. Nil and `NSNull` remove the value.
  open func setValue(_ value: Any?, forKey key: String) {
    switch layout.property(key) {
    case nil: setValue(value, forUndefinedKey: key)
    case .toOne(let index): setToOne(index, to: RelationshipValues(owner: self, key: key).object(value))
    case .toMany(let index): setToMany(index, to: RelationshipValues(owner: self, key: key).objects(value))
    default:
      willChangeValue(forKey: key)
      setPrimitiveValue(value, forKey: key)
      didChangeValue(forKey: key)
    }
  }

  /// Called for a key that the object does not have. Raises an exception; a subclass may return a value.
  @discardableResult open func value(forUndefinedKey key: String) -> Any? { UnmodeledValues.refuse(key, of: self) }

  /// Called to set a value for a key that the object does not have. Raises an exception; a subclass may take the value.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    UnmodeledValues.refuse(key, of: self, "setValue:forUndefinedKey:")
  }

  /// Raises an exception. For subclasses that call it: attributes accept nil, also those of scalar types.
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

  /// Sets the value of a property, without notifying the context and without setting an inverse.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) {
    fire()
    let value = value is NSNull ? nil : value
    switch layout.property(key) {
    case .attribute(let index):
      attributes[index] = value.map { StoredValue($0, of: layout.attributes[index]) } ?? .null
    case .transformable(let index):
      attributes[index] = value.map { StoredValue($0, of: layout.attributes[index]) } ?? .null
      objects[key] = value
    case .transient: objects[key] = value
    case .toOne(let index):
      let object = RelationshipValues(owner: self, key: key).object(value)
      toOnes[index] = ToOne(id: object?.identity, object: object)
    case .toMany(let index):
      replaceMembers(index, by: RelationshipValues(owner: self, key: key).objects(value)) { _, _ in }
    case nil: UnmodeledValues.refuse(key, of: self)
    }
  }

  /// The present members of a to-many relationship. Changes of the set are changes of the relationship. Raises an
  /// exception for an ordered relationship, and for a property that is not a to-many relationship.
  @discardableResult
  open func mutableSetValue(forKey key: String) -> NSMutableSet { MemberAccess(self, key).mutableSet() }

  /// Like ``mutableSetValue(forKey:)``, for the last key of a key path and the object that the other keys lead to.
  @discardableResult open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    let owner = MemberAccess(self, keyPath: keyPath)
    return owner.object.mutableSetValue(forKey: owner.key)
  }

  /// Like ``mutableSetValue(forKey:)``, for an ordered relationship.
  @discardableResult open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    MemberAccess(self, key).mutableOrderedSet()
  }

  /// Like ``mutableOrderedSetValue(forKey:)``, for the last key of a key path and the object that the other keys lead
  /// to.
  @discardableResult open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    let owner = MemberAccess(self, keyPath: keyPath)
    return owner.object.mutableOrderedSetValue(forKey: owner.key)
  }

  /// Raises an exception: no property has an array.
  @discardableResult open func mutableArrayValue(forKey key: String) -> NSMutableArray {
    MemberAccess(self, key).refuse("mutableArrayValueForKey:")
  }

  /// Raises an exception, like ``mutableArrayValue(forKey:)``.
  @discardableResult open func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    let owner = MemberAccess(self, keyPath: keyPath)
    return owner.object.mutableArrayValue(forKey: owner.key)
  }

  /// The value of a property.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// Reads the object from the store if it is a fault. A nil key stands for any property. A transient attribute of an
  /// object without a context reads nil.
  open func willAccessValue(forKey key: String?) {
    ConcurrencyCheck.check(context)
    if !isFilled { fireToRead(key) }
  }
  /// Reports that a property was read.
  open func didAccessValue(forKey key: String?) {}
  /// Reports that a property is about to change. Reads the object from the store if it is a fault.
  open func willChangeValue(forKey key: String) {
    ConcurrencyCheck.check(context)
    fire()
  }
  /// Reports that a property changed: the context counts the object as changed.
  open func didChangeValue(forKey key: String) {
    guard stage != .detached else { return }
    changedKeys.insert(key)
    changedInEvent.insert(key)
    context?.recordChange(of: self)
  }

  /// Reports that the objects of a relationship are about to change.
  open func willChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    willChangeValue(forKey: inKey)
  }

  /// Reports that the objects of a relationship changed.
  open func didChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    didChangeValue(forKey: inKey)
  }

  /// The value that ``setObservationInfo(_:)`` has set. There is no key-value observing that would use it.
  @discardableResult open func observationInfo() -> UnsafeMutableRawPointer? { contents?.observers }

  /// Stores data of key-value observing with the object.
  open func setObservationInfo(_ inObservationInfo: UnsafeMutableRawPointer?) {
    present.observers = inObservationInfo
  }

  /// The properties that differ from the values that were last read or saved, with their present values. For a new
  /// object, those that differ from its entity's defaults.
  @discardableResult open func changedValues() -> [String: Any] {
    let differences = ObjectDifferences(object: self)
    let keys = differences.candidates.filter(differences.contains)
    return Dictionary(uniqueKeysWithValues: keys.map { ($0, readPrimitive($0) ?? NSNull()) })
  }

  /// The properties that changed since the context last processed its changes.
  @discardableResult open func changedValuesForCurrentEvent() -> [String: Any] {
    guard isFilled else { return [:] }
    return Dictionary(uniqueKeysWithValues: changedInEvent.map { ($0, readPrimitive($0) ?? NSNull()) })
  }

  /// The values that were last read or saved, for some properties or for all. A new object has none.
  @discardableResult open func committedValues(forKeys keys: [String]?) -> [String: Any] {
    if stage == .inserted { return [:] }
    fire()
    let differences = ObjectDifferences(object: self)
    let keys = keys ?? entity.propertiesByName.keys.filter { layout.property($0) != nil }
    return Dictionary(keys.map { ($0, differences.committed($0) ?? NSNull()) }, uniquingKeysWith: { $1 })
  }

  /// Whether a stored property has another value than was last read or saved.
  open var hasPersistentChangedValues: Bool {
    let differences = ObjectDifferences(object: self)
    return differences.candidates.contains { !isTransient($0) && differences.contains($0) }
  }

  // MARK: Relationships

  /// Whether the targets of a relationship have not been read from the store yet.
  @discardableResult open func hasFault(forRelationshipNamed key: String) -> Bool {
    guard isFilled else { return true }
    return switch layout.property(key) {
    case .toMany(let index): toManys[index].isFault
    case .toOne(let index): toOnes[index].id != nil && toOneObject(index)?.isFault ?? false
    default: false
    }
  }

  /// The identities of a relationship's targets, read from the store if necessary, without creating objects.
  @discardableResult open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { relatedIDs(key) }

  // MARK: For subclasses

  /// Called once, when the object is inserted for the first time.
  open func awakeFromInsert() {}
  /// Called when the object's values were read from the store.
  open func awakeFromFetch() {}
  /// Called when several values of the object changed at once: changes were discarded, or newer values were read.
  ///
  /// - Difference: it is not called for values that a merge policy sets.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called when the object is about to be deleted, while its values are still there.
  open func prepareForDeletion() {}
  /// Called before a save, until no object changes any more. May change values.
  open func willSave() {}
  /// Called after a save that wrote the object.
  open func didSave() {}
  /// Called before the object releases its values.
  open func willTurnIntoFault() {}
  /// Called after the object has released its values.
  open func didTurnIntoFault() {}

  /// Checks a value for a property. An override may replace `value`.
  ///
  /// - Throws: the validation error, or ``NSValidationMultipleErrorsError`` for several.
  /// - Difference: on Linux the value is `inout`.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try ObjectValidation(object: self).check(value, key)
  }

  /// Checks a new object before a save.
  ///
  /// - Throws: the validation error, or ``NSValidationMultipleErrorsError`` for several.
  open func validateForInsert() throws { try ObjectValidation(object: self).checkAll() }
  /// Checks a changed object before a save.
  ///
  /// - Throws: the validation error, or ``NSValidationMultipleErrorsError`` for several.
  open func validateForUpdate() throws { try ObjectValidation(object: self).checkAll() }
  /// Checks an object before a save deletes it.
  ///
  /// - Throws: ``NSValidationRelationshipDeniedDeleteError`` if a relationship with the rule Deny has objects, or
  ///   ``NSValidationMultipleErrorsError`` for several.
  open func validateForDelete() throws { try ObjectValidation(object: self).checkDeletion() }

  /// A textual description.
  open override var description: String {
    let name = NSStringFromClass(type(of: self))
    let values = isFault ? "<fault>" : "\(describedValues)"
    return "<\(name): 0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))> (entity: "
      + "\(entity.name ?? ""); id: \(identity.uriRepresentation().absoluteString); data: \(values))"
  }

  private var describedValues: String {
    guard stage != .detached else { return "<gone>" }
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

/// The reason why several values of an object changed at once.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// The reasons as bits.
  public let rawValue: UInt

  /// Creates a set of reasons from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// The context discarded its changes.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was read again.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy resolved a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
