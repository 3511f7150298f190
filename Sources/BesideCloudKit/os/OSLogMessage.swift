import Foundation

/// The text of a message. It shows the public values. By default numbers, Booleans, pointers and types are public.
/// Strings and objects are private unless marked `privacy: .public`.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
  private let parts: OSLogInterpolation

  public init(stringLiteral value: String) {
    parts = OSLogInterpolation(literalCapacity: 0, interpolationCount: 0).appending(value)
  }

  public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation }

  var text: String { parts.text }
}

/// Whether a value is shown.
public struct OSLogPrivacy: Hashable, Sendable {
  public enum Mask: Hashable, Sendable {
    case none
    /// Replaces the value by a hash that is the same for equal values within one process.
    case hash
  }

  enum Kind: Hashable { case auto, `public`, `private`, sensitive }

  let kind: Kind
  let mask: Mask

  public static let auto = OSLogPrivacy(kind: .auto, mask: .none)
  public static let `public` = OSLogPrivacy(kind: .public, mask: .none)
  public static let `private` = OSLogPrivacy(kind: .private, mask: .none)
  public static let sensitive = OSLogPrivacy(kind: .sensitive, mask: .none)

  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .private, mask: mask) }
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

  /// The value as this privacy shows it.
  ///
  /// - Parameter isPublic: the default of the value's type. `.auto` uses it.
  func shown(_ value: String, isPublic: Bool) -> String {
    if mask == .hash && kind != .public && !(kind == .auto && isPublic) {
      return "<mask.hash: '\(String(UInt(bitPattern: value.hashValue), radix: 16))'>"
    }
    if kind == .public || kind == .auto && isPublic || LogSettings.current.showsPrivate { return value }
    return "<private>"
  }
}

/// The width and the alignment of a value.
public struct OSLogStringAlignment: Sendable {
  let width: @Sendable () -> Int
  let isLeft: Bool

  public static let none = OSLogStringAlignment(width: { 0 }, isLeft: false)

  public static func left(columns: @autoclosure @escaping @Sendable () -> Int) -> OSLogStringAlignment {
    OSLogStringAlignment(width: columns, isLeft: true)
  }

  public static func right(columns: @autoclosure @escaping @Sendable () -> Int) -> OSLogStringAlignment {
    OSLogStringAlignment(width: columns, isLeft: false)
  }

  func align(_ text: String) -> String {
    let spaces = String(repeating: " ", count: max(0, width() - text.count))
    return isLeft ? text + spaces : spaces + text
  }
}

public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  let hasSign: Bool
  let prefix: String
  let isUppercase: Bool
  let minDigits: Int

  private init(
    _ radix: Int, hasSign: Bool = false, prefix: String = "", isUppercase: Bool = false, minDigits: Int = 0
  ) {
    self.radix = radix
    self.hasSign = hasSign
    self.prefix = prefix
    self.isUppercase = isUppercase
    self.minDigits = minDigits
  }

  public static let decimal = decimal()
  public static let hex = hex()
  public static let octal = octal()

  public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(10, hasSign: explicitPositiveSign, minDigits: minDigits)
  }

  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(
      16, hasSign: explicitPositiveSign, prefix: includePrefix ? "0x" : "", isUppercase: uppercase, minDigits: minDigits
    )
  }

  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(
      8, hasSign: explicitPositiveSign, prefix: includePrefix ? "0" : "", isUppercase: uppercase, minDigits: minDigits)
  }

  func format<T: BinaryInteger>(_ value: T) -> String {
    let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
    let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
    return (value < 0 ? "-" : hasSign ? "+" : "") + prefix + zeros + digits
  }
}

public struct OSLogFloatFormatting: Sendable {
  let specifier: String
  let precision: Int?
  let hasSign: Bool
  let isUppercase: Bool

  public static let fixed = fixed()
  public static let hex = OSLogFloatFormatting("a")
  public static let exponential = OSLogFloatFormatting("e")
  public static let hybrid = OSLogFloatFormatting("g")

  private init(_ specifier: String, precision: Int? = nil, hasSign: Bool = false, isUppercase: Bool = false) {
    self.specifier = specifier
    self.precision = precision
    self.hasSign = hasSign
    self.isUppercase = isUppercase
  }

  public static func fixed(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    OSLogFloatFormatting("f", precision: precision, hasSign: explicitPositiveSign, isUppercase: uppercase)
  }

  public static func exponential(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    OSLogFloatFormatting("e", precision: precision, hasSign: explicitPositiveSign, isUppercase: uppercase)
  }

  func format(_ value: Double) -> String {
    let letter = isUppercase ? specifier.uppercased() : specifier
    return String(format: "%\(hasSign ? "+" : "")\(precision.map { ".\($0)" } ?? "")\(letter)", value)
  }
}

public struct OSLogBoolFormat: Hashable, Sendable {
  let words: [String]

  /// `true` or `false`.
  public static let truth = OSLogBoolFormat(words: ["false", "true"])
  /// `yes` or `no`.
  public static let answer = OSLogBoolFormat(words: ["no", "yes"])
}
