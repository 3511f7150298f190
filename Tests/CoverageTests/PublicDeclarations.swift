import Foundation

/// The public declarations in the sources of a module and of the modules that it re-exports, found line by line. The
/// sources are formatted, so a member is indented by two more columns than its type.
struct PublicDeclarations {
  struct Declaration: Sendable {
    /// The type that declares the member, for example `CKRecordID`; nil at the top level.
    var owner: String?
    /// The name without labels, for example `init`, `recordName` or `CKRecordID`.
    var baseName: String
    /// Argument labels with colons, for functions.
    var labels: String?
    /// Path below the package's folder.
    var file: String
    /// Line number, from 1.
    var line: Int
    var hasComment: Bool
    /// The text after the name on the same line.
    var rest: String

    var name: String { baseName + (labels.map { "(\($0))" } ?? "") }
    /// The name in a call: the compiler supplies the isolation.
    var callName: String { name.replacing("(isolation:", with: "(").replacing(":isolation:", with: ":") }
    var path: String { (owner.map { $0 + "." } ?? "") + name }
  }

  private(set) var all: [Declaration] = []

  init(_ interface: Interface) throws {
    for folder in interface.sources {
      let sources = Interface.root.appendingPathComponent(folder)
      let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
      for name in names.filter({ $0.hasSuffix(".swift") }).sorted() {
        let text = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
        read(text.components(separatedBy: "\n"), folder + name)
      }
    }
  }

  private struct Scope {
    var indentation: Int
    var name: String
    /// True if members of the scope are public by default.
    var isPublic: Bool
    var isEnumeration: Bool
    var isVisible: Bool
  }

  private let pattern =
    #/^( *)((?:@[A-Za-z_]+(?:\([^)]*\))? |open |public |package |internal |private |fileprivate |private\(set\) |internal\(set\) |final |static |class (?=var|func)|override |required |convenience |nonisolated |lazy |weak |indirect |mutating )*)(class|struct|enum|protocol|extension|func|var|let|init|subscript|typealias|case)\b ?([`A-Za-z_][A-Za-z0-9_.`]*)?(.*)$/#

  private mutating func read(_ lines: [String], _ file: String) {
    var scopes: [Scope] = []
    for (index, line) in lines.enumerated() {
      let indentation = line.prefix { $0 == " " }.count
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("}") {
        while let scope = scopes.last, scope.indentation >= indentation { scopes.removeLast() }
      }
      // Conditional compilation indents the lines within it.
      guard let match = line.wholeMatch(of: pattern) else { continue }
      let (modifiers, keyword) = (match.output.2, String(match.output.3))
      let name = match.output.4.map { $0.replacingOccurrences(of: "`", with: "") } ?? ""
      while let scope = scopes.last, scope.indentation >= indentation { scopes.removeLast() }
      let scope = scopes.last
      // A deeper indentation than a member's: within a function.
      if let scope, indentation > scope.indentation + 2 { continue }
      if scope == nil, indentation > 2 { continue }
      let hidden = ["private ", "fileprivate ", "package ", "internal "].contains { modifiers.contains($0) }
      let isOpen = modifiers.contains("open ") || modifiers.contains("public ")
      let isVisible =
        !hidden && (scope?.isVisible ?? true)
        && (isOpen || scope?.isPublic == true || keyword == "case" && scope?.isEnumeration == true)
      let rest = String(match.output.5)
      switch keyword {
      case "class", "struct", "enum", "protocol", "extension":
        // An extension of a protocol gives Foundation's classes initializers that return other classes.
        let constraint = name == "NSCopying" ? rest.firstMatch(of: #/where Self: (\w+)/#).map { String($0.1) } : nil
        let path = keyword == "extension" ? constraint ?? name : (scope.map { $0.name + "." } ?? "") + name
        if keyword != "extension", isVisible { add(scope?.name, name, nil, file, lines, index, rest) }
        let isPublic = keyword == "protocol" && isVisible || keyword == "extension" && modifiers.contains("public ")
        if rest.hasSuffix("}") { break }
        scopes.append(
          Scope(
            indentation: indentation, name: path, isPublic: isPublic, isEnumeration: keyword == "enum" && isVisible,
            isVisible: keyword == "extension" ? !hidden : isVisible))
      case "case" where scope?.isEnumeration == true && isVisible:
        for (number, part) in (name + rest).components(separatedBy: ", ").enumerated() {
          let base = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          if !base.isEmpty { add(scope?.name, String(base), nil, file, lines, index, rest, isFirst: number == 0) }
        }
      case "func", "init", "subscript":
        guard isVisible else { continue }
        let base = keyword == "func" ? name : keyword
        add(scope?.name, base, Self.labels(lines, index, isSubscript: keyword == "subscript"), file, lines, index, rest)
      case "var", "let", "typealias":
        guard isVisible else { continue }
        add(scope?.name, name, nil, file, lines, index, rest)
      default: continue
      }
    }
  }

  private mutating func add(
    _ owner: String?, _ name: String, _ labels: String?, _ file: String, _ lines: [String], _ index: Int,
    _ rest: String,
    isFirst: Bool = true
  ) {
    all.append(
      Declaration(
        owner: owner, baseName: name, labels: labels, file: file, line: index + 1,
        hasComment: Self.hasComment(lines, before: index), rest: rest))
  }

  private static func hasComment(_ lines: [String], before index: Int) -> Bool {
    var index = index - 1
    while index >= 0 {
      let line = lines[index].trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("///") { return true }
      guard line.hasPrefix("@") || line.hasPrefix("// ") || line.hasPrefix("#if") else {
        return false
      }
      index -= 1
    }
    return false
  }

  /// The labels, for example `_:zoneID:`, between the first parenthesis and its end, also over several lines.
  private static func labels(_ lines: [String], _ index: Int, isSubscript: Bool) -> String {
    let text = Array(lines[index..<min(index + 40, lines.count)].joined(separator: " "))
    guard let start = text.firstIndex(of: "(") else { return "" }
    return Signature.split(text[(start + 1)...]).parts.map { part in
      let words = part.prefix { $0 != ":" }.split(separator: " ").filter { !$0.hasPrefix("@") }
      // A subscript's parameter has no label unless it has two names.
      return (isSubscript && words.count < 2 ? "_" : String(words.first ?? "_")) + ":"
    }.joined()
  }
}
