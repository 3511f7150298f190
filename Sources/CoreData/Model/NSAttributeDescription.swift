import Foundation

/// An attribute of an entity.
// Sendable: see ModelPart.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  private final var customClassName: String?

  /// The type of the values. A change resets ``attributeValueClassName``.
  open var type = AttributeType.undefined {
    willSet { willChange() }
    didSet { if type != oldValue { customClassName = nil } }
  }

  /// The type of the values, under its older name.
  @available(*, deprecated, renamed: "type")
  open var attributeType: NSAttributeType {
    get { NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType }
    set { type = AttributeType(rawValue: newValue.rawValue) }
  }

  /// The name of the values' class. It is derived from the type; for a transformable attribute it can be set.
  open var attributeValueClassName: String? {
    get { customClassName ?? type.valueClassName }
    set {
      willChange()
      customClassName = newValue
    }
  }

  /// The initial value of new objects.
  open var defaultValue: Any? { willSet { willChange() } }

  /// The name of the transformer between the values of a transformable attribute and data. Without one the values are
  /// archived securely.
  open var valueTransformerName: String? { willSet { willChange() } }

  /// Whether large values are stored in separate files.
  open var allowsExternalBinaryDataStorage = false { willSet { willChange() } }

  /// Whether the history retains the value of a deleted object.
  open var preservesValueInHistoryOnDeletion = false { willSet { willChange() } }

  /// Whether the cloud stores the value encrypted.
  open var allowsCloudEncryption = false { willSet { willChange() } }

  override func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] {
    if let date = value as? Date, date.timeIntervalSinceReferenceDate.isNaN {
      return [(NSValidationInvalidDateError, nil)]
    }
    return super.problems(with: value)
  }

  override func hasValues(of other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSAttributeDescription, super.hasValues(of: other) else { return false }
    return type == other.type && attributeValueClassName == other.attributeValueClassName
      && DescriptionEquality.areEqual(defaultValue, other.defaultValue)
      && valueTransformerName == other.valueTransformerName
      && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
      && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
      && allowsCloudEncryption == other.allowsCloudEncryption
  }

  // Apple's reference: the type is the attribute's addition. The storage of values does not change the version.
  override var versionText: String { super.versionText + VersionHash.line("attribute", "\(type.rawValue)") }

  /// Returns a copy that belongs to no entity.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSAttributeDescription()
    copyAttribute(to: copy)
    return copy
  }

  final func copyAttribute(to copy: NSAttributeDescription) {
    copyValues(to: copy)
    copy.type = type
    copy.customClassName = customClassName
    copy.defaultValue = defaultValue
    copy.valueTransformerName = valueTransformerName
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.allowsCloudEncryption = allowsCloudEncryption
  }
}
