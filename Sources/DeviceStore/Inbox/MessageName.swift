/// The name of a message's file: its number and its kind, as in `0000000000000001-openURL.json`. The number determines
/// the order.
package struct MessageName: Hashable, Sendable, Comparable {
  package var number: Int64
  /// Letters only.
  package var kind: String

  /// The valid numbers. More will never be needed; a file with a higher one was made by hand.
  package static let numbers: ClosedRange<Int64> = 1...999_999_999_999_999
  private static let digits = 16
  private static let suffix = ".json"

  package init(number: Int64, kind: String) {
    self.number = number
    self.kind = kind
  }

  /// Nil for any other name.
  package init?(_ fileName: String) {
    let parts = fileName.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == Self.digits, parts[0].allSatisfy(Self.isDigit),
      let number = Int64(String(Substring(parts[0]))), Self.numbers.contains(number), fileName.hasSuffix(Self.suffix)
    else { return nil }
    let kind = parts[1].dropLast(Self.suffix.utf8.count)
    guard (1...32).contains(kind.count), kind.allSatisfy(Self.isLetter) else { return nil }
    self.init(number: number, kind: String(Substring(kind)))
  }

  package var fileName: String {
    let text = String(number)
    return String(repeating: "0", count: max(0, Self.digits - text.utf8.count)) + text + "-" + kind + Self.suffix
  }

  package static func < (left: MessageName, right: MessageName) -> Bool {
    (left.number, left.kind) < (right.number, right.kind)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}
