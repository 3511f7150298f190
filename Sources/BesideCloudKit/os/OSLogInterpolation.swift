import Foundation

/// Collects the parts of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  private(set) var text: String

  public init(literalCapacity: Int, interpolationCount: Int) {
    text = ""
    text.reserveCapacity(literalCapacity + 16 * interpolationCount)
  }

  func appending(_ literal: String) -> OSLogInterpolation {
    var copy = self
    copy.appendLiteral(literal)
    return copy
  }

  public mutating func appendLiteral(_ literal: String) { text += literal }

  private mutating func append(
    _ value: String, isPublic: Bool = false, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy
  ) {
    let shown = privacy.shown(value, isPublic: isPublic)
    text += align.align(shown)
  }

  public mutating func appendInterpolation<T: FixedWidthInteger>(
    _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) { append(format.format(number()), isPublic: true, align, privacy) }

  public mutating func appendInterpolation<T: BinaryFloatingPoint>(
    _ number: @autoclosure () -> T, format: OSLogFloatFormatting = .fixed, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) { append(format.format(Double(number())), isPublic: true, align, privacy) }

  public mutating func appendInterpolation(
    _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
  ) { append(format.words[boolean() ? 1 : 0], isPublic: true, .none, privacy) }

  public mutating func appendInterpolation(
    _ string: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { append(string(), align, privacy) }

  @_disfavoredOverload public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { append(value().description, align, privacy) }

  public mutating func appendInterpolation(
    _ value: @autoclosure () -> any Any.Type, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { append(String(describing: value()), isPublic: true, align, privacy) }

  public mutating func appendInterpolation(
    _ object: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto
  ) { append(object()?.description ?? "(null)", .none, privacy) }

  @_disfavoredOverload public mutating func appendInterpolation(
    _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
  ) { append(String(describing: error()), .none, privacy) }

  public mutating func appendInterpolation(
    _ pointer: @autoclosure () -> UnsafeRawPointer?, privacy: OSLogPrivacy = .auto
  ) { append("0x" + String(UInt(bitPattern: pointer()), radix: 16), isPublic: true, .none, privacy) }
}
