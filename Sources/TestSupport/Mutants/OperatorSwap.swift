/// An operator that a fault replaces with another one.
struct OperatorSwap: Sendable {
  let kind: Mutant.Kind
  /// The other operator, for people.
  let other: String
  let precedence: String
  /// The parameters, result and body of each function.
  let functions: [String]
  /// Whether the operator is written without spaces, as in ranges.
  var isTight = false

  func declaration(_ name: String) -> String {
    let own = name + Mutant.symbol
    return (["infix operator \(own): \(precedence)"] + functions.map { "func \(own) \($0)" }).joined(separator: "\n")
  }

  static let all: [String: OperatorSwap] = [
    "==": equality("==", "!="), "!=": equality("!=", "=="), "<": comparison("<", "<="), "<=": comparison("<=", "<"),
    ">": comparison(">", ">="), ">=": comparison(">=", ">"),
    "&&": connective("&&", "||", "LogicalConjunctionPrecedence"),
    "||": connective("||", "&&", "LogicalDisjunctionPrecedence"), "..<": range("Range", "..<"),
    "...": range("ClosedRange", "..."),
  ]

  private static let isOn = "plantedFault(\(Mutant.number))"

  private static func equality(_ own: String, _ other: String) -> OperatorSwap {
    let body = "-> Bool { \(isOn) ? a \(other) b : a \(own) b }"
    return OperatorSwap(
      kind: .negatedCondition, other: other, precedence: "ComparisonPrecedence",
      functions: [
        "<T: Equatable>(a: T, b: T) \(body)", "<T: Equatable>(a: T?, b: T?) \(body)",
        "<T>(a: T?, b: _OptionalNilComparisonType) \(body)",
      ])
  }

  private static func comparison(_ own: String, _ other: String) -> OperatorSwap {
    OperatorSwap(
      kind: .movedBoundary, other: other, precedence: "ComparisonPrecedence",
      functions: ["<T: Comparable>(a: T, b: T) -> Bool { \(isOn) ? a \(other) b : a \(own) b }"])
  }

  private static func connective(_ own: String, _ other: String, _ precedence: String) -> OperatorSwap {
    OperatorSwap(
      kind: .negatedCondition, other: other, precedence: precedence,
      functions: [
        "(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
          + "{ \(isOn) ? try a \(other) b() : try a \(own) b() }"
      ])
  }

  private static func range(_ type: String, _ own: String) -> OperatorSwap {
    OperatorSwap(
      kind: .movedBoundary, other: "one that ends one later", precedence: "RangeFormationPrecedence",
      functions: [
        "<T: Strideable & Comparable>(a: T, b: T) -> \(type)<T> where T.Stride: SignedInteger "
          + "{ a \(own) (\(isOn) ? b.advanced(by: 1) : b) }"
      ], isTight: true)
  }
}
