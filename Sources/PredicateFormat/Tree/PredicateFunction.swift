/// The built-in functions of predicates. The raw values are their selectors.
package enum PredicateFunction: String, Sendable, Hashable, CaseIterable {
  // Functions of a collection.
  case sum = "sum:"
  case count = "count:"
  case minimum = "min:"
  case maximum = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  // Functions of numbers.
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"
  case negate = "negate:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case squareRoot = "sqrt:"
  case decimalLogarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncate = "trunc:"
  case random = "random"
  case randomBelow = "random:"
  case randomSeeded = "randomn:"
  // Functions of other values.
  case now = "now"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  /// Without case and diacritics.
  case canonical = "canonical:"
  case noIndex = "noindex:"
  case cast = "castObject:toType:"
  case element = "objectFrom:withIndex:"
  case distance = "distanceToLocation:fromLocation:"
  case tokenize = "tokenize:using:"

  /// The allowed numbers of arguments. Statistics take one collection, or its elements as separate arguments.
  package var argumentCounts: ClosedRange<Int> {
    switch self {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: 1...Int.max
    default:
      rawValue.utf8.count { $0 == UInt8(ascii: ":") }...rawValue.utf8.count { $0 == UInt8(ascii: ":") }
    }
  }

  /// Finds a function by its selector, or by its only word without the colon. Case does not matter.
  package init?(name: String, argumentCount: Int) {
    let name = ASCIIWord.lowercased(name)
    if name == "random" {
      self = argumentCount == 0 ? .random : .randomBelow
    } else if let function = Self.byName[name] {
      self = function
    } else {
      return nil
    }
  }

  private static let byName: [String: PredicateFunction] = {
    var names: [String: PredicateFunction] = [:]
    // The sign has no selector.
    for function in allCases where function != .negate {
      let selector = ASCIIWord.lowercased(function.rawValue)
      names[selector] = function
      let words = selector.split(separator: ":")
      if words.count == 1 || function == .tokenize { names[String(words[0])] = function }
    }
    return names
  }()
}
