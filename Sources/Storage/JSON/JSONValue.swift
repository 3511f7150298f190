/// A JSON value. Whole numbers and fractions are distinct, of 64 bits each; a number that 64 bits don't hold is stored
/// as text.
///
/// Strings are equal when their bytes are. An `.integer` is never equal to a `.double`.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// The text of a number with more digits than the other cases hold. It is never a number that one of them would be
  /// written as.
  case decimal(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  package var isNull: Bool { self == .null }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var int: Int? {
    integer.flatMap(Int.init(exactly:))
  }

  /// A number, with or without a fraction. A number with more digits is rounded.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let text): Double(text)
    default: nil
    }
  }

  /// Whether the number is written without a point and an exponent.
  package var isWhole: Bool {
    switch self {
    case .integer: true
    case .decimal(let text): !text.utf8.contains { ".eE".utf8.contains($0) }
    default: false
    }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of that name; nil if there is none, or if this is no object.
  package subscript(key: String) -> JSONValue? {
    if case .object(let value) = self { value[key] } else { nil }
  }
}

extension JSONValue: Hashable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left.hasSameBytes(as: right)
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value):
      hasher.combine(1 as UInt8)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2 as UInt8)
      hasher.combine(value)
    case .double(let value):
      hasher.combine(3 as UInt8)
      hasher.combine(value)
    case .decimal(let text):
      hasher.combine(7 as UInt8)
      text.hashExactly(into: &hasher)
    case .string(let value):
      hasher.combine(4 as UInt8)
      value.hashExactly(into: &hasher)
    case .array(let value):
      hasher.combine(5 as UInt8)
      hasher.combine(value)
    case .object(let value):
      hasher.combine(6 as UInt8)
      hasher.combine(value)
    }
  }
}

extension JSONValue: CustomStringConvertible {
  package var description: String { String(decoding: compact(), as: UTF8.self) }
}

// There is no nil literal: with one, `value["key"] == nil` would compare with `.null` and be false if the key is
// missing.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}
