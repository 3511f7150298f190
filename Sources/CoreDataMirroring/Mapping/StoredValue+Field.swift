import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// Values of records' fields: each is a string, an integer, a double, a date or bytes ([mirror-3]).
extension StoredValue {
  /// The value of an object in a record; nil for a type that mirrored records do not use.
  init?(field object: (any __CKRecordObjCValue)?) {
    switch object {
    case let text as NSString: self = .string("\(text)")
    case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as NSData: self = .binary(Array(Data(referencing: data)))
    case let number as NSNumber:
      let isFraction = ["d", "f"].contains(String(cString: number.objCType))
      self = isFraction ? .double(number.doubleValue) : .integer(number.int64Value)
    default: return nil
    }
  }

  /// The field of an attribute's value; nil for null. `bytes`: reads a value that is in a file of the store.
  func field(bytes: (ExternalBinary) throws -> [UInt8]) rethrows -> StoredValue? {
    switch self {
    case .null: nil
    case .boolean(let value): .integer(value ? 1 : 0)
    case .decimal(let digits): .double(Double(digits) ?? .nan)
    case .uuid(let text), .uri(let text): .string(text)
    case .external(let file): .binary(try bytes(file))
    case .string, .integer, .double, .date, .binary: self
    }
  }

  /// The object of a field in a record; nil for a value that no field has.
  var fieldObject: (any __CKRecordObjCValue)? {
    switch self {
    case .string(let text): NSString(string: text)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    case .binary(let bytes): NSData(data: Data(bytes))
    case .null, .boolean, .decimal, .uuid, .uri, .external: nil
    }
  }

  /// The bytes of the field that count towards a record's limit.
  var fieldSize: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    default: 8
    }
  }

  /// The bytes of an asset that holds the field's value.
  var assetBytes: [UInt8] {
    switch self {
    case .string(let text): Array(text.utf8)
    case .binary(let bytes): bytes
    default: []
    }
  }

  /// An empty value in a field with an asset means that the value is in the asset.
  var isEmptyField: Bool { self == .string("") || self == .binary([]) }

  /// The field's value for an attribute of that type; nil if the field has another type, written by another program.
  func value(of type: StoreSchema.AttributeType) -> StoredValue? {
    switch (type, self) {
    case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
      .integer(Self.clamped(value, type))
    case (.integer16, .double(let value)), (.integer32, .double(let value)), (.integer64, .double(let value)):
      Int64(exactly: value.rounded()).map { .integer(Self.clamped($0, type)) }
    case (.boolean, .integer(let value)): .boolean(value != 0)
    case (.boolean, .double(let value)): .boolean(value != 0)
    case (.double, .integer(let value)), (.float, .integer(let value)): .double(Double(value))
    // The shortest digits that give the same number: 0.1 is read back as 0.1.
    case (.decimal, .double(let value)): Decimal(string: "\(value)").map { .decimal($0.description) }
    case (.decimal, .integer(let value)): .decimal("\(value)")
    case (.uri, .string(let text)): .uri(text)
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0.uuidString) }
    case (.double, .double), (.float, .double), (.string, .string), (.date, .date), (.binary, .binary),
      (.transformable, .binary):
      self
    default: nil
    }
  }

  /// Limits a number to the attribute's range: other programs may write greater ones into the record.
  private static func clamped(_ value: Int64, _ type: StoreSchema.AttributeType) -> Int64 {
    switch type {
    case .integer16: Int64(Int16(clamping: value))
    case .integer32: Int64(Int32(clamping: value))
    default: value
    }
  }
}

extension CKRecord {
  /// The text of a field; nil if there is none.
  func string(of key: FieldKey) -> String? { (object(forKey: key) as? NSString).map { "\($0)" } }
}
