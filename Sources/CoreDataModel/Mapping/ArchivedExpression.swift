/// Expressions in keyed archives, as Xcode writes the value expressions of a mapping model.
extension KeyedArchive {
  /// Expressions may be nested this deep: with a constant in the innermost one, less than an expression of the predicate language.
  private static let maximumDepth = 60
  /// The class of the language's functions.
  private static let functions = "_NSPredicateUtilities"

  /// The archived expression.
  mutating func expression() throws(ArchiveFault) -> MappedExpression {
    try expression(root, depth: Self.maximumDepth)
  }

  private mutating func expression(_ index: Int, depth: Int) throws(ArchiveFault) -> MappedExpression {
    guard depth > 0 else { throw ArchiveFault(message: "the expression is nested too deep") }
    guard case .object(let className, let fields) = try item(index) else {
      throw ArchiveFault(message: "the archive has another object in place of an expression")
    }
    switch className {
    case "NSConstantValueExpression":
      return .constant(
        try fields["NSConstantValue"].map { (index) throws(ArchiveFault) in try value(index) } ?? .null)
    case "NSVariableExpression":
      if let name = try text(fields["NSVariable"]), !name.isEmpty { return .variable(name) }
    case "NSSelfExpression": return .subject
    case "NSKeyPathSpecifierExpression":
      if let path = try text(fields["NSKeyPath"]) { return .constant(.string(path)) }
    case "NSAggregateExpression":
      return .list(try expressions(fields["NSCollection"], depth))
    case "NSKeyPathExpression", "NSFunctionExpression": return try call(fields, depth)
    default:
      throw ArchiveFault(message: "expressions of the class \(XMLReader.quoted(className)) are not supported")
    }
    throw ArchiveFault(message: "the expression of the class \(className) lacks a part")
  }

  private mutating func expressions(_ index: Int?, _ depth: Int) throws(ArchiveFault) -> [MappedExpression] {
    var result: [MappedExpression] = []
    for member in try members(index) { result.append(try expression(member, depth: depth - 1)) }
    return result
  }

  /// A key path, a function of the language, or a method of an object.
  private mutating func call(_ fields: [String: Int], _ depth: Int) throws(ArchiveFault) -> MappedExpression {
    guard let selector = try text(fields["NSSelectorName"]), let operand = fields["NSOperand"] else {
      throw ArchiveFault(message: "an expression lacks its function")
    }
    let arguments = try expressions(fields["NSArguments"], depth)
    if try isFunctions(operand) { return .function(selector, arguments) }
    let target = try expression(operand, depth: depth - 1)
    if ["valueForKeyPath:", "valueForKey:"].contains(selector), arguments.count == 1,
      case .constant(.string(let path)) = arguments[0]
    {
      let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard names.allSatisfy({ !$0.isEmpty }) else {
        throw ArchiveFault(message: "\(XMLReader.quoted(path)) is no key path")
      }
      return .keyPath(target, names)
    }
    return .method(target, selector, arguments)
  }

  /// Whether a function's operand is the class of the language's functions.
  private mutating func isFunctions(_ index: Int) throws(ArchiveFault) -> Bool {
    guard case .object("NSConstantValueExpression", let fields) = try item(index) else { return false }
    return try text(fields["NSConstantValueClassName"]) == Self.functions
  }
}
