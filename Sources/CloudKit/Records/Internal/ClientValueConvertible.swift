import Foundation

/// A type that records can store, with its conversions to and from a record's value.
package protocol ClientValueConvertible {
  /// The value of the record; nil if the instance holds something that cannot be stored.
  var clientValue: ClientValue? { get }

  /// Converts from a record's value; nil if the value has another type.
  static func make(from value: ClientValue) -> Any?
}

extension ClientValueConvertible {
  package static func make(from value: ClientValue) -> Any? { value.object as? Self }
}

extension ClientValueConvertible where Self: FixedWidthInteger {
  package var clientValue: ClientValue? {
    Int64(exactly: self).map { .int64($0) } ?? .unsigned(UInt64(truncatingIfNeeded: self))
  }

  package static func make(from value: ClientValue) -> Any? {
    switch value {
    case .int64(let integer): Self(truncatingIfNeeded: integer)
    case .unsigned(let integer): Self(truncatingIfNeeded: integer)
    case .double(let number): Self(exactly: number.rounded(.towardZero))
    default: nil
    }
  }
}

extension ClientValueConvertible where Self: BinaryFloatingPoint {
  package var clientValue: ClientValue? { .double(Double(self)) }

  package static func make(from value: ClientValue) -> Any? {
    switch value {
    case .int64(let integer): Self(integer)
    case .unsigned(let integer): Self(integer)
    case .double(let number): Self(number)
    default: nil
    }
  }
}

extension Int: ClientValueConvertible {}
extension Int8: ClientValueConvertible {}
extension Int16: ClientValueConvertible {}
extension Int32: ClientValueConvertible {}
extension Int64: ClientValueConvertible {}
extension UInt: ClientValueConvertible {}
extension UInt8: ClientValueConvertible {}
extension UInt16: ClientValueConvertible {}
extension UInt32: ClientValueConvertible {}
extension UInt64: ClientValueConvertible {}
extension Float: ClientValueConvertible {}
extension Double: ClientValueConvertible {}

extension Bool: ClientValueConvertible {
  /// 0 or 1, because the server has no Boolean type.
  package var clientValue: ClientValue? { .int64(self ? 1 : 0) }

  package static func make(from value: ClientValue) -> Any? {
    switch value {
    case .int64(let integer): integer != 0
    case .unsigned: true
    case .double(let number): number != 0
    default: nil
    }
  }
}

extension String: ClientValueConvertible {
  package var clientValue: ClientValue? { .string(self) }

  package static func make(from value: ClientValue) -> Any? {
    if case .string(let string) = value { string } else { nil }
  }
}

extension Date: ClientValueConvertible {
  package var clientValue: ClientValue? { .date(self) }

  package static func make(from value: ClientValue) -> Any? {
    if case .date(let date) = value { date } else { nil }
  }
}

extension Data: ClientValueConvertible {
  package var clientValue: ClientValue? { .bytes(self) }

  package static func make(from value: ClientValue) -> Any? {
    if case .bytes(let data) = value { data } else { nil }
  }
}

extension Array: ClientValueConvertible where Element: CKRecordValueProtocol {
  package var clientValue: ClientValue? { ClientValue(elements: self) }

  package static func make(from value: ClientValue) -> Any? {
    guard case .list(let list) = value else { return nil }
    let elements = list.compactMap { $0.value(as: Element.self) }
    return elements.count == list.count ? elements : nil
  }
}

extension NSString: ClientValueConvertible {
  package var clientValue: ClientValue? { .string(substring(from: 0)) }
}

extension NSNumber: ClientValueConvertible {
  package var clientValue: ClientValue? {
    let kind = String(cString: objCType)
    if kind == "d" || kind == "f" { return .double(doubleValue) }
    return int64Value < 0 && doubleValue > 0 ? .unsigned(uint64Value) : .int64(int64Value)
  }
}

extension NSDate: ClientValueConvertible {
  package var clientValue: ClientValue? { .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)) }
}

extension NSData: ClientValueConvertible {
  package var clientValue: ClientValue? { .bytes(Data(bytes: bytes, count: length)) }
}

extension NSArray: ClientValueConvertible {
  package var clientValue: ClientValue? { ClientValue(elements: map { $0 }) }
}

extension CLLocation: ClientValueConvertible {
  package var clientValue: ClientValue? { .location(self) }
}

extension CKReference: ClientValueConvertible {
  package var clientValue: ClientValue? { .reference(self) }
}

extension CKAsset: ClientValueConvertible {
  package var clientValue: ClientValue? { .asset(self) }
}
