import LocalCloudPredicateFormat

/// Prints a tree's structure without relying on precedence: every node is in parentheses, with its name first.
enum TreeOutline {
  static func text(_ tree: PredicateTree) -> String {
    switch tree {
    case .constant(let truth): "\(truth)"
    case .and(let members): "(and \(members.map(text).joined(separator: " ")))"
    case .or(let members): "(or \(members.map(text).joined(separator: " ")))"
    case .not(let member): "(not \(text(member)))"
    case .comparison(let comparison):
      "(\(comparison.modifier.map { "\($0) " } ?? "")\(comparison.comparator)\(options(comparison.options)) "
        + "\(text(comparison.left)) \(text(comparison.right)))"
    }
  }

  private static func options(_ options: PredicateComparison.Options) -> String {
    let names: [(PredicateComparison.Options, String)] = [
      (.caseInsensitive, "case"), (.diacriticInsensitive, "diacritic"), (.normalized, "normalized"),
      (.localeSensitive, "locale"),
    ]
    return names.filter { options.contains($0.0) }.map { "/" + $0.1 }.joined()
  }

  static func text(_ tree: ExpressionTree) -> String {
    switch tree {
    case .constant(let value): text(value)
    case .subject: "self"
    case .anyKey: "anykey"
    case .variable(let name): "$\(name)"
    case .assignment(let name, let value): "(assign \(name) \(text(value)))"
    case .keyPath(.subject, let names): names.joined(separator: ".")
    case .keyPath(let base, let names): "(path \(text(base)) \(names.joined(separator: ".")))"
    case .index(let base, .at(let position)): "(at \(text(base)) \(text(position)))"
    case .index(let base, let index): "(at \(text(base)) :\(index))"
    case .aggregate(let members): "(list \(members.map(text).joined(separator: " ")))"
    case .call(let function, let arguments): "(\(([function.rawValue] + arguments.map(text)).joined(separator: " ")))"
    case .method(let object, let selector, let arguments):
      "(method \(([text(object), selector] + arguments.map(text)).joined(separator: " ")))"
    case .subquery(let collection, let variable, let condition):
      "(subquery \(text(collection)) $\(variable) \(text(condition)))"
    case .ternary(let condition, let yes, let no): "(if \(text(condition)) \(text(yes)) \(text(no)))"
    case .fetch(let request, let context, let countOnly):
      "(fetch \(text(request)) \(text(context)) \(text(countOnly)))"
    }
  }

  private static func text(_ value: PredicateValue) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number): "int:\(number)"
    case .double(let number): "double:\(number)"
    case .string(let string): string.unicodeScalars.map { $0.escaped(asASCII: false) }.joined().debugged
    case .date(let seconds): "date:\(seconds)"
    case .data(let bytes): "data:\(bytes)"
    case .location(let latitude, let longitude): "location:\(latitude),\(longitude)"
    case .list(let values): "[\(values.map(text).joined(separator: " "))]"
    case .dictionary(let values): "dictionary\(parts(values))"
    case .object(let object): object.type + parts(object.parts)
    }
  }

  private static func parts(_ parts: [String: PredicateValue]) -> String {
    "[" + parts.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ") + "]"
  }
}

extension String {
  fileprivate var debugged: String { "'\(self)'" }
}
