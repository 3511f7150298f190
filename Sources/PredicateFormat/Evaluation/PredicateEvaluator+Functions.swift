import LocalCloudPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateEvaluator {
  /// The result of a function for the values of its arguments.
  mutating func result(
    of function: PredicateFunction, _ arguments: [PredicateValue]
  ) throws(PredicateEvaluationError) -> PredicateValue {
    switch function {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
      var elements = arguments
      if arguments.count == 1 {
        if arguments[0] == .null { return function == .count ? .integer(0) : .null }
        guard let members = arguments[0].elements else { throw unfit(function, arguments) }
        elements = members
      }
      try charge(elements.count)
      return try statistic(function, elements)
    case .now: return .date(present())
    case .random: return .double(Double.random(in: 0..<1))
    case .noIndex: return arguments[0]
    case .cast: return try cast(arguments[0], to: arguments[1])
    case .element: return try element(arguments[0], at: arguments[1])
    default: break
    }
    // The result is nil if an argument is nil.
    if arguments.contains(.null) { return .null }
    switch function {
    case .uppercase, .lowercase, .canonical:
      guard case .string(let text) = arguments[0] else { throw unfit(function, arguments) }
      return .string(StringFolding.changed(text, by: function))
    case .tokenize:
      guard case .string(let letters) = arguments[1], let options = PredicateComparison.Options(letters: letters)
      else { throw unfit(function, arguments) }
      return .list(try tokens(arguments[0], options).map(PredicateValue.string))
    case .distance:
      guard case .location(let latitude, let longitude) = arguments[0],
        case .location(let otherLatitude, let otherLongitude) = arguments[1]
      else { throw unfit(function, arguments) }
      return .double(Self.distance((latitude, longitude), (otherLatitude, otherLongitude)))
    case .add, .subtract:
      if let moved = Self.moved(function, arguments[0], arguments[1]) { return moved }
      return try arithmetic(function, arguments)
    default: return try arithmetic(function, arguments)
    }
  }

  func unfit(_ function: PredicateFunction, _ arguments: [PredicateValue]) -> PredicateEvaluationError {
    let texts = arguments.prefix(4).map(\.shortText).joined(separator: ", ")
    return PredicateEvaluationError(.type, "\(function.rawValue) does not take \(texts)")
  }

  private mutating func present() -> Double {
    let present = moment ?? Date().timeIntervalSinceReferenceDate
    moment = present
    return present
  }

  /// Adds seconds to a date or subtracts them, or subtracts two dates; nil for other arguments.
  private static func moved(
    _ function: PredicateFunction, _ one: PredicateValue, _ other: PredicateValue
  ) -> PredicateValue? {
    switch (one, other) {
    case (.date(let one), .date(let other)): function == .subtract ? .double(one - other) : nil
    case (.date(let date), _):
      Numbers.double(other).map { .date(function == .add ? date + $0 : date - $0) }
    case (_, .date(let date)): function == .add ? Numbers.double(one).map { .date(date + $0) } : nil
    default: nil
    }
  }

  /// The distance in metres along a great circle.
  package static func distance(
    _ one: (latitude: Double, longitude: Double), _ other: (latitude: Double, longitude: Double)
  ) -> Double {
    let radians = Double.pi / 180
    let latitudeHalf = Mathematics.sine((other.latitude - one.latitude) * radians / 2)
    let longitudeHalf = Mathematics.sine((other.longitude - one.longitude) * radians / 2)
    let chord =
      latitudeHalf * latitudeHalf
      + Mathematics.cosine(one.latitude * radians) * Mathematics.cosine(other.latitude * radians) * longitudeHalf
      * longitudeHalf
    return 2 * 6_371_008.8 * Mathematics.arcSine(min(1, chord.squareRoot()))
  }

  // MARK: Numbers

  private func arithmetic(
    _ function: PredicateFunction, _ arguments: [PredicateValue]
  ) throws(PredicateEvaluationError) -> PredicateValue {
    let integers = arguments.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    if integers.count == arguments.count, let result = try Self.integer(function, integers) { return result }
    let numbers = arguments.compactMap(Numbers.double)
    guard numbers.count == arguments.count, let result = Self.double(function, numbers) else {
      throw unfit(function, arguments)
    }
    return result
  }

  /// The result for integers; nil if it is not representable or the function is not defined for integers. The caller
  /// then uses doubles.
  private static func integer(
    _ function: PredicateFunction, _ numbers: [Int64]
  ) throws(PredicateEvaluationError) -> PredicateValue? {
    let one = numbers[0]
    let other = numbers.count > 1 ? numbers[1] : 0
    if other == 0, function == .divide || function == .modulus {
      throw PredicateEvaluationError(.divisionByZero, "\(one) can't be divided by zero")
    }
    func exact(_ result: (partialValue: Int64, overflow: Bool)) -> PredicateValue? {
      result.overflow ? nil : .integer(result.partialValue)
    }
    switch function {
    case .add: return exact(one.addingReportingOverflow(other))
    case .subtract: return exact(one.subtractingReportingOverflow(other))
    case .multiply: return exact(one.multipliedReportingOverflow(by: other))
    case .divide: return exact(one.dividedReportingOverflow(by: other))
    case .modulus: return .integer(other == -1 ? 0 : one % other)
    case .raise:
      let power = Mathematics.power(Double(one), Double(other))
      return abs(power) < 0x1p53 ? Int64(exactly: power).map(PredicateValue.integer) : nil
    case .negate: return exact(Int64(0).subtractingReportingOverflow(one))
    case .absolute: return one == .min ? nil : .integer(abs(one))
    case .floor, .ceiling, .truncate: return .integer(one)
    case .bitwiseAnd: return .integer(one & other)
    case .bitwiseOr: return .integer(one | other)
    case .bitwiseXor: return .integer(one ^ other)
    case .onesComplement: return .integer(~one)
    // A shift by the width or more gives the result of shifting out all bits.
    case .leftShift: return .integer(one << other)
    case .rightShift: return .integer(one >> other)
    case .randomBelow: return .integer(one > 0 ? Int64.random(in: 0..<one) : 0)
    case .randomSeeded: return .double(Double.random(in: 0..<1))
    default: return nil
    }
  }

  private static func double(_ function: PredicateFunction, _ numbers: [Double]) -> PredicateValue? {
    let one = numbers[0]
    let other = numbers.count > 1 ? numbers[1] : 0
    switch function {
    case .add: return .double(one + other)
    case .subtract: return .double(one - other)
    case .multiply: return .double(one * other)
    case .divide: return .double(one / other)
    case .modulus: return .double(one.truncatingRemainder(dividingBy: other))
    case .raise: return .double(Mathematics.power(one, other))
    case .negate: return .double(-one)
    case .absolute: return .double(abs(one))
    case .floor: return .double(one.rounded(.down))
    case .ceiling: return .double(one.rounded(.up))
    case .truncate: return .double(one.rounded(.towardZero))
    case .squareRoot: return .double(one.squareRoot())
    case .decimalLogarithm: return .double(Mathematics.decimalLogarithm(one))
    case .naturalLogarithm: return .double(Mathematics.naturalLogarithm(one))
    case .exponential: return .double(Mathematics.exponential(one))
    default: return nil
    }
  }

  // MARK: Statistics

  func statistic(
    _ function: PredicateFunction, _ elements: [PredicateValue]
  ) throws(PredicateEvaluationError) -> PredicateValue {
    if function == .count { return .integer(Int64(elements.count)) }
    let present = elements.filter { $0 != .null }
    if function == .minimum || function == .maximum {
      guard var best = present.first else { return .null }
      let wanted: Numbers.Order = function == .minimum ? .less : .greater
      for element in present.dropFirst() where try order(element, best, function.rawValue) == wanted { best = element }
      return best
    }
    let numbers = present.compactMap(Numbers.double)
    guard numbers.count == present.count else { throw unfit(function, Array(present)) }
    if function == .sum {
      let integers = present.compactMap { if case .integer(let number) = $0 { number } else { nil } }
      if integers.count == present.count {
        var sum: Int64? = 0
        for number in integers { sum = sum.flatMap { addedExactly($0, number) } }
        if let sum { return .integer(sum) }
      }
      return .double(numbers.reduce(0, +))
    }
    guard !numbers.isEmpty else { return function == .average ? .integer(0) : .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    switch function {
    case .average: return .double(mean)
    case .median:
      let sorted = numbers.sorted()
      let middle = sorted.count / 2
      return .double(sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle])
    case .mode:
      var counts: [Double: Int] = [:]
      for number in numbers { counts[number, default: 0] += 1 }
      let most = counts.values.max() ?? 0
      return .list(counts.filter { $0.value == most }.keys.sorted().map { Numbers.canonical(.double($0)) })
    default:
      let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return .double((squares / Double(numbers.count)).squareRoot())
    }
  }

  private func addedExactly(_ one: Int64, _ other: Int64) -> Int64? {
    let sum = one.addingReportingOverflow(other)
    return sum.overflow ? nil : sum.partialValue
  }

  // MARK: Casts

  private func cast(_ value: PredicateValue, to type: PredicateValue) throws(PredicateEvaluationError) -> PredicateValue
  {
    guard case .string(let type) = type else { throw unfit(.cast, [value, type]) }
    if value == .null { return .null }
    switch (type, value) {
    case ("NSNumber", .integer), ("NSNumber", .double), ("NSDecimalNumber", .integer), ("NSDecimalNumber", .double),
      ("NSString", .string), ("NSDate", .date), ("NSData", .data), ("CLLocation", .location), ("NSArray", .list),
      ("NSSet", .list), ("NSDictionary", .dictionary):
      return value
    case ("NSNumber", .date(let seconds)), ("NSDecimalNumber", .date(let seconds)): return .double(seconds)
    case ("NSNumber", .string(let text)), ("NSDecimalNumber", .string(let text)):
      if let integer = Int64(text) { return .integer(integer) }
      if let number = Double(text) { return .double(number) }
    case ("NSDate", .integer), ("NSDate", .double):
      if let seconds = Numbers.double(value) { return .date(seconds) }
    case ("NSString", .integer(let number)): return .string(String(number))
    case ("NSString", .double(let number)): return .string(String(number))
    default: break
    }
    throw PredicateEvaluationError(
      .type, "\(value.shortText) can't be cast to \(PredicatePrinter.quoted(String(type.prefix(60))))")
  }
}
