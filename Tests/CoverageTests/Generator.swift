import Foundation

/// Writes a source file that uses every declaration of the checklist through its declared type. The file compiles only
/// if each declaration exists with the right optionality, effects, default values and sendability.
struct Generator {
  let checklist: Checklist
  let declarations: PublicDeclarations
  /// Type names, including those that are only aliases, and the types that each type inherits from.
  private var types: Set<String> = []
  private var aliases: [String: String] = [:]
  private var members: [String: Set<String>] = [:]
  private var parents: [String: [String]] = [:]
  /// The types of the checklist, and those of them that are generic.
  private let listed: Set<String>
  private let generic: Set<String>

  private static let typeKinds = ["Class", "Structure", "Enumeration", "Protocol", "Type Alias"]

  init(_ checklist: Checklist, _ declarations: PublicDeclarations) {
    self.checklist = checklist
    self.declarations = declarations
    listed = Set(checklist.rows.filter { Self.typeKinds.contains($0.kind) }.map(\.symbol))
    generic = Set(checklist.rows.filter { $0.declaration.hasPrefix("class \($0.symbol)<") }.map(\.symbol))
    for declaration in declarations.all {
      if let owner = declaration.owner { members[owner, default: []].insert(declaration.baseName) }
      if declaration.baseName.first?.isUppercase == true {
        types.insert(declaration.path)
        if declaration.rest.hasPrefix(" = ") { aliases[declaration.path] = String(declaration.rest.dropFirst(3)) }
        // After the parameters of a generic type.
        if let match = declaration.rest.prefixMatch(of: #/(?:<[^>]*>)?: (.*)/#) {
          parents[declaration.path] = match.output.1.split { ", {".contains($0) }.map(String.init)
        }
      }
    }
  }

  // MARK: Declared symbols

  /// The path of the type itself, for a row's path (for example `CKRecord.ID`) that contains aliases.
  func resolved(_ path: String) -> String {
    if let target = aliases[path] { return resolved(target) }
    guard let dot = path.lastIndex(of: ".") else { return path }
    let (outer, inner) = (String(path[..<dot]), String(path[path.index(after: dot)...]))
    let resolvedOuter = resolved(outer)
    return resolvedOuter == outer ? path : resolved(resolvedOuter + "." + inner)
  }

  private func isThere(_ type: String) -> Bool {
    // An alias may name a type of another module, and an extension may extend one.
    let end = resolved(type)
    return types.contains(end) || types.contains(type) || aliases[type] != nil || members[type] != nil
      || !listed.contains(type) || end != type && !end.hasPrefix("CK")
  }

  private func has(_ member: String, in type: String) -> Bool {
    let type = resolved(type)
    // The compiler synthesizes initializers of raw values.
    if member == "init", parents[type]?.contains(where: { ["Int", "UInt"].contains($0) }) == true { return true }
    if members[type]?.contains(member) == true { return true }
    return parents[type, default: []].contains { has(member, in: $0) }
  }

  /// True if the row's symbol and every type that its declaration names are declared.
  func isThere(_ row: Checklist.Row) -> Bool {
    let mentioned = row.declaration.matches(of: #/\b(?:CK|NS)[A-Za-z]+(?:\.[A-Z][A-Za-z]*)*/#).map {
      String($0.output)
    }
    for name in mentioned where !isThere(name) {
      guard declarations.all.contains(where: { $0.owner == nil && $0.baseName == name }) else { return false }
    }
    switch row.kind {
    case _ where Self.typeKinds.contains(row.kind): return isThere(row.symbol)
    default:
      guard let owner = row.owner else {
        return declarations.all.contains { $0.owner == nil && $0.baseName == row.symbol }
      }
      guard isThere(owner), has(row.baseName, in: owner) else { return false }
      // A function of that name may have other parameters. Synthesized members of raw values have no declaration.
      return !row.member.contains("(") || row.member == "init(rawValue:)" || !declarations(of: row).isEmpty
    }
  }

  /// The declarations of a row's symbol, in its owner or in a type that the owner inherits from.
  func declarations(of row: Checklist.Row) -> [PublicDeclarations.Declaration] {
    if Self.typeKinds.contains(row.kind) {
      let paths = [row.symbol, resolved(row.symbol), row.owner.map { resolved($0) + "." + row.baseName }]
      return declarations.all.filter { paths.contains($0.path) }
    }
    guard let owner = row.owner else { return declarations.all.filter { $0.owner == nil && $0.baseName == row.symbol } }
    return declarations(of: row, in: resolved(owner))
  }

