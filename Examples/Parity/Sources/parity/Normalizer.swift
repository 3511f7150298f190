import Foundation

/// Replaces the values of an answer that differ from run to run by placeholders such as `<tag 1>`, numbered in the
/// order of their first appearance in the run. Equal values have equal placeholders.
///
/// - Dates that first appear in the answer of one step have one placeholder, because a service dates the records of a
///   request one after another.
/// - Marked tags hold the record's name: tags of different records have different placeholders.
/// - In texts: UUIDs have placeholders at any position, `_` with 32 hexadecimal digits is a user, links of shares up to
///   a `#` are URLs, 16 hexadecimal digits are operations, and addresses in memory have no number.
struct Normalizer {
  private var placeholders: [String: String] = [:]
  private var counts: [String: Int] = [:]
  private let container: String

  init(container: String) { self.container = container }

  /// Normalises the answer of the next step.
  mutating func normalize(_ answer: JSON) -> JSON {
    var date: String?
    return normalize(answer, &date)
  }

  /// - Parameter date: the placeholder of the step's new dates, once it has any.
  private mutating func normalize(_ json: JSON, _ date: inout String?) -> JSON {
    switch json {
    case .text(let text):
      return .text(normalize(text))
    case .list(let list):
      var result: [JSON] = []
      for value in list { result.append(normalize(value, &date)) }
      return .list(result)
    case .object(let object):
      if object.count == 1, let (key, value) = object.first, key.hasPrefix("$"), case .text(let text) = value {
        return .text(placeholder(String(key.dropFirst()), text, &date))
      }
      var result: [String: JSON] = [:]
      for (key, value) in object.sorted(by: { $0.key < $1.key }) { result[key] = normalize(value, &date) }
      return .object(result)
    default:
      return json
    }
  }

  private mutating func placeholder(_ kind: String, _ value: String, _ date: inout String?) -> String {
    guard kind == "date" else { return placeholder(kind, value) }
    if let known = placeholders["date \(value)"] { return known }
    let new = date ?? placeholder(kind, value)
    date = new
    placeholders["date \(value)"] = new
    return new
  }

  private mutating func placeholder(_ kind: String, _ value: String) -> String {
    if let known = placeholders["\(kind) \(value)"] { return known }
    counts[kind, default: 0] += 1
    let new = "<\(kind) \(counts[kind, default: 0])>"
    placeholders["\(kind) \(value)"] = new
    return new
  }

  private mutating func normalize(_ text: String) -> String {
    let pattern =
      #/
      (?<url> https:\/\/www\.icloud\.com\/share\/[^\s"\#]+ )
      | (?<uuid> [0-9A-Fa-f]{8} (?: -[0-9A-Fa-f]{4} ){3} -[0-9A-Fa-f]{12} )
      | (?<user> _[0-9a-f]{32} )
      | (?<address> 0x[0-9a-f]+ )
      | (?<operation> \b[0-9A-F]{16}\b )
      /#
    var result = ""
    var rest = text.replacingOccurrences(of: container, with: "<container>")[...]
    while let match = rest.firstMatch(of: pattern) {
      result += rest[..<match.range.lowerBound]
      let found = match.output
      let replacement =
        if let url = found.url {
          placeholder("url", String(url))
        } else if let uuid = found.uuid {
          placeholder("uuid", uuid.uppercased())
        } else if let user = found.user {
          placeholder("user", String(user))
        } else if let operation = found.operation {
          placeholder("operation", String(operation))
        } else {
          "<address>"
        }
      result += replacement
      rest = rest[match.range.upperBound...]
    }
    return result + rest
  }
}
