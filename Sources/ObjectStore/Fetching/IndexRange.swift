import LocalCloudPredicateFormat
import LocalCloudStorage

/// A range of the bytes of one index element: keys that begin with `lower`, keys that begin with `upper`, and all
/// between.
struct IndexRange: Hashable {
  var lower: [UInt8]
  var upper: [UInt8]

  init(_ lower: [UInt8], _ upper: [UInt8]) {
    self.lower = lower
    self.upper = upper
  }

  init(_ value: [UInt8]) { self.init(value, value) }

  /// The same range in a descending element.
  var reversed: IndexRange { IndexRange(Self.complement(upper), Self.complement(lower)) }

  static func complement(_ bytes: [UInt8]) -> [UInt8] { bytes.map { ~$0 } }

  /// From the greatest lower end to the least upper one; nil for no ranges.
  static func intersection(_ all: [IndexRange]) -> IndexRange? {
    guard var range = all.first else { return nil }
    for other in all.dropFirst() {
      if ByteOrder.compare(other.lower, range.lower) > 0 { range.lower = other.lower }
      // An upper end includes all keys that begin with it.
      if range.upper.count == 1 || (other.upper.count > 1 && ByteOrder.compare(other.upper, range.upper) < 0) {
        range.upper = other.upper
      }
    }
    return range
  }
}

/// A predicate's requirement on one property, in a form that an index can answer. The answer may hold more objects than
/// match; the predicate is evaluated for each of them.
enum PropertyCondition {
  case oneOf([PredicateValue])
  /// Values from one to another, each inclusive.
  case between(PredicateValue?, PredicateValue?)
  case begins(String)

  /// More values are looked for by reading all objects.
  private static let mostValues = 200

  /// Whether each value that is possible is given.
  var isExact: Bool { if case .oneOf = self { true } else { false } }

  /// The ranges in an attribute's element; nil if the index can't answer.
  func ranges(_ type: StoreSchema.AttributeType) -> [IndexRange]? {
    switch self {
    case .oneOf(let values):
      guard values.count <= Self.mostValues else { return nil }
      let ranges = values.map { Self.range(of: $0, type) }
      return ranges.contains(nil) ? nil : Array(Set(ranges.compactMap(\.self)))
    case .between(let lower, let upper):
      var range = IndexRange([IndexedValue.present], [IndexedValue.present])
      if let lower {
        guard let bytes = Self.bound(lower, type, isLower: true) else { return nil }
        range.lower = bytes
      }
      if let upper {
        guard let bytes = Self.bound(upper, type, isLower: false) else { return nil }
        range.upper = bytes
      }
      return [range]
    case .begins(let text):
      guard type == .string, let bytes = IndexedValue.beginning(text) else { return nil }
      return [IndexRange(bytes)]
    }
  }

  private static func range(of value: PredicateValue, _ type: StoreSchema.AttributeType) -> IndexRange? {
    if value == .null { return IndexRange(IndexedValue.null) }
    guard let lower = bound(value, type, isLower: true), let upper = bound(value, type, isLower: false) else {
      return nil
    }
    return IndexRange(lower, upper)
  }

  /// The bytes of a value, or of a value slightly outside of the range if the type has no equal value.
  private static func bound(
    _ value: PredicateValue, _ type: StoreSchema.AttributeType, isLower: Bool
  ) -> [UInt8]? {
    switch (type, value) {
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)),
      (.boolean, .integer(let number)):
      return IndexedValue.bytes(number)
    case (.integer16, .double(let number)), (.integer32, .double(let number)), (.integer64, .double(let number)),
      (.boolean, .double(let number)):
      guard !number.isNaN else { return nil }
      let outer = number.rounded(isLower ? .down : .up)
      return IndexedValue.bytes(outer < -0x1p63 ? .min : outer >= 0x1p63 ? .max : Int64(outer))
    case (.double, .integer(let number)), (.float, .integer(let number)), (.decimal, .integer(let number)):
      let rounded = Double(number)
      return IndexedValue.bytes(isLower ? rounded.nextDown : rounded.nextUp)
    case (.double, .double(let number)), (.float, .double(let number)), (.decimal, .double(let number)),
      (.date, .date(let number)):
      return number.isNaN ? nil : IndexedValue.bytes(number)
    case (.string, .string(let text)): return IndexedValue.bytes(text)
    case (.uuid, .object(let object)) where object.type == "NSUUID": return bytes(object.parts["UUIDString"])
    case (.uri, .object(let object)) where object.type == "NSURL": return bytes(object.parts["absoluteString"])
    default: return nil
    }
  }

  private static func bytes(_ text: PredicateValue?) -> [UInt8]? {
    if case .string(let text)? = text { IndexedValue.bytes(text) } else { nil }
  }
}
