/// An attribute of an entity. Values are texts as in the file: they are parsed later, by code that knows the types.
package struct ModelAttribute: Sendable, Hashable {
  package var name: String
  package var type: ModelAttributeType
  package var isOptional = false
  package var isTransient = false
  /// The default of every type but dates: digits, `YES` or `NO`, the text of a string, UUID or URI.
  package var defaultValue: String?
  /// The default of a date, in seconds since 2001.
  package var defaultDateInterval: Double?
  /// Whether generated code has `Int64` and the like, and not `NSNumber?`.
  package var usesScalarValue = false
  /// The smallest number, or the smallest length of a string in characters.
  package var minValue: String?
  /// The largest number, or the largest length of a string in characters.
  package var maxValue: String?
  /// The earliest date, in seconds since 2001.
  package var minDateInterval: Double?
  /// The latest date, in seconds since 2001.
  package var maxDateInterval: Double?
  /// The pattern that a whole string has to match.
  package var regularExpression: String?
  /// The expression of a derived attribute; nil for an attribute that is not derived.
  package var derivationExpression: String?
  package var valueTransformerName: String?
  /// The Swift type of a transformable's values, optionally with its module's name before it.
  package var customClassName: String?
  package var allowsExternalBinaryDataStorage = false
  package var allowsCloudEncryption = false
  package var preservesValueInHistoryOnDeletion = false
  package var renamingIdentifier: String?
  package var versionHashModifier: String?
  package var userInfo: [String: String] = [:]

  package init(name: String, type: ModelAttributeType) {
    self.name = name
    self.type = type
  }
}
