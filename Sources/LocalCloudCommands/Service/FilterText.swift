import LocalCloudModel
import LocalCloudStorage

/// Parses filters and sort keys that are words of the command line, in cktool's language ([query-json-2]).
///
/// - Assumption: a value is not converted to the field's type: `title == 5` asks a field of texts for an integer, and
///   the service refuses the query with `invalidArguments`; `title == stringType:5` asks for the text.
package enum FilterText {
  /// The comparators that cktool has, with its words and signs.
  static let toolComparators: [(word: String, sign: String?, comparator: QueryComparator)] = [
    ("EQUALS", "==", .equals), ("NOT_EQUALS", "!=", .notEquals), ("LESS_THAN", "<", .lessThan),
    ("LESS_THAN_OR_EQUALS", "<=", .lessThanOrEquals), ("GREATER_THAN", ">", .greaterThan),
    ("GREATER_THAN_OR_EQUALS", ">=", .greaterThanOrEquals), ("NEAR", nil, .near),
    ("CONTAINS_ALL_TOKENS", nil, .containsAllTokens), ("CONTAINS_ANY_TOKENS", nil, .containsAnyTokens),
    ("LIST_CONTAINS_ANY", nil, .listContainsAny), ("LIST_NOT_CONTAINS_ANY", nil, .notListContainsAny),
  ]

  /// Parses `FIELD OPERATOR VALUE`. `toolOnly` accepts cktool's words only; otherwise all operators of the service.
  package static func filter(_ text: String, toolOnly: Bool = false) throws -> QueryFilter {
    do throws(FieldProblem) { return try parse(text, toolOnly) } catch { throw error.failure("filter \"\(text)\"") }
  }

  private static func parse(_ text: String, _ toolOnly: Bool) throws(FieldProblem) -> QueryFilter {
    var rest = text[...]
    guard let field = nextWord(&rest), let word = nextWord(&rest) else {
      throw FieldProblem(
        "expected FIELD OPERATOR VALUE, such as \"pages > 100\"",
        hint: text.contains(where: { "=<>!".contains($0) }) ? "spaces stand on both sides of the operator" : nil)
    }
    guard let comparator = comparator(word, toolOnly) else {
      let words = toolComparators.map(\.word) + (toolOnly ? [] : QueryComparator.allCases.map(\.rawValue))
      throw FieldProblem(
        "there is no operator \"\(word)\"",
        hint: (signs[word] ?? WordSuggestion.nearest(to: word.uppercased(), among: words))
          .map { "did you mean \"\($0)\"?" }
          ?? "see \"localcloud help filters\"")
    }
    let value = trimmed(rest)
    guard !value.isEmpty else { throw FieldProblem("the value is missing; the empty string is written \"\"") }
    // Both names mean all searchable fields, as in predicates.
    let key = ["self", "allTokens"].contains(field) ? nil : field
    if comparator == .near {
      let (center, kilometres) = try circle(value)
      return QueryFilter(key, comparator, center, distance: kilometres * 1000)
    }
    var found = try self.value(value)
    if comparator.wantsList, case .string = found, value.hasPrefix("[") {
      throw FieldProblem("a list is written as JSON, such as [\"a\",\"b\"], a string that begins so in quotes")
    }
    if comparator.wantsList, let type = found.elementType { found = .list(type, [found]) }
    return QueryFilter(key, comparator, found)
  }

  /// Operator signs of other languages and the equivalent signs.
  private static let signs = ["=": "==", "=>": ">=", "=<": "<=", "<>": "!=", "===": "==", "!==": "!="]

  private static func comparator(_ word: String, _ toolOnly: Bool) -> QueryComparator? {
    let upper = word.uppercased()
    if word == "=", !toolOnly { return .equals }
    if let known = toolComparators.first(where: { $0.word == upper || $0.sign == word }) { return known.comparator }
    return toolOnly ? nil : QueryComparator(rawValue: upper)
  }

  // MARK: Values

  /// Parses a value. Text in quotes is a string; text after a type's name has that type; the type of any other text is
  /// guessed.
  static func value(_ text: String) throws(FieldProblem) -> FieldValue {
    if text.hasPrefix("\"") { return .string(try unquoted(text)) }
    if let (name, rest) = text.splitOnce(at: ":"), let type = ToolType(name: name) { return try value(rest, of: type) }
    if text.hasPrefix("["), let list = try? JSONValue(parsing: text), list.array != nil {
      return try fieldValue(WrittenField.inferred(list))
    }
    return guessed(text)
  }

  /// Guesses a value: an integer, a number, a location, a date; any other text is a string.
  private static func guessed(_ text: String) -> FieldValue {
    for type in [FieldType.int64, .double, .location] {
      if let json = try? FieldText.value(text, of: type), let value = try? fieldValue(type.field(json)) { return value }
    }
    if let moment = try? FieldText.timestamp(text, allowingLocal: true) { return .timestamp(moment) }
    return .string(text)
  }

  private static func value(_ text: String, of type: ToolType) throws(FieldProblem) -> FieldValue {
    if type.isEncrypted { throw FieldProblem("encrypted fields can't be searched") }
    if type.isList {
      let json: JSONValue
      do throws(JSONError) { json = try JSONValue(parsing: text) } catch {
        throw FieldProblem("a list is written as JSON, such as \(type.name):[…]: \(error.message)")
      }
      guard let field = try FieldToolJSON.field(json, type: type).dictionary else {
        throw FieldProblem("assets can't be searched for")
      }
      return try fieldValue(field)
    }
    switch type.element {
    case .timestamp: return .timestamp(try FieldText.timestamp(text, allowingLocal: true))
    case .string where text.hasPrefix("\""): return .string(try unquoted(text))
    default: return try fieldValue(type.element.field(FieldText.value(text, of: type.element)))
    }
  }

  private static func fieldValue(_ field: JSONObject) throws(FieldProblem) -> FieldValue {
    do throws(ServiceError) {
      if let value = try FieldValue.parse(field, key: "value") { return value }
    } catch {
      throw FieldProblem(error.message)
    }
    throw FieldProblem("nothing is equal to null")
  }

  /// Parses `latitude,longitude,kilometres`. cktool's notation of the radius is not known.
  private static func circle(_ text: String) throws(FieldProblem) -> (FieldValue, kilometres: Double) {
    var text = text
    if let (name, rest) = text.splitOnce(at: ":"), ToolType(name: name)?.element == .location { text = rest }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0[...]) }
    guard parts.count == 3, let kilometres = Double(parts[2]), kilometres.isFinite, kilometres >= 0 else {
      throw FieldProblem("NEAR takes latitude,longitude,kilometres, such as 48.2,16.37,10")
    }
    let center = try FieldText.value(parts[0] + "," + parts[1], of: .location)
    return (try fieldValue(FieldType.location.field(center)), kilometres)
  }

  /// Removes the quotes and the backslashes that escape quotes and backslashes.
  private static func unquoted(_ text: String) throws(FieldProblem) -> String {
    var result = ""
    var isEscaped = false
    var rest = text.unicodeScalars.dropFirst()
    while let scalar = rest.popFirst() {
      if isEscaped {
        result.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\"" {
        guard rest.isEmpty else { throw FieldProblem("something follows the closing quote") }
        return result
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    throw FieldProblem("the closing quote is missing")
  }

  // MARK: Sort keys

  /// Parses `name`, `name:desc` or `name DESC`.
  package static func sort(_ text: String) throws -> QuerySort {
    let (key, order) = text.splitOnce(at: ":") ?? text.splitOnce(at: " ") ?? (text, "asc")
    guard !key.isEmpty, let ascending = orders[trimmed(order[...]).lowercased()] else {
      throw CommandFailure.usage("sort key \"\(text)\": expected FIELD, FIELD:asc or FIELD:desc")
    }
    return QuerySort(key, ascending: ascending)
  }

  /// Parses cktool's sort keys. The direction may be a separate word after the field's.
  package static func toolSorts(_ words: [String]) throws -> [QuerySort] {
    var result: [QuerySort] = []
    for word in words {
      if let ascending = orders[word.lowercased()], !result.isEmpty {
        result[result.count - 1].ascending = ascending
      } else {
        result.append(try sort(word))
      }
    }
    return result
  }

  private static let orders = ["asc": true, "desc": false]

  // MARK: Words

  private static func nextWord(_ rest: inout Substring) -> String? {
    rest = rest.drop(while: isSpace)
    let word = rest.prefix { !isSpace($0) }
    rest = rest.dropFirst(word.count)
    return word.isEmpty ? nil : String(word)
  }

  private static func trimmed(_ text: Substring) -> String {
    String(String(text.drop(while: isSpace)).reversed().drop(while: isSpace).reversed())
  }

  private static func isSpace(_ character: Character) -> Bool { character.isWhitespace }
}

extension QueryComparator {
  /// Whether the comparator takes a list of values.
  fileprivate var wantsList: Bool {
    switch self {
    case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll: true
    default: false
    }
  }
}
