import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore

/// Converts attribute values between the form that programs use and the form of rows.
extension StoredValue {
  /// A program's value for an attribute. Stops the process if its class does not fit, as Apple's framework raises an
  /// exception.
  init(_ value: Any, of attribute: NSAttributeDescription) {
    do { try self.init(checking: value, of: attribute) } catch { raiseException(error.reason) }
  }

  /// The error for a value that an attribute can't have.
  struct Unacceptable: Error {
    var reason: String
  }

  /// A program's value for an attribute of any type.
  init(checking value: Any, of attribute: NSAttributeDescription) throws(Unacceptable) {
    if attribute.type == .transformable, !(value is NSNull) {
      guard let data = AttributeTransformer(attribute).data(of: value) else {
        throw Unacceptable(
          reason: """
            Unacceptable type of value for attribute: property = "\(attribute.name)"; its transformer \
            \(attribute.valueTransformerName ?? "") makes no data of \(type(of: value)).
            """)
      }
      self = .binary(Array(data))
      return
    }
    guard let stored = StoredValue(value, as: attribute.type) else {
      throw Unacceptable(
        reason: """
          Unacceptable type of value for attribute: property = "\(attribute.name)"; desired type = \
          \(attribute.attributeValueClassName ?? "?"); given type = \(type(of: value)); value = \(value).
          """)
    }
    self = stored
  }

  /// Nil if the value's class does not fit.
  init?(_ value: Any, as type: NSAttributeDescription.AttributeType) {
    if value is NSNull {
      self = .null
      return
    }
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = Self.integer(value) else { return nil }
      self = .integer(number)
    case .boolean:
      switch value {
      case let truth as Bool: self = .boolean(truth)
      default:
        guard let number = Self.integer(value) else { return nil }
        self = .boolean(number != 0)
      }
    case .double:
      guard let number = Self.double(value) else { return nil }
      self = .double(number)
    case .float:
      guard let number = Self.double(value) else { return nil }
      self = .double(Double(Float(number)))
    case .decimal:
      switch value {
      case let number as Decimal: self = .decimal(number.description)
      case let number as NSNumber: self = .decimal(number.decimalValue.description)
      default:
        guard let number = Self.double(value) else { return nil }
        self = .decimal(Decimal(number).description)
      }
    case .string:
      guard let text = value as? String else { return nil }
      self = .string(text)
    case .date:
      guard let date = value as? Date else { return nil }
      self = .date(date.timeIntervalSinceReferenceDate)
    case .binaryData:
      guard let data = value as? Data else { return nil }
      self = .binary(Array(data))
    case .uuid:
      guard let id = value as? UUID else { return nil }
      self = .uuid(id.uuidString)
    case .uri:
      guard let url = value as? URL else { return nil }
      self = .uri(url.absoluteString)
    default: return nil
    }
  }

  private static func integer(_ value: Any) -> Int64? {
    switch value {
    case let number as Int: Int64(number)
    case let number as NSNumber: number.int64Value
    case let number as any BinaryInteger: Int64(truncatingIfNeeded: number)
    case let truth as Bool: truth ? 1 : 0
    case let number as any BinaryFloatingPoint: Int64(exactly: Double(number).rounded(.towardZero))
    default: nil
    }
  }

  private static func double(_ value: Any) -> Double? {
    switch value {
    // First, because it can be cast to Double too.
    case let number as NSDecimalNumber: number.decimalValue.nearestDouble
    case let number as Double: number
    case let number as NSNumber: number.doubleValue
    case let number as any BinaryFloatingPoint: Double(number)
    case let number as any BinaryInteger: Double(number)
    case let number as Decimal: number.nearestDouble
    default: nil
    }
  }

  /// The value in the form that programs use: numbers as `NSNumber`, others as Swift types. Nil for ``null``, and for
  /// bytes in a file of the store.
  var object: Any? {
    switch self {
    case .null, .external: nil
    case .boolean(let truth): NSNumber(value: truth)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let digits): NSDecimalNumber(string: digits)
    case .string(let text): text
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .binary(let bytes): Data(bytes)
    case .uuid(let text): UUID(uuidString: text)
    case .uri(let text): URL(string: text)
    }
  }

  // MARK: Transformable attributes

  /// The value of an attribute in the form that programs use, transformed back if the attribute has a transformer. Nil
  /// if there is no value, or if the transformer can't read it.
  ///
  /// - Parameter contents: reads a file of the store that holds the value's bytes.
  func object(of attribute: NSAttributeDescription, _ contents: (ExternalBinary) -> Data?) -> Any? {
    let data: Data
    switch self {
    case .external(let file):
      guard let read = contents(file) else { return nil }
      data = read
    case .binary(let bytes): data = Data(bytes)
    default: return object
    }
    return attribute.type == .transformable ? AttributeTransformer(attribute).value(of: data) : data
  }
}

extension NSAttributeDescription {
  /// The value of a new object, in the form of rows.
  var storedDefault: StoredValue? {
    defaultValue.map { StoredValue($0, of: self) }
  }
}

/// Converts the values of a transformable attribute to data and back.
struct AttributeTransformer {
  private let transformer: ValueTransformer?
  private let isArchiver: Bool

  init(_ attribute: NSAttributeDescription) {
    let name = attribute.valueTransformerName ?? ""
    isArchiver = name.isEmpty
    transformer =
      ValueTransformer(forName: name.isEmpty ? .secureUnarchiveFromDataTransformerName : NSValueTransformerName(name))
  }

  /// Transformers that unarchive data produce data in the reverse direction; others that an attribute names, in the
  /// forward one.
  func data(of value: Any) -> Data? {
    guard let transformer else { return nil }
    if transformer is NSSecureUnarchiveFromDataTransformer || isArchiver {
      return transformer.reverseTransformedValue(value) as? Data
    }
    return transformer.transformedValue(value) as? Data
  }

  func value(of data: Data) -> Any? {
    guard let transformer else { return nil }
    if transformer is NSSecureUnarchiveFromDataTransformer || isArchiver { return transformer.transformedValue(data) }
    return transformer.reverseTransformedValue(data)
  }
}
