import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore

/// A value of a record's field, of the types that mirrored records use.
enum MirroredValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case date(Date)
  case bytes(Data)

  /// The value of an object in a record; nil for a type that mirrored records do not use.
  init?(_ object: (any __CKRecordObjCValue)?) {
    switch object {
    case let text as NSString: self = .string("\(text)")
    case let date as NSDate: self = .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
    case let data as NSData: self = .bytes(Data(referencing: data))
    case let number as NSNumber:
      self = Self.isFraction(number) ? .double(number.doubleValue) : .integer(number.int64Value)
    default: return nil
    }
  }

  var object: any __CKRecordObjCValue {
    switch self {
    case .string(let text): NSString(string: text)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case .bytes(let data): NSData(data: data)
    }
  }

  /// The bytes of the value that count towards a record's limit.
  var size: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .bytes(let data): data.count
    case .integer, .double, .date: 8
    }
  }

  /// The bytes of an asset that holds the value.
  var assetBytes: [UInt8] {
    switch self {
    case .string(let text): Array(text.utf8)
    case .bytes(let data): Array(data)
    case .integer, .double, .date: []
    }
  }

  /// An empty value in a field with an asset means that the value is in the asset.
  var isEmpty: Bool { self == .string("") || self == .bytes(Data()) }

  private static func isFraction(_ number: NSNumber) -> Bool {
    ["d", "f"].contains(String(cString: number.objCType))
  }
}

extension MirroredValue {
  /// The field of an attribute's value ([mirror-3]); nil for null. `bytes`: reads a value that is in a file of the
  /// store.
  init?(_ value: StoredValue, bytes: (ExternalBinary) throws -> [UInt8]) rethrows {
    switch value {
    case .null: return nil
    case .boolean(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .decimal(let digits): self = .double(Double(digits) ?? .nan)
    case .string(let text), .uuid(let text), .uri(let text): self = .string(text)
    case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .binary(let bytes): self = .bytes(Data(bytes))
    case .external(let file): self = .bytes(Data(try bytes(file)))
    }
  }

  /// The value of an attribute of that type; nil if the field has another type, written by another program.
  func stored(as type: StoreSchema.AttributeType) -> StoredValue? {
    switch (type, self) {
    case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)):
      .integer(Self.clamped(value, type))
    case (.integer16, .double(let value)), (.integer32, .double(let value)), (.integer64, .double(let value)):
      Int64(exactly: value.rounded()).map { .integer(Self.clamped($0, type)) }
    case (.boolean, .integer(let value)): .boolean(value != 0)
    case (.boolean, .double(let value)): .boolean(value != 0)
    case (.double, .double(let value)), (.float, .double(let value)): .double(value)
    case (.double, .integer(let value)), (.float, .integer(let value)): .double(Double(value))
    // The shortest digits that give the same number: 0.1 is read back as 0.1.
    case (.decimal, .double(let value)): Decimal(string: "\(value)").map { .decimal($0.description) }
    case (.decimal, .integer(let value)): .decimal("\(value)")
    case (.string, .string(let text)): .string(text)
    case (.uri, .string(let text)): .uri(text)
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0.uuidString) }
    case (.date, .date(let date)): .date(date.timeIntervalSinceReferenceDate)
    case (.binary, .bytes(let data)), (.transformable, .bytes(let data)): .binary(Array(data))
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
