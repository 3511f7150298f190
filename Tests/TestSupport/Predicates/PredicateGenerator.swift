import FaultInjection
import LocalCloudPredicateFormat

/// Generates random trees that the parser can produce, with many parts that are difficult to print.
package struct PredicateGenerator {
  package var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  package mutating func tree(depth: Int) -> PredicateTree {
    switch depth <= 0 ? 0 : below(10) {
    case 0: return .constant(coin())
    case 1: return .and((0..<(2 + below(3))).map { _ in tree(depth: depth - 1) })
    case 2: return .or((0..<(2 + below(3))).map { _ in tree(depth: depth - 1) })
    case 3, 4: return .not(tree(depth: depth - 1))
    default:
      let comparison = PredicateComparison(
        modifier: [nil, nil, .any, .all][below(4)], expression(depth: depth - 1),
        PredicateComparison.Operator.allCases.randomElement(using: &random) ?? .equal,
        options: PredicateComparison.Options(rawValue: coin() ? 0 : UInt8(below(16))), expression(depth: depth - 1))
      return .comparison(comparison)
    }
  }

  package mutating func expression(depth: Int) -> ExpressionTree {
    switch depth <= 0 ? below(5) : below(16) {
    case 0, 1: return .constant(value(depth: depth))
    case 2: return .subject
    case 3: return .variable(key().replacing("@", with: "a"))
    case 4, 5: return .keyPath(.subject, keys())
    case 6: return path(from: expression(depth: depth - 1))
    case 7:
      let index: [ExpressionTree.Index] = [.first, .last, .size, .at(expression(depth: depth - 1))]
      return .index(expression(depth: depth - 1), index[below(4)])
    case 8: return aggregate(depth: depth)
    case 9:
      return .method(expression(depth: depth - 1), text(), (0..<below(3)).map { _ in expression(depth: depth - 1) })
    case 10:
      return .subquery(expression(depth: depth - 1), variable: "x", tree(depth: depth - 1))
    case 11:
      return .ternary(tree(depth: depth - 1), expression(depth: depth - 1), expression(depth: depth - 1))
    case 12: return coin() ? .anyKey : .assignment("v", expression(depth: depth - 1))
    default: return call(depth: depth)
    }
  }

  private mutating func path(from base: ExpressionTree) -> ExpressionTree {
    // The parser merges a path from a path into one path.
    switch base {
    case .keyPath(let inner, let names): .keyPath(inner, names + keys())
    default: .keyPath(base, keys())
    }
  }

  private mutating func aggregate(depth: Int) -> ExpressionTree {
    let members = (0..<below(4)).map { _ in expression(depth: depth - 1) }
    let constants = members.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    return constants.count == members.count ? .constant(.list(constants)) : .aggregate(members)
  }

  private mutating func call(depth: Int) -> ExpressionTree {
    let functions = PredicateFunction.allCases.filter { $0 != .element }
    let function = functions[below(functions.count)]
    let count: Int
    switch function {
    case .random, .now: count = 0
    default: count = function == .negate ? 1 : function.rawValue.count { $0 == ":" }
    }
    let arguments = (0..<count).map { _ in expression(depth: depth - 1) }
    // The parser folds these calls into constants.
    switch (function, arguments.first) {
    case (.negate, .constant(.integer)?), (.negate, .constant(.double)?), (.cast, .constant?):
      return .call(function, [.subject] + arguments.dropFirst())
    default: return .call(function, arguments)
    }
  }

  // MARK: Values

  package mutating func value(depth: Int) -> PredicateValue {
    switch depth <= 0 ? below(7) : below(10) {
    case 0: return .null
    case 1: return .integer([0, 1, -1, .max, .min, Int64(below(100))][below(6)])
    case 2: return .double([0.5, -0.0, 1e300, .leastNonzeroMagnitude, 1, -2.25, .infinity, .pi][below(8)])
    case 3, 4: return .string(text())
    case 5: return .date(Double(below(1_000_000)) / 7)
    case 6: return .data((0..<below(5)).map { _ in UInt8(below(256)) })
    case 7: return .list((0..<below(4)).map { _ in value(depth: depth - 1) })
    case 8: return .dictionary(parts(depth: depth))
    default:
      return coin()
        ? .location(latitude: Double(below(180)) - 90, longitude: 0.5)
        : .object(PredicateObject(type: "CKReference", parts: parts(depth: depth)))
    }
  }

  private mutating func parts(depth: Int) -> [String: PredicateValue] {
    var parts: [String: PredicateValue] = [:]
    for _ in 0..<below(3) { parts[text()] = value(depth: depth - 1) }
    return parts
  }

  private mutating func keys() -> [String] { (0..<(1 + below(3))).map { _ in key() } }

  private mutating func key() -> String {
    switch below(6) {
    case 0: ["size", "FIRST", "and", "@count", "@sum", "self", "uti", "TERNARY", "now"][below(9)]
    case 1: "k" + text().filter { $0 != "." }
    case 2: ["été", "日本", "1a", "a b", "a-b", "#a", "a\u{301}", "😀", "_"][below(9)]
    default: ["name", "a", "tags", "b2", "value"][below(5)]
    }
  }

  private mutating func text() -> String {
    let pieces = [
      "a", "B", "é", "e\u{301}", "\"", "'", "\\", "\n", "\t", "\0", "\u{7F}", "\u{2028}", "%@", "%", " ", "日", "😀",
      "\\u",
      "]", "\u{85}", "\r\n", "\u{FEFF}", "\u{202E}",
    ]
    return (0..<below(5)).map { _ in pieces[below(pieces.count)] }.joined()
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func coin() -> Bool { Bool.random(using: &random) }
}
