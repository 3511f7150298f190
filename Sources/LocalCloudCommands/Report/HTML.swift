/// A piece of HTML or SVG. The literal parts of an interpolation are markup, as only sources have them; each
/// interpolated text is escaped, so that no text can become markup:
///
/// ```swift
/// let cell: HTML = "<td title=\"\(name)\">\(name)</td>"
/// ```
///
/// Attribute values are always in double quotes. No attribute that names an address or a script has an interpolated
/// text, apart from the page's own anchors and data URLs: escaping does not make those safe.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  private(set) var text: String

  init() { text = "" }

  init(stringLiteral literal: String) { text = literal }

  init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ plain: String) { HTML.append(plain, to: &text) }

    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ list: [HTML]) { for html in list { text += html.text } }
  }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  static func + (left: HTML, right: HTML) -> HTML {
    var sum = left
    sum += right
    return sum
  }

  var isEmpty: Bool { text.isEmpty }

  /// Escapes the characters of markup, and makes control characters and direction overrides visible. Line breaks and
  /// tabs stay as they are.
  private static func append(_ plain: String, to text: inout String) {
    for scalar in plain.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "\n", "\t": text.unicodeScalars.append(scalar)
      default:
        if VisibleText.isHarmful(scalar) {
          text += VisibleText.escape(String(scalar))
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
  }
}
