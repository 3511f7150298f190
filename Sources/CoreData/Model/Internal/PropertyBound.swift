import Foundation
import LocalCloudFoundationPredicates

/// A bound in the model file for the values of an attribute.
enum PropertyBound: Sendable {
  case smallest(Number)
  case largest(Number)
  case earliest(Date)
  case latest(Date)
  /// Lengths in UTF-16 units, as those of `NSString`.
  case shortest(Int)
  case longest(Int)
  /// The whole string has to match. An invalid pattern has no expression.
  ///
  /// - Assumption: an invalid pattern matches no string.
  case pattern(String, TextPattern?)

  static func pattern(_ pattern: String) -> PropertyBound {
    .pattern(pattern, try? TextPattern(pattern))
  }

  /// A number for exact comparison with whole and decimal numbers.
  struct Number: Sendable {
    let decimal: Decimal
    let double: Double

    init?(_ text: String) {
      guard let double = Double(text) else { return nil }
      self.double = double
      // A Double may exceed the range of Decimal; the bound then exceeds all decimals, too.
      decimal =
        abs(double) < 1e127
        ? Decimal(string: text) ?? 0 : double < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
    }

    /// Whether `isInOrder` accepts the order of this number and the value; true for a value that is not a number.
    func compares(with value: Any, _ isInOrder: (ComparisonResult) -> Bool) -> Bool {
      guard let number = value as? NSNumber else { return true }
      guard !Self.isFloating(number) else {
        let value = number.doubleValue
        return isInOrder(value < double ? .orderedAscending : value > double ? .orderedDescending : .orderedSame)
          && !value.isNaN
      }
      let value = number.decimalValue
      return isInOrder(value < decimal ? .orderedAscending : value > decimal ? .orderedDescending : .orderedSame)
    }

    private static func isFloating(_ number: NSNumber) -> Bool {
      let type = UnicodeScalar(UInt8(bitPattern: number.objCType.pointee))
      return (type == "d" || type == "f") && !(number is NSDecimalNumber)
    }
  }

  var code: Int {
    switch self {
    case .smallest: NSValidationNumberTooSmallError
    case .largest: NSValidationNumberTooLargeError
    case .earliest: NSValidationDateTooSoonError
    case .latest: NSValidationDateTooLateError
    case .shortest: NSValidationStringTooShortError
    case .longest: NSValidationStringTooLongError
    case .pattern: NSValidationStringPatternMatchingError
    }
  }

  var predicate: NSPredicate {
    switch self {
    case .smallest(let number): NSPredicate(format: "SELF >= %@", NSDecimalNumber(decimal: number.decimal))
    case .largest(let number): NSPredicate(format: "SELF <= %@", NSDecimalNumber(decimal: number.decimal))
    case .earliest(let date): NSPredicate(format: "SELF >= %@", date)
    case .latest(let date): NSPredicate(format: "SELF <= %@", date)
    case .shortest(let length): NSPredicate(format: "length >= %d", length)
    case .longest(let length): NSPredicate(format: "length <= %d", length)
    case .pattern(let pattern, _): NSPredicate(format: "SELF MATCHES %@", pattern)
    }
  }

  /// Whether a value is in bounds; true for a value of another type.
  func allows(_ value: Any) -> Bool {
    switch self {
    case .smallest(let number): return number.compares(with: value) { $0 != .orderedAscending }
    case .largest(let number): return number.compares(with: value) { $0 != .orderedDescending }
    case .earliest(let date): return (value as? Date).map { $0 >= date } ?? true
    case .latest(let date): return (value as? Date).map { $0 <= date } ?? true
    case .shortest(let length): return (value as? String).map { $0.utf16.count >= length } ?? true
    case .longest(let length): return (value as? String).map { $0.utf16.count <= length } ?? true
    case .pattern(_, let expression):
      guard let text = value as? String else { return true }
      return (try? expression?.matches(text)) == true
    }
  }
}
