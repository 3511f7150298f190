import CoreLocation
import Foundation

/// A type that the record can store: how it becomes a field value, and how it is made of one.
package protocol FieldValueConvertible {
  /// Nil if the instance holds something that cannot be stored.
  var fieldValue: FieldValue? { get }

  /// Nil if the value is of another kind.
  static func make(from value: FieldValue) -> Any?
}

extension FieldValueConvertible {
  package static func make(from value: FieldValue) -> Any? { value.object as? Self }
}

extension FieldValueConvertible where Self: FixedWidthInteger {
  package var fieldValue: FieldValue? {
    Int64(exactly: self).map { .int64($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
  }

  package static func make(from value: FieldValue) -> Any? {
    switch value {
    case .int64(let integer): Self(truncatingIfNeeded: integer)
    case .unsigned(let integer): Self(truncatingIfNeeded: integer)
    case .double(let number): Self(exactly: number.rounded(.towardZero))
    default: nil
    }
  }
}

extension FieldValueConvertible where Self: BinaryFloatingPoint {
  package var fieldValue: FieldValue? { .double(Double(self)) }

  package static func make(from value: FieldValue) -> Any? {
    switch value {
    case .int64(let integer): Self(integer)
    case .unsigned(let integer): Self(integer)
    case .double(let number): Self(number)
    default: nil
    }
  }
}

extension Int: FieldValueConvertible {}
extension Int8: FieldValueConvertible {}
extension Int16: FieldValueConvertible {}
extension Int32: FieldValueConvertible {}
extension Int64: FieldValueConvertible {}
extension UInt: FieldValueConvertible {}
extension UInt8: FieldValueConvertible {}
extension UInt16: FieldValueConvertible {}
extension UInt32: FieldValueConvertible {}
extension UInt64: FieldValueConvertible {}
extension Float: FieldValueConvertible {}
extension Double: FieldValueConvertible {}

extension Bool: FieldValueConvertible {
  /// The server has no type for it and stores 0 or 1.
  package var fieldValue: FieldValue? { .int64(self ? 1 : 0) }

  package static func make(from value: FieldValue) -> Any? {
    switch value {
    case .int64(let integer): integer != 0
    case .unsigned: true
    case .double(let number): number != 0
    default: nil
    }
  }
}

extension String: FieldValueConvertible {
  package var fieldValue: FieldValue? { .string(self) }

  package static func make(from value: FieldValue) -> Any? {
    if case .string(let string) = value { string } else { nil }
  }
}

extension Date: FieldValueConvertible {
  package var fieldValue: FieldValue? { .date(self) }

  package static func make(from value: FieldValue) -> Any? {
    if case .date(let date) = value { date } else { nil }
  }
}

extension Data: FieldValueConvertible {
  package var fieldValue: FieldValue? { .bytes(self) }

  package static func make(from value: FieldValue) -> Any? {
    if case .bytes(let data) = value { data } else { nil }
  }
}

extension Array: FieldValueConvertible where Element: CKRecordValueProtocol {
  package var fieldValue: FieldValue? { FieldValue(elements: self) }

  package static func make(from value: FieldValue) -> Any? {
    guard case .list(let list) = value else { return nil }
    let elements = list.compactMap { $0.value(as: Element.self) }
    return elements.count == list.count ? elements : nil
  }
}

extension NSString: FieldValueConvertible {
  package var fieldValue: FieldValue? { .string(substring(from: 0)) }
}

extension NSNumber: FieldValueConvertible {
  package var fieldValue: FieldValue? {
    let kind = String(cString: objCType)
    if kind == "d" || kind == "f" { return .double(doubleValue) }
    return int64Value < 0 && doubleValue > 0 ? .unsigned(uint64Value) : .int64(int64Value)
  }
}

extension NSDate: FieldValueConvertible {
  package var fieldValue: FieldValue? { .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)) }
}

extension NSData: FieldValueConvertible {
  package var fieldValue: FieldValue? { .bytes(Data(bytes: bytes, count: length)) }
}

extension NSArray: FieldValueConvertible {
  package var fieldValue: FieldValue? { FieldValue(elements: map { $0 }) }
}

extension CLLocation: FieldValueConvertible {
  package var fieldValue: FieldValue? { .location(self) }
}

extension CKReference: FieldValueConvertible {
  package var fieldValue: FieldValue? { .reference(self) }
}

extension CKAsset: FieldValueConvertible {
  package var fieldValue: FieldValue? { .asset(self) }
}
