// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The type of an attribute, under its older name. See ``NSAttributeDescription/AttributeType``.
public enum NSAttributeType: UInt, Sendable {
  /// No type.
  case undefinedAttributeType = 0
  /// A whole number of 16 bits.
  case integer16AttributeType = 100
  /// A whole number of 32 bits.
  case integer32AttributeType = 200
  /// A whole number of 64 bits.
  case integer64AttributeType = 300
  /// A decimal number.
  case decimalAttributeType = 400
  /// A number of double precision.
  case doubleAttributeType = 500
  /// A number of single precision.
  case floatAttributeType = 600
  /// A text.
  case stringAttributeType = 700
  /// Yes or no.
  case booleanAttributeType = 800
  /// A point in time.
  case dateAttributeType = 900
  /// Bytes.
  case binaryDataAttributeType = 1000
  /// A UUID.
  case UUIDAttributeType = 1100
  /// A URL.
  case URIAttributeType = 1200
  /// An object that a transformer converts to bytes.
  case transformableAttributeType = 1800
  /// An object ID.
  case objectIDAttributeType = 2000
  /// Values of other attributes.
  case compositeAttributeType = 2100
}

extension NSAttributeDescription {
  /// The type of an attribute.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// Apple's number for the type.
    public let rawValue: UInt

    /// Creates the type of a number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No type: only for attributes that are not stored.
    public static let undefined = AttributeType(rawValue: 0)
    /// A whole number of 16 bits.
    public static let integer16 = AttributeType(rawValue: 100)
    /// A whole number of 32 bits.
    public static let integer32 = AttributeType(rawValue: 200)
    /// A whole number of 64 bits.
    public static let integer64 = AttributeType(rawValue: 300)
    /// A decimal number.
    public static let decimal = AttributeType(rawValue: 400)
    /// A number of double precision.
    public static let double = AttributeType(rawValue: 500)
    /// A number of single precision.
    public static let float = AttributeType(rawValue: 600)
    /// A text.
    public static let string = AttributeType(rawValue: 700)
    /// Yes or no.
    public static let boolean = AttributeType(rawValue: 800)
    /// A point in time.
    public static let date = AttributeType(rawValue: 900)
    /// Bytes.
    public static let binaryData = AttributeType(rawValue: 1000)
    /// A UUID.
    public static let uuid = AttributeType(rawValue: 1100)
    /// A URL.
    public static let uri = AttributeType(rawValue: 1200)
    /// Values of any class that a transformer converts to data.
    public static let transformable = AttributeType(rawValue: 1800)
    /// An object ID, in the results of a fetch.
    public static let objectID = AttributeType(rawValue: 2000)
    /// - Difference: stores have no attributes of this type.
    public static let composite = AttributeType(rawValue: 2100)

    /// The name of Apple's class for the values; nil if it depends on the attribute.
    var valueClassName: String? {
      switch self {
      case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
      case .decimal: "NSDecimalNumber"
      case .string: "NSString"
      case .date: "NSDate"
      case .binaryData: "NSData"
      case .uuid: "NSUUID"
      case .uri: "NSURL"
      case .objectID: "NSManagedObjectID"
      case .composite: "NSDictionary"
      default: nil
      }
    }
  }
}