  private func declarations(of row: Checklist.Row, in owner: String) -> [PublicDeclarations.Declaration] {
    let own = declarations.all.filter { declaration in
      declaration.owner == owner && declaration.baseName == row.baseName
        && (declaration.labels == nil || declaration.callName == row.member || row.kind == "Instance Subscript")
    }
    return own.isEmpty ? parents[owner, default: []].flatMap { declarations(of: row, in: $0) } : own
  }

  var skipped: [Checklist.Row] { checklist.rows.filter { !isThere($0) } }

  // MARK: Generated text

  var text: String {
    var text = """
      \(checklist.interface.imports.map { "import \($0)" }.joined(separator: "\n"))

      /// The value is of this type and no other.
      private func exact<Value>(_ value: inout Value, _ type: Value.Type) {}

      private func sendable<Value: Sendable>(_ type: Value.Type) {}

      enum \(checklist.interface.module)Rows {

      """
    for (number, row) in checklist.rows.enumerated() where isWritten(row) {
      text += "\n  // \(row.symbol)\n"
      // Foundation marks NSExpression as deprecated on Linux.
      if row.isDeprecated || row.declaration.contains(#/NSExpression(?!Description)/#) {
        text += "  @available(*, deprecated)\n"
      }
      text += lines(row, "row\(number + 1)").map { "  \($0)\n" }.joined()
    }
    return text + "}\n"
  }

  private func isWritten(_ row: Checklist.Row) -> Bool {
    isThere(row) && !checklist.isExcepted(row.symbol, .generated)
  }

  private func lines(_ row: Checklist.Row, _ name: String) -> [String] {
    let owner = spelled(row.owner ?? "")
    switch row.kind {
    case "Class", "Structure", "Enumeration", "Protocol": return type(row, name)
    case "Type Alias":
      let target = row.declaration.components(separatedBy: " = ").last ?? ""
      if target.hasPrefix("__") {
        return function(name, "", ["let _: (any \(target)).Type = (any \(row.symbol)).self"])
      }
      return function(name, "", ["let _: (\(target)).Type = (\(row.symbol)).self"])
    // A case with values is made by a call.
    case "Case" where !row.declaration.contains("("):
      return function(name, "", ["var value = \(owner).\(row.baseName)", "exact(&value, (\(owner)).self)"])
    case "Global Variable", "Type Property":
      return function(name, "", ["var value = \(row.symbol)", "exact(&value, (\(valueType(row))).self)"])
    case "Instance Property": return property(row, name, owner)
    case "Instance Subscript": return subscription(row, name, owner)
    default: return call(row, name, owner)
    }
  }

  /// The list has the members of generic classes for NSManagedObject.
  private func spelled(_ type: String) -> String { generic.contains(type) ? type + "<NSManagedObject>" : type }

  private func function(
    _ name: String, _ parameters: String, _ body: [String], generics: String = "", effects: String = ""
  )
    -> [String]
  {
    ["static func \(name)\(generics)(\(parameters))\(effects) {"] + body.map { "  \($0)" } + ["}"]
  }

  /// Uses a type, and every type that it inherits from or conforms to.
  private func type(_ row: Checklist.Row, _ name: String) -> [String] {
    if row.kind == "Protocol" { return function(name, "_ value: any \(row.symbol)", ["_ = value"]) }
    let above = row.declaration.components(separatedBy: " : ").dropFirst().first?.components(separatedBy: ", ") ?? []
    let type = spelled(row.symbol)
    let foundation = ["NSObject", "NSSortDescriptor", "NSExpression", "Operation"]
    let lines = above.map { parent in
      if parent == "Sendable" { return "sendable((\(type)).self)" }
      let isClass =
        foundation.contains(parent) || checklist.rows.contains { $0.symbol == parent && $0.kind == "Class" }
      return "let _: \(isClass ? parent : "any \(parent)").Type = (\(type)).self"
    }
    return function(name, "", lines.isEmpty ? ["_ = (\(type)).self"] : lines)
  }

