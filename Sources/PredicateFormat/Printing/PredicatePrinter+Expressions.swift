#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicatePrinter {
  mutating func print(_ tree: ExpressionTree) throws(PredicateDepthError) {
    try nested { (printer) throws(PredicateDepthError) in
      switch tree {
      case .constant(let value): try printer.print(value)
      case .subject: printer.write("SELF")
      case .anyKey: printer.write("ANYKEY")
      case .variable(let name): printer.write("$" + Self.name(name))
      case .assignment(let name, let value):
        printer.write("$\(Self.name(name)) := ")
        try printer.print(value)
      case .keyPath(let base, let names):
        if base != .subject {
          try printer.printBase(base)
          printer.write(".")
        }
        printer.write(names.map(Self.key).joined(separator: "."))
      case .index(let base, let index):
        try printer.printBase(base)
        try printer.print(index)
      case .aggregate(let members):
        printer.write("{")
        try printer.print(members)
        printer.write("}")
      case .call(let function, let arguments): try printer.print(function, arguments)
      case .method(let object, let selector, let arguments):
        printer.write("FUNCTION(")
        try printer.print(object)
        printer.write(", " + Self.quoted(selector))
        for argument in arguments {
          printer.write(", ")
          try printer.print(argument)
        }
        printer.write(")")
      case .subquery(let collection, let variable, let condition):
        printer.write("SUBQUERY(")
        try printer.print(collection)
        printer.write(", $\(Self.name(variable)), ")
        try printer.print(condition)
        printer.write(")")
      case .ternary(let condition, let yes, let no):
        printer.write("TERNARY(")
        try printer.print(condition)
        printer.write(", ")
        try printer.print([yes, no])
        printer.write(")")
      case .fetch(let request, let context, let countOnly):
        printer.write("FETCH(")
        try printer.print([request, context, countOnly])
        printer.write(")")
      }
    }
  }

  private mutating func print(_ index: ExpressionTree.Index) throws(PredicateDepthError) {
    write("[")
    switch index {
    case .first: write("FIRST")
    case .last: write("LAST")
    case .size: write("SIZE")
    case .at(let position): try print(position)
    }
    write("]")
  }

  /// Prints the expression before a point or a bracket.
  private mutating func printBase(_ base: ExpressionTree) throws(PredicateDepthError) {
    switch base {
    case .constant, .assignment: try printInParentheses(base)
    case .call(let function, _) where function.infix != nil || function.prefix != nil: try printInParentheses(base)
    default: try print(base)
    }
  }

  private mutating func printInParentheses(_ tree: ExpressionTree) throws(PredicateDepthError) {
    write("(")
    try print(tree)
    write(")")
  }

  // MARK: Functions

  private mutating func print(
    _ function: PredicateFunction, _ arguments: [ExpressionTree]
  ) throws(PredicateDepthError) {
    if let (sign, level) = function.infix, arguments.count == 2 {
      try print(arguments[0], atLeast: level)
      write(" \(sign) ")
      try print(arguments[1], atLeast: level.next)
    } else if let sign = function.prefix, arguments.count == 1 {
      write(sign)
      try print(arguments[0], atLeast: .unary)
    } else {
      write(function == .cast ? "CAST(" : function.rawValue + "(")
      try print(arguments)
      write(")")
    }
  }

  /// Prints an operand, in parentheses if it has a lower precedence than `level`.
  private mutating func print(
    _ tree: ExpressionTree, atLeast level: FormatParser.Level
  ) throws(PredicateDepthError) {
    switch tree {
    case .call(let function, _) where (function.infix?.level ?? .unary) < level: try printInParentheses(tree)
    case .assignment: try printInParentheses(tree)
    default: try print(tree)
    }
  }

  // MARK: Constants

  mutating func print(_ value: PredicateValue) throws(PredicateDepthError) {
    switch value {
    case .null: write("nil")
    case .integer(let number): write(String(number))
    case .double(let number): write(number.isFinite ? "\(number)" : "CAST(\"\(number)\", \"NSNumber\")")
    case .string(let string): write(Self.quoted(string))
    case .date(let seconds): write("CAST(\(seconds.isFinite ? "\(seconds)" : "\"\(seconds)\""), \"NSDate\")")
    case .data(let bytes): write("CAST(\"\(Data(bytes).base64EncodedString())\", \"NSData\")")
    case .location(let latitude, let longitude):
      write("CAST(")
      try print([.double(latitude), .double(longitude)])
      write(", \"CLLocation\")")
    case .list(let values): try print(values)
    case .dictionary(let values): try print(values, type: "NSDictionary")
    case .nullObject: write("<null>")
    case .object(let object): try print(object.parts, type: object.type)
    }
  }

  private mutating func print(_ values: [PredicateValue]) throws(PredicateDepthError) {
    write("{")
    for (index, value) in values.enumerated() {
      if index > 0 { write(", ") }
      try nested { (printer) throws(PredicateDepthError) in try printer.print(value) }
    }
    write("}")
  }

  private mutating func print(_ parts: [String: PredicateValue], type: String) throws(PredicateDepthError) {
    write("CAST(")
    try print(parts.sorted { $0.key < $1.key }.flatMap { [.string($0.key), $0.value] })
    write(", \(Self.quoted(type)))")
  }
}

extension PredicateFunction {
  /// The operator between two arguments, with its precedence; nil for other functions.
  var infix: (sign: String, level: FormatParser.Level)? {
    switch self {
    case .bitwiseOr: ("|", .bitwiseOr)
    case .bitwiseXor: ("^", .bitwiseXor)
    case .bitwiseAnd: ("&", .bitwiseAnd)
    case .leftShift: ("<<", .shift)
    case .rightShift: (">>", .shift)
    case .add: ("+", .sum)
    case .subtract: ("-", .sum)
    case .multiply: ("*", .product)
    case .divide: ("/", .product)
    case .raise: ("**", .power)
    default: nil
    }
  }

  /// The sign before the only argument; nil for other functions.
  var prefix: String? {
    switch self {
    case .negate: "-"
    case .onesComplement: "~"
    default: nil
    }
  }
}
