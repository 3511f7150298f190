/// Text for people. Interpolated values are data and get escaped. Only literals and ``Style`` control the output:
///
///     "saved \(name, .bold) in zone \(zone)\n"
package struct StyledText: Sendable, ExpressibleByStringInterpolation {
  package enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
    case boldRed = "1;31"
  }

  private(set) var spans: [(text: String, style: Style)] = []

  package init(stringLiteral text: String) { append(trusted: text) }

  package init(stringInterpolation: Interpolation) { spans = stringInterpolation.text.spans }

  package init() {}

  /// Creates text from data of several lines.
  init(lines text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !isEmpty { append(trusted: "\n") }
      append(data: String(line))
    }
  }

  package struct Interpolation: StringInterpolationProtocol {
    var text = StyledText()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { text.append(trusted: literal) }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible, _ style: Style = .plain) {
      text.append(data: value.description, style)
    }

    package mutating func appendInterpolation(_ value: StyledText) { text.append(value) }
  }

  /// Appends data. Its control characters are shown in escaped form.
  package mutating func append(data: String, _ style: Style = .plain) {
    append(trusted: VisibleText.escape(data), style)
  }

  /// Appends trusted text with its line breaks.
  mutating func append(trusted text: String, _ style: Style = .plain) {
    if !text.isEmpty { spans.append((text, style)) }
  }

  package mutating func append(_ other: StyledText) { spans += other.spans }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var result = left
    result.append(right)
    return result
  }

  package var isEmpty: Bool { spans.isEmpty }

  /// This text with a line break at its end.
  var line: StyledText { spans.last?.text.utf8.last == UInt8(ascii: "\n") ? self : self + "\n" }

  package func rendered(colored: Bool) -> String {
    var result = ""
    for span in spans {
      if colored && span.style != .plain {
        result += "\u{1B}[\(span.style.rawValue)m\(span.text)\u{1B}[0m"
      } else {
        result += span.text
      }
    }
    return result
  }
}