  /// `T` of `var name: T { get set }`.
  private func valueType(_ row: Checklist.Row) -> String {
    let declaration = row.declaration
    let start = declaration.firstRange(of: ": ").map(\.upperBound) ?? declaration.startIndex
    let type = String(declaration[start...]).replacing(" { get set }", with: "").replacing(" { get }", with: "")
    return type.hasSuffix("!") ? String(type.dropLast()) + "?" : type
  }

  private func property(_ row: Checklist.Row, _ name: String, _ owner: String) -> [String] {
    let type = valueType(row)
    if isProtocol(owner) {
      return function(
        name, "_ owner: any \(owner)", ["var value = owner.\(row.baseName)", "exact(&value, (\(type)).self)"])
    }
    let isSettable = row.declaration.hasSuffix("{ get set }")
    let isClass = checklist.rows.contains { $0.symbol == row.owner && $0.kind == "Class" }
    let kind = !isSettable ? "KeyPath" : isClass ? "ReferenceWritableKeyPath" : "WritableKeyPath"
    let body = ["let _: \(kind)<\(owner), \(type)> = \\\(owner).\(row.baseName)"]
    // In language mode 5 `@preconcurrency` removes `@Sendable` from a block's type.
    return function(name, "", type.contains("@Sendable") ? ["#if swift(>=6)"] + body + ["#endif"] : body)
  }

  private func isProtocol(_ owner: String) -> Bool {
    checklist.rows.contains { $0.symbol == owner && $0.kind == "Protocol" }
  }

  private func subscription(_ row: Checklist.Row, _ name: String, _ owner: String) -> [String] {
    guard let signature = Signature(row.declaration), let result = signature.result else { return [] }
    let parameters =
      "_ owner: \(isProtocol(owner) ? "any " : "")\(owner), _ key: \(signature.parameters[0].type)"
      + (signature.generics.isEmpty ? "" : ", _ type: T.Type")
    let lines = function(
      name, parameters, ["let value: \(result) = owner[key]", "owner[key] = value"], generics: signature.generics)
    return [lines[0].replacing(" {", with: signature.conditions + " {")] + lines.dropFirst()
  }

  /// A call with all arguments, and one with only the required arguments.
  private func call(_ row: Checklist.Row, _ name: String, _ owner: String) -> [String] {
    guard let signature = Signature(row.declaration) else { return [] }
    let isInitializer = row.baseName == "init"
    let isStatic = isInitializer || ["Type Method", "Case"].contains(row.kind)
    var parameters = isStatic ? [] : ["_ owner: \(isProtocol(owner) ? "any " : "")\(owner)"]
    parameters += signature.parameters.enumerated().map { "_ p\($0): \($1.type)" }
    let base = row.baseName == "default" ? "`default`" : row.baseName
    let callee = isInitializer ? owner : (isStatic ? owner : "owner") + "." + base
    let effects = (signature.canThrow ? "try " : "") + (signature.isAsync ? "await " : "")
    func call(_ isWanted: (Signature.Parameter) -> Bool) -> String {
      let arguments = signature.parameters.enumerated().filter { isWanted($1) }.map { index, parameter in
        (parameter.label == "_" ? "" : parameter.label + ": ") + "p\(index)"
      }
      return "\(effects)\(callee)(\(arguments.joined(separator: ", ")))"
    }
    let result =
      isInitializer || row.kind == "Case"
      ? owner + (signature.isFailable ? "?" : "") : signature.result.map { $0 == "Self" ? owner : $0 }
    func lines(_ call: String, _ variable: String) -> [String] {
      guard let result else { return [call] }
      // The compiler warns if it infers this type for a variable.
      let annotation = result == "AnyClass" ? ": AnyClass" : ""
      return ["var \(variable)\(annotation) = \(call)", "exact(&\(variable), (\(result)).self)"]
    }
    var body = lines(call { _ in true }, "value")
    if signature.parameters.contains(where: \.hasDefault) { body += lines(call { !$0.hasDefault }, "short") }
    if row.declaration.contains("@discardableResult") { body.append(call { _ in true }) }
    let declared = (signature.isAsync ? " async" : "") + (signature.canThrow ? " throws" : "")
    return function(
      name, parameters.joined(separator: ", "), body, generics: signature.generics, effects: declared)
  }
}
