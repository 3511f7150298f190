// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The type of an attribute, under its older name. See ``NSAttributeDescription/AttributeType``.
public enum NSAttributeType: UInt, Sendable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100
}

extension NSAttributeDescription {
  /// The type of an attribute.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No type: only for attributes that are not stored.
    public static let undefined = AttributeType(rawValue: 0)
    public static let integer16 = AttributeType(rawValue: 100)
    public static let integer32 = AttributeType(rawValue: 200)
    public static let integer64 = AttributeType(rawValue: 300)
    public static let decimal = AttributeType(rawValue: 400)
    public static let double = AttributeType(rawValue: 500)
    public static let float = AttributeType(rawValue: 600)
    public static let string = AttributeType(rawValue: 700)
    public static let boolean = AttributeType(rawValue: 800)
    public static let date = AttributeType(rawValue: 900)
    public static let binaryData = AttributeType(rawValue: 1000)
    public static let uuid = AttributeType(rawValue: 1100)
    public static let uri = AttributeType(rawValue: 1200)
    /// Values of any class, of which a transformer makes data.
    public static let transformable = AttributeType(rawValue: 1800)
    /// An object's identity, in the results of a fetch.
    public static let objectID = AttributeType(rawValue: 2000)
    /// - Difference: stores have no attributes of this type.
    public static let composite = AttributeType(rawValue: 2100)

    /// The name of the class that the values have for Apple; nil if that depends on the attribute.
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
