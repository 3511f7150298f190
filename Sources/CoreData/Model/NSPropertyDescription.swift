import Foundation

/// A property of an entity: an attribute, a relationship or a fetched property.
///
/// - Difference: on Linux descriptions are not archived; `NSCoding` is missing.
// Sendable: see ModelPart.
open class NSPropertyDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  private final weak var owner: NSEntityDescription?
  /// The bounds in the model file for the property's values.
  final var bounds: [PropertyBound] = []
  private final var conditions: [(predicate: NSPredicate, warning: Any)] = []

  /// Creates an optional property without a name.
  public override init() { super.init() }

  /// The name. It is the key for reading and writing values.
  open var name: String = "" { willSet { willChange() } }

  /// The entity that declares the property. Stops the process if the property is in none, or the entity was released.
  ///
  /// - Assumption: for an inherited property it is the declaring entity, not the subentity.
  open var entity: NSEntityDescription {
    owner ?? { raiseException("The property '\(name)' belongs to no entity.") }()
  }

  /// Whether an object may be saved without a value.
  open var isOptional = true { willSet { willChange() } }

  /// Whether the value is only in memory and not in the store.
  open var isTransient = false { willSet { willChange() } }

  /// Any values that the program stores with the property; from a model file, texts. It may be set in a model that is
  /// in use, by one thread at a time.
  open var userInfo: [AnyHashable: Any]? = [:]

  /// Has no effect here; there is no Spotlight.
  open var isIndexedBySpotlight = false { willSet { willChange() } }

  /// Has no effect.
  @available(*, deprecated, message: "Use NSEntityDescription.indexes instead")
  open var isIndexed: Bool {
    get { isMarkedIndexed }
    set {
      willChange()
      isMarkedIndexed = newValue
    }
  }

  /// Has no effect.
  @available(*, deprecated, message: "Spotlight integration is deprecated.")
  open var isStoredInExternalRecord: Bool {
    get { isMarkedExternal }
    set {
      willChange()
      isMarkedExternal = newValue
    }
  }

  private final var isMarkedIndexed = false
  private final var isMarkedExternal = false

  /// A text that changes the property's version without any other change.
  open var versionHashModifier: String? { willSet { willChange() } }

  /// Identifier that lightweight migration uses to match this property with one in another model version. Defaults to
  /// `name`.
  open var renamingIdentifier: String? {
    get { identifier ?? name }
    set {
      willChange()
      identifier = newValue
    }
  }

  private final var identifier: String?

  /// Differs for versions of the property that store different data.
  ///
  /// - Difference: the hash is not Apple's, so that a store's metadata do not compare with those of a store that
  ///   Apple's framework created.
  open var versionHash: Data { VersionHash.data(versionText) }

  // MARK: Validation

  /// The conditions for values.
  open var validationPredicates: [NSPredicate] { bounds.map(\.predicate) + conditions.map(\.predicate) }

  /// The problem that each predicate reports if it does not match: a text, or the code of an error as a number.
  open var validationWarnings: [Any] { bounds.map { $0.code as NSNumber } + conditions.map(\.warning) }

  /// Replaces the conditions for values. A predicate without a warning has the code `NSManagedObjectValidationError`.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    willChange()
    bounds = []
    conditions = (validationPredicates ?? []).enumerated().map { index, predicate in
      let warnings = validationWarnings ?? []
      return (
        predicate, warnings.indices.contains(index) ? warnings[index] : NSManagedObjectValidationError as NSNumber
      )
    }
  }

  /// The problems of a value, as codes of errors: a missing value, and predicates that it does not match.
  func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] {
    guard let value, !(value is NSNull) else {
      return isOptional ? [] : [(NSValidationMissingMandatoryPropertyError, nil)]
    }
    var problems: [(code: Int, predicate: NSPredicate?)] = []
    for bound in bounds where !bound.allows(value) { problems.append((bound.code, bound.predicate)) }
    for condition in conditions where !condition.predicate.evaluate(with: value) {
      problems.append(
        ((condition.warning as? NSNumber)?.intValue ?? NSManagedObjectValidationError, condition.predicate))
    }
    return problems
  }

  /// The program's own text for a predicate.
  final func warning(for predicate: NSPredicate) -> String? {
    conditions.first { $0.predicate === predicate }?.warning as? String
  }

  // MARK: Equality

  /// Whether both describe the same property. Entities and other properties are compared by name.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || (type(of: self) == type(of: other) && hasValues(of: other))
  }

  /// A hash value that is equal for equal descriptions.
  open override var hash: Int { name.hashValue }

  /// Whether all values are equal to those of another description of the same class.
  func hasValues(of other: NSPropertyDescription) -> Bool {
    name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
      && DescriptionEquality.areEqual(userInfo, other.userInfo) && isIndexedBySpotlight == other.isIndexedBySpotlight
      && versionHashModifier == other.versionHashModifier && renamingIdentifier == other.renamingIdentifier
      && validationPredicates == other.validationPredicates
      && DescriptionEquality.areEqual(validationWarnings, other.validationWarnings)
  }

  // MARK: Parts of a model

  /// The text that the version hash is computed from.
  var versionText: String {
    VersionHash.line(
      "property", name, isOptional ? "optional" : "required", isTransient ? "transient" : "stored",
      versionHashModifier ?? "")
  }

  final func join(_ entity: NSEntityDescription?) { owner = entity }

  func freeze() { isFrozen = true }

  /// A readable text.
  open override var description: String { "<\(type(of: self)): \(owner?.name ?? "-").\(name)>" }

  /// Returns a copy that belongs to no entity.
  @discardableResult
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPropertyDescription()
    copyValues(to: copy)
    return copy
  }

  final func copyValues(to copy: NSPropertyDescription) {
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.userInfo = userInfo
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.isMarkedIndexed = isMarkedIndexed
    copy.isMarkedExternal = isMarkedExternal
    copy.versionHashModifier = versionHashModifier
    copy.identifier = identifier
    copy.bounds = bounds
    copy.conditions = conditions
  }
}
