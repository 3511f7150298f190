import Foundation

/// A property of an entity: an attribute, a relationship or a fetched property.
///
/// - Difference: on Linux descriptions are not archived; `NSCoding` is missing.
// Sendable: see ModelPart.
open class NSPropertyDescription: NSObject, NSCopying, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  private final weak var owner: NSEntityDescription?
  /// What the model file says of the property's values.
  final var bounds: [PropertyBound] = []
  private final var conditions: [(predicate: NSPredicate, warning: Any)] = []

  /// Makes a property that has no name and is optional.
  public override init() { super.init() }

  /// The name, by which values are read and written.
  open var name: String = "" { willSet { willChange() } }

  /// The entity that declares the property. Stops the process if it is in none, or the entity is gone.
  ///
  /// - Assumption: of a property that an entity inherits it is the entity that declares it.
  open var entity: NSEntityDescription {
    owner ?? { raiseException("The property '\(name)' belongs to no entity.") }()
  }

  /// Whether an object may be saved without a value.
  open var isOptional = true { willSet { willChange() } }

  /// Whether the value is kept in memory only.
  open var isTransient = false { willSet { willChange() } }

  /// Anything that the program wants to keep with the property; from a model file, texts.
  /// It may be set in a model that is in use, by one thread at a time.
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

  /// A text that makes this version of the property another one, though nothing else differs.
  open var versionHashModifier: String? { willSet { willChange() } }

  /// By what the property is found in another version of the model, where it may have another name. Unless set, the name.
  open var renamingIdentifier: String? {
    get { identifier ?? name }
    set {
      willChange()
      identifier = newValue
    }
  }

  private final var identifier: String?

  /// Tells versions of the property apart that store something else.
  ///
  /// - Difference: the hash is not Apple's, so that a store's metadata do not compare with those of a store that Apple's
  ///   framework made.
  open var versionHash: Data { VersionHash.data(versionText) }

  // MARK: Validation

  /// What values have to match.
  open var validationPredicates: [NSPredicate] { bounds.map(\.predicate) + conditions.map(\.predicate) }

  /// For each predicate what is wrong if it does not match: a text, or the code of an error as a number.
  open var validationWarnings: [Any] { bounds.map { $0.code as NSNumber } + conditions.map(\.warning) }

  /// Sets what values have to match, in place of what there was. A predicate without a warning has the code
  /// `NSManagedObjectValidationError`.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    willChange()
    bounds = []
    conditions = (validationPredicates ?? []).enumerated().map { place, predicate in
      let warnings = validationWarnings ?? []
      return (
        predicate, warnings.indices.contains(place) ? warnings[place] : NSManagedObjectValidationError as NSNumber
      )
    }
  }

  /// What is wrong with a value, by the codes of errors: whether it is missing, and which predicates it does not match.
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

  /// The program's own text for a predicate that a value does not match.
  final func warning(for predicate: NSPredicate) -> String? {
    conditions.first { $0.predicate === predicate }?.warning as? String
  }

  // MARK: Equality

  /// Whether both describe the same property. Entities and other properties are compared by their names.
  @discardableResult open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || (type(of: self) == type(of: other) && hasValues(of: other))
  }

  /// Equal for equal descriptions.
  open override var hash: Int { name.hashValue }

  /// Whether all values are those of another description of the same class.
  func hasValues(of other: NSPropertyDescription) -> Bool {
    name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
      && DescriptionEquality.areEqual(userInfo, other.userInfo) && isIndexedBySpotlight == other.isIndexedBySpotlight
      && versionHashModifier == other.versionHashModifier && renamingIdentifier == other.renamingIdentifier
      && validationPredicates == other.validationPredicates
      && DescriptionEquality.areEqual(validationWarnings, other.validationWarnings)
  }

  // MARK: Parts of a model

  /// What the version hash stands for.
  var versionText: String {
    VersionHash.line(
      "property", name, isOptional ? "optional" : "required", isTransient ? "transient" : "stored",
      versionHashModifier ?? "")
  }

  final func join(_ entity: NSEntityDescription?) { owner = entity }

  func freeze() { isFrozen = true }

  /// A text for people.
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
