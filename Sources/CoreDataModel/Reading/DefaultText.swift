/// Reads the text of a default as `intValue`, `boolValue` and `doubleValue` of NSString do: the longest beginning that
/// is a value, and 0 or NO if there is none.
package enum DefaultText {
  /// Nil for a number that no Integer 64 can hold.
  package static func integer(_ text: String) -> Int64? {
    // Xcode stores a number as it was typed, for example `1e3` for a whole one.
    if let whole = wholeNumber(text) { return whole }
    let (sign, rest) = signed(text)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? 0 : Int64("\(sign)\(digits)")
  }

  package static func boolean(_ text: String) -> Bool {
    guard let first = signed(text).rest.drop(while: { $0 == "0" }).first else { return false }
    return "YyTt123456789".contains(first)
  }

  /// Infinite for a number that no Double can hold.
  package static func double(_ text: String) -> Double {
    let (sign, rest) = signed(text)
    var length = rest.prefix { isDigit($0) }.count
    let whole = length
    if rest.dropFirst(length).first == "." { length += 1 + rest.dropFirst(length + 1).prefix { isDigit($0) }.count }
    guard whole > 0 || length > 1 else { return 0 }
    var number = String(rest.prefix(length))
    if number.hasSuffix(".") { number += "0" }
    if number.hasPrefix(".") { number = "0" + number }
    let tail = rest.dropFirst(length)
    if let mark = tail.first, "eE".contains(mark) {
      let power = signed(String(tail.dropFirst()), spaces: false)
      let digits = power.rest.prefix { isDigit($0) }
      if !digits.isEmpty { number += "e\(power.sign)\(digits)" }
    }
    return Double("\(sign)\(number)") ?? 0
  }

  /// The value that the text of a default is read as, for an attribute of a type; nil if the type has no such value.
  static func reading(_ text: String, of type: ModelAttributeType) -> (text: String, isWhole: Bool)? {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = integer(text), range(of: type).contains(number) else { return nil }
      return ("\(number)", wholeNumber(text) != nil)
    case .double, .float:
      let number = double(text)
      guard type == .float ? Float(number).isFinite : number.isFinite else { return nil }
      return ("\(number)", isDecimal(text) && Double(text) != nil)
    case .boolean:
      return (boolean(text) ? "YES" : "NO", ["YES", "NO", "1", "0", "true", "false"].contains(text))
    default: return (text, true)
    }
  }

  /// Whether a number is in decimal digits. Swift also reads other forms, for example hexadecimal ones; Decimal reads
  /// these as 0.
  static func isDecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
  }

  private static func wholeNumber(_ text: String) -> Int64? {
    Int64(text) ?? (isDecimal(text) ? Double(text).flatMap { Int64(exactly: $0) } : nil)
  }

  private static func range(of type: ModelAttributeType) -> ClosedRange<Int64> {
    switch type {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: .min ... .max
    }
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  private static func signed(_ text: String, spaces: Bool = true) -> (sign: String, rest: Substring) {
    let start = text.drop { spaces && $0.isWhitespace }
    guard let sign = start.first, "+-".contains(sign) else { return ("", start) }
    return (sign == "-" ? "-" : "", start.dropFirst())
  }
}
