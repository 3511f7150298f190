#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads constants that have no literal from casts: `CAST(0.5, "NSDate")`, `CAST("AQI=", "NSData")`,
/// `CAST({"recordName", "a"}, "CKReference")`.
enum ConstantCast {
  /// Folds a cast to a constant if its type and content allow it. Otherwise returns the call.
  static func folded(_ content: ExpressionTree, _ type: ExpressionTree) -> ExpressionTree {
    if case .constant(let value) = content, case .constant(.string(let name)) = type,
      let constant = constant(value, name)
    {
      return .constant(constant)
    }
    return .call(.cast, [content, type])
  }

  private static func constant(_ value: PredicateValue, _ type: String) -> PredicateValue? {
    switch (type, value) {
    case ("NSDate", .double(let seconds)): return .date(seconds)
    case ("NSDate", .integer(let seconds)): return .date(Double(seconds))
    case ("NSDate", .string(let word)): return words[word].map(PredicateValue.date)
    case ("NSNumber", .string(let word)): return words[word].map(PredicateValue.double)
    case ("NSData", .string(let text)): return Data(base64Encoded: text).map { .data(Array($0)) }
    case ("CLLocation", .list(let values)):
      guard values.count == 2, let latitude = double(values[0]), let longitude = double(values[1]) else { return nil }
      return .location(latitude: latitude, longitude: longitude)
    case ("NSDictionary", .list(let values)): return parts(values).map(PredicateValue.dictionary)
    case ("NSArray", _), ("NSSet", _), ("NSString", _): return nil
    case (_, .list(let values)): return parts(values).map { .object(PredicateObject(type: type, parts: $0)) }
    default: return nil
    }
  }

  /// The words for non-finite numbers.
  private static let words: [String: Double] = [
    "inf": .infinity, "-inf": -.infinity, "nan": .nan,
  ]

  private static func double(_ value: PredicateValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The parts of an object from a list of alternating names and values; nil if the list is invalid or repeats a name.
  private static func parts(_ values: [PredicateValue]) -> [String: PredicateValue]? {
    guard values.count.isMultiple(of: 2) else { return nil }
    var parts: [String: PredicateValue] = [:]
    for index in stride(from: 0, to: values.count, by: 2) {
      guard case .string(let name) = values[index], parts.updateValue(values[index + 1], forKey: name) == nil else {
        return nil
      }
    }
    return parts
  }
}
