extension Rewriter {
  /// Records the names of a type that module CoreData needs when the program starts: Swift's runtime knows classes by
  /// their modules' names, and knows no properties.
  mutating func register(_ type: TypeDeclaration) {
    guard type.kind == .class || type.kind == .extension, index.isClass(type), !type.isGeneric, !type.isLocal,
      !type.isHidden
    else { return }
    let name = Self.expression(type.path)
    if type.kind == .class, let known = type.attribute("objc")?.argument, !known.isEmpty {
      registrations.add("_registerManagedObjectClass(\(Self.literal(known)), { \(name).self })", type.condition)
    }
    for member in type.members {
      guard case .variables(let variables, _) = member.kind, !member.isOfType else { continue }
      let objectiveC = member.attribute("objc")
      if member.has("private") {
        if objectiveC != nil, member.attribute("NSManaged") == nil, member.value == .accessors, index.isManaged(type) {
          report(
            .warning, at: member.keyword.lowerBound, in: member.condition,
            "value(forKey:) and predicates do not find private properties: declare it fileprivate")
        }
        continue
      }
      if member.attribute("NSManaged") != nil {
        for variable in variables {
          let key = objectiveC?.argument ?? variable.name
          guard Self.primitive(key) == nil else { continue }
          registrations.addKeyPath(
            "(\\\(name).\(Self.expression([variable.name])), \(Self.literal(key)))", of: name, member.condition)
        }
      } else if objectiveC != nil || index.hasObjectiveCMembers(type), member.attribute("nonobjc") == nil {
        for variable in variables {
          let known = objectiveC?.argument ?? variable.name
          registrations.addKeyPath(
            "(\\\(name).\(Self.expression([variable.name])), \(Self.literal(known)))", of: name, member.condition)
          let keys = Set([variable.name, known]).sorted()
          for key in keys {
            registrations.add(
              "_registerComputedProperty({ \(name).self }, \(Self.literal(key)), { ($0 as! \(name)).\(Self.expression([variable.name])) })",
              member.condition)
          }
        }
      }
    }
  }

  /// Names as code: those that may be keywords are escaped.
  private static func expression(_ names: [String]) -> String {
    names.map { escaped.contains($0) || $0.contains(" ") ? "`\($0)`" : $0 }.joined(separator: ".")
  }

  private static let escaped: Set<String> = [
    "class", "struct", "enum", "protocol", "extension", "func", "var", "let", "init", "case", "default", "in", "is",
    "as",
    "for", "if", "else", "where", "while", "repeat", "return", "switch", "self", "Self", "Type", "true", "false", "nil",
    "operator", "import", "internal", "public", "private", "static", "subscript", "super", "throw", "throws", "try",
    "do",
    "catch", "defer", "guard", "break", "continue", "typealias", "inout", "deinit", "fallthrough", "rethrows",
  ]
}

/// The registrations that a file's code performs before the program begins.
struct Registrations {
  private var statements: [(text: String, condition: Condition)] = []
  private var keyPaths: [(type: String, condition: Condition, pairs: [String])] = []

  var isEmpty: Bool { statements.isEmpty && keyPaths.isEmpty }

  mutating func add(_ statement: String, _ condition: Condition) {
    if condition.answer != .no { statements.append((statement, condition)) }
  }

  mutating func addKeyPath(_ pair: String, of type: String, _ condition: Condition) {
    guard condition.answer != .no else { return }
    if let last = keyPaths.last, last.type == type, last.condition == condition {
      keyPaths[keyPaths.count - 1].pairs.append(pair)
    } else {
      keyPaths.append((type, condition, [pair]))
    }
  }

  /// The code after the file's own. It is not on the user's lines.
  func text(importing: Bool) -> String {
    guard importing || !isEmpty else { return "" }
    var lines = ["", "#sourceLocation()"]
    if importing { lines.append("import CoreData") }
    if !isEmpty {
      // A function that the loader calls before `main`, like a constructor of C.
      lines.append(
        "@section(\".init_array\") @used nonisolated private let _appleSource: @convention(c) () -> Void = {")
      let calls =
        statements + keyPaths.map { ("_registerKeyPaths({ [\($0.pairs.joined(separator: ", "))] })", $0.condition) }
      for (text, condition) in calls {
        lines += condition.answer == .yes ? ["  \(text)"] : ["  #if \(condition.text)", "    \(text)", "  #endif"]
      }
      lines.append("}")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
