import LocalCloudPredicateFormat

/// A value by which objects are sorted. The order: nil, numbers and truth values, dates, texts, then all other values.
package enum SortValue: Comparable {
  case null
  /// Not-a-number sorts before all numbers.
  case notANumber
  case number(Double, Int64)
  case text(String)
  case bytes([UInt8])

  /// Two numbers with the same nearest fraction are distinguished by the whole number.
  package init(_ value: PredicateValue) {
    switch value {
    case .null, .list, .dictionary, .location: self = .null
    case .integer(let number): self = .number(Double(number), number)
    case .double(let number), .date(let number):
      self = number.isNaN ? .notANumber : .number(number, Int64(exactly: number) ?? 0)
    case .string(let text): self = .text(text)
    case .data(let bytes): self = .bytes(bytes)
    case .object(let object):
      switch object.type {
      case "NSUUID": self = object.parts["UUIDString"].map { SortValue($0) } ?? .null
      case "NSURL": self = object.parts["absoluteString"].map { SortValue($0) } ?? .null
      default: self = object.parts["number"].map { SortValue($0) } ?? .null
      }
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .notANumber: 1
    case .number: 2
    case .text: 3
    case .bytes: 4
    }
  }

  package static func == (left: SortValue, right: SortValue) -> Bool { !(left < right) && !(right < left) }

  package static func < (left: SortValue, right: SortValue) -> Bool {
    switch (left, right) {
    case (.number(let left, let leftWhole), .number(let right, let rightWhole)):
      left != right ? left < right : leftWhole < rightWhole
    case (.text(let left), .text(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }
}
