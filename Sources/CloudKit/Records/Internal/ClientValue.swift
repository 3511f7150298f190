import Foundation

/// A value of a record, in one of the server's data types. It is a value type, so that the app cannot change it after
/// setting it.
package indirect enum ClientValue: Sendable {
  case string(String)
  case int64(Int64)
  /// An integer greater than the server's integers can hold. A save with it fails.
  ///
  /// - Assumption: saving an unsigned integer above `Int64.max` is `invalidArguments`.
  case unsigned(UInt64)
  case double(Double)
  case date(Date)
  case bytes(Data)
  case location(CLLocation)
  case reference(CKReference)
  case asset(CKAsset)
  case list([ClientValue])

  /// Nil if records cannot store the value, for example a class of the app's own, or a list in a list.
  package init?(_ value: Any) {
    if let convertible = value as? any ClientValueConvertible {
      guard let value = convertible.clientValue else { return nil }
      self = value
    } else if let elements = value as? [Any] {
      guard let list = ClientValue(elements: elements) else { return nil }
      self = list
    } else {
      return nil
    }
  }

  init?(elements: [Any]) {
    var list: [ClientValue] = []
    list.reserveCapacity(elements.count)
    for element in elements {
      guard let value = ClientValue(element) else { return nil }
      if case .list = value { return nil }
      list.append(value)
    }
    self = .list(list)
  }

  /// The value as an object that is new or immutable, so that the caller cannot change the record through it.
  package var object: any __CKRecordObjCValue {
    switch self {
    case .string(let string): NSString(string: string)
    case .int64(let integer): NSNumber(value: integer)
    case .unsigned(let integer): NSNumber(value: integer)
    case .double(let number): NSNumber(value: number)
    case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case .bytes(let data): NSData(data: data)
    case .location(let location): location
    case .reference(let reference): reference
    case .asset(let asset): asset
    case .list(let list): NSArray(array: list.map(\.object))
    }
  }

  /// The value as a Swift value; numbers are `Int64` or `Double`.
  package var swiftValue: any CKRecordValueProtocol {
    switch self {
    case .string(let string): string
    case .int64(let integer): integer
    case .unsigned(let integer): integer
    case .double(let number): number
    case .date(let date): date
    case .bytes(let data): data
    case .location(let location): location
    case .reference(let reference): reference
    case .asset(let asset): asset
    case .list(let list): ClientValue.swiftList(list)
    }
  }

  /// The value as the requested type. Numbers are converted. Other values must have the type already.
  package func value<Value>(as type: Value.Type) -> Value? {
    if let convertible = type as? any ClientValueConvertible.Type {
      if let value = convertible.make(from: self) as? Value { return value }
    }
    return object as? Value ?? swiftValue as? Value
  }

  /// The reason why a value cannot be stored, as the text of Apple's exception.
  static func refusal(of value: Any) -> String {
    "Invalid value type for CKRecord: \(type(of: value)). Values must be strings, numbers, dates, data, locations, "
      + "references, assets, or arrays of these"
  }

  /// The first integer in the value that is too large for the server; nil without one.
  var unsigned: UInt64? {
    switch self {
    case .unsigned(let integer): integer
    case .list(let list): list.lazy.compactMap(\.unsigned).first
    default: nil
    }
  }

  /// Whether the value can be encrypted: it is neither a reference nor an asset nor a list that holds one.
  package var isEncryptable: Bool {
    switch self {
    case .reference, .asset: false
    case .list(let list): list.allSatisfy(\.isEncryptable)
    default: true
    }
  }

  /// The list as an array of its natural element type, so that it casts to `[String]` and the like.
  private static func swiftList(_ list: [ClientValue]) -> any CKRecordValueProtocol {
    switch list.first {
    case .string: typedList(list, of: String.self)
    case .int64, .unsigned, .double: numberList(list)
    case .date: typedList(list, of: Date.self)
    case .bytes: typedList(list, of: Data.self)
    case .location: typedList(list, of: CLLocation.self)
    case .reference: typedList(list, of: CKReference.self)
    case .asset: typedList(list, of: CKAsset.self)
    case .list, nil: NSArray(array: list.map(\.object))
    }
  }

  private static func typedList<Element: CKRecordValueProtocol>(
    _ list: [ClientValue], of type: Element.Type
  ) -> any CKRecordValueProtocol {
    let elements = list.compactMap { $0.swiftValue as? Element }
    return elements.count == list.count ? elements : NSArray(array: list.map(\.object))
  }

  private static func numberList(_ list: [ClientValue]) -> any CKRecordValueProtocol {
    let integers = list.compactMap { $0.swiftValue as? Int64 }
    return integers.count == list.count ? integers : typedList(list, of: Double.self)
  }
}
