/// A decimal number of any length. Sums are exact; only the conversion to a `Double` rounds, once.
package struct ExactDecimal: Equatable {
  private(set) var isNegative: Bool
  /// The digits, from 0 to 9, the least significant first, without a zero at either end. Zero has none.
  private(set) var digits: [UInt8]
  /// The digits are multiplied by this power of ten.
  private(set) var exponent: Int

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    let significant = digits.prefix((digits.lastIndex { $0 != 0 } ?? -1) + 1)
    let zeros = significant.prefix { $0 == 0 }.count
    self.digits = Array(significant.dropFirst(zeros))
    self.isNegative = isNegative && !self.digits.isEmpty
    self.exponent = self.digits.isEmpty ? 0 : exponent + zeros
  }

  /// `fraction`: the digits after a decimal point.
  init(fraction: [UInt8]) {
    self.init(isNegative: false, digits: fraction.reversed(), exponent: -fraction.count)
  }

  init(_ integer: Int64) {
    let digits = String(integer.magnitude).utf8.map { $0 - UInt8(ascii: "0") }
    self.init(isNegative: integer < 0, digits: digits.reversed(), exponent: 0)
  }

  /// Parses a number as JSON and Swift write it. Nil for any other text, and for exponents that no number in use has.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    var digits = Self.digits(&rest)
    guard !digits.isEmpty else { return nil }
    var exponent = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = Self.digits(&rest)
      guard !fraction.isEmpty else { return nil }
      digits += fraction
      exponent = -fraction.count
    }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      guard let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), power.magnitude < 100_000 else {
        return nil
      }
      exponent += power
      rest = []
    }
    guard rest.isEmpty else { return nil }
    self.init(isNegative: isNegative, digits: digits.reversed(), exponent: exponent)
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits.map { $0 - UInt8(ascii: "0") }
  }

  /// The power of ten just above the first digit.
  var magnitude: Int { digits.count + exponent }

  /// The nearest `Double`; nil if there is none.
  var double: Double? {
    let text = String(decoding: digits.reversed().map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    let double = digits.isEmpty ? 0 : Double("\(isNegative ? "-" : "")\(text)e\(exponent)")
    return double.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The number's text without an exponent.
  var text: String { (isNegative ? "-" : "") + parts.whole + (parts.fraction.isEmpty ? "" : "." + parts.fraction) }

  /// The digits before and after the point, without the sign.
  var parts: (whole: String, fraction: String) {
    let characters = digits.reversed().map { $0 + UInt8(ascii: "0") }
    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
    func zeros(_ count: Int) -> String { String(repeating: "0", count: max(0, count)) }
    if magnitude <= 0 { return ("0", zeros(-magnitude) + text(characters)) }
    return (text(characters.prefix(magnitude)) + zeros(exponent), text(characters.dropFirst(magnitude)))
  }

  func shifted(_ shift: Int) -> ExactDecimal {
    ExactDecimal(isNegative: isNegative, digits: digits, exponent: exponent + shift)
  }

  static func + (one: ExactDecimal, other: ExactDecimal) -> ExactDecimal {
    if one.digits.isEmpty { return other }
    if other.digits.isEmpty { return one }
    let exponent = min(one.exponent, other.exponent)
    let (left, right) = (one.digits(from: exponent), other.digits(from: exponent))
    if one.isNegative == other.isNegative {
      return ExactDecimal(isNegative: one.isNegative, digits: sum(left, right), exponent: exponent)
    }
    let isLarger =
      left.count == right.count
      ? !left.reversed().lexicographicallyPrecedes(right.reversed()) : left.count > right.count
    return ExactDecimal(
      isNegative: isLarger ? one.isNegative : other.isNegative,
      digits: isLarger ? difference(left, right) : difference(right, left), exponent: exponent)
  }

  private func digits(from exponent: Int) -> [UInt8] {
    Array(repeating: 0, count: self.exponent - exponent) + digits
  }

  private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var (result, carry) = ([UInt8](), UInt8(0))
    for index in 0..<max(one.count, other.count) {
      let digit = (index < one.count ? one[index] : 0) + (index < other.count ? other[index] : 0) + carry
      result.append(digit % 10)
      carry = digit / 10
    }
    return result + [carry]
  }

  /// Subtracts `other` from `one`. `one` must not be smaller.
  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var (result, borrow) = ([UInt8](), UInt8(0))
    for index in one.indices {
      let taken = (index < other.count ? other[index] : 0) + borrow
      borrow = one[index] < taken ? 1 : 0
      result.append(one[index] + 10 * borrow - taken)
    }
    return result
  }
}
