/// Rewrites Swift code for Apple's compiler so that the compiler on Linux accepts it.
///
/// Only code that the compiler on Linux refuses changes, and no line moves. All files of a target are rewritten
/// together, because the declaration of a class may be in another file.
///
/// - Difference: Where code is rewritten, columns of the compiler's messages may be off; lines are right.
package struct Rewriter {
  let source: SourceText
  let path: String
  let declarations: Declarations
  let index: TypeIndex
  var edits = Edits()
  var diagnostics: [Diagnostic] = []
  var registrations = Registrations()
  private var writesInitializer = false

  /// `known`: files that the target compiles unchanged. They may declare classes that others inherit from.
  package static func rewrite(
    _ files: [SourceFile], known: [SourceFile] = [], counter: StepCounter = StepCounter()
  ) -> [RewrittenFile] {
    let declarations = files.map { DeclarationScanner.declarations(of: $0.text, counter: counter) }
    let others = known.map { DeclarationScanner.declarations(of: $0.text, counter: counter) }
    let index = TypeIndex(declarations, known: others)
    return zip(files, declarations).map { file, declarations in
      var rewriter = Rewriter(source: file.text, path: file.path, declarations: declarations, index: index)
      return rewriter.rewritten()
    }
  }

  private init(source: SourceText, path: String, declarations: Declarations, index: TypeIndex) {
    self.source = source
    self.path = path
    self.declarations = declarations
    self.index = index
  }

  private mutating func rewritten() -> RewrittenFile {
    if let offset = declarations.tooDeep {
      report(
        .error, at: offset, in: .always,
        "this is nested more than \(Brackets.maximumDepth) levels deep, which the compiler refuses, too")
    }
    dropAttributes()
    for range in declarations.submodules { edits.replace(range, with: "") }
    for type in declarations.types {
      protocolRequirements(of: type)
      initializers(of: type)
      overrides(in: type)
      managedMembers(of: type)
      register(type)
    }
    for expression in declarations.expressions {
      if expression.name == "#selector" { selector(expression) } else { keyPath(expression) }
    }
    casts()
    let quoted = Self.literal(path)
    var bytes = Array("#sourceLocation(file: \(quoted), line: 1)\n".utf8) + edits.applied(to: source)
    bytes += Array(registrations.text(importing: needsImport).utf8)
    diagnostics.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    return RewrittenFile(path: path, bytes: bytes, diagnostics: diagnostics)
  }

  /// Whether inserted code needs module CoreData although the file does not import it.
  private var needsImport: Bool {
    guard declarations.imports.isDisjoint(with: ["CoreData"]) else { return false }
    return writesInitializer || !registrations.isEmpty || declarations.usesRuntime || !declarations.casts.isEmpty
      || declarations.expressions.contains { $0.name == "#selector" }
  }

  /// Reports a diagnostic for an offset, if the code there is certain to be compiled. Otherwise the compiler's own
  /// messages suffice.
  mutating func report(
    _ severity: Diagnostic.Severity, at offset: Int, in condition: Condition, _ message: String
  ) {
    guard condition.answer == .yes else { return }
    let (line, column) = source.position(offset)
    diagnostics.append(Diagnostic(severity: severity, file: path, line: line, column: column, message: message))
  }

  /// A string literal on one line. Works on scalars instead of characters, because a combining mark after a quote forms
  /// one character with it.
  ///
  /// The compiler takes the text of `#sourceLocation` as it is written, so its messages show the escapes of a path.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  // MARK: Attributes

  /// Attributes that only Objective-C or Interface Builder uses; without them the code has the same meaning.
  private static let dropped: Set<String> = [
    "objc", "objcMembers", "NSManaged", "IBAction", "IBOutlet", "IBInspectable", "IBDesignable", "IBSegueAction",
    "GKInspectable",
  ]

  static func isDropped(_ attribute: Attribute) -> Bool { dropped.contains(attribute.name) }

  private mutating func dropAttributes() {
    for attribute in declarations.attributes where Self.isDropped(attribute) {
      edits.replace(attribute.range, with: "")
    }
    for range in declarations.dynamicModifiers { edits.replace(range, with: "") }
  }

  // MARK: Protocols

  private mutating func protocolRequirements(of type: TypeDeclaration) {
    guard type.kind == .protocol else { return }
    // Only classes can conform to Objective-C protocols. Weak references to them depend on that.
    if type.attribute("objc") != nil, Set(type.inherited).isDisjoint(with: ["AnyObject", "NSObjectProtocol"]) {
      if let constraint = type.classConstraint {
        edits.replace(constraint, with: "AnyObject")
      } else if let start = type.inheritanceStart {
        edits.insert(" AnyObject,", at: start)
      } else {
        edits.insert(": AnyObject", at: type.nameEnd)
      }
    }
    for member in type.members {
      guard let optional = member.modifiers.first(where: { $0.name == "optional" }) else { continue }
      report(
        .error, at: optional.range.lowerBound, in: member.condition,
        "an optional requirement needs Objective-C: declare it without 'optional', and give it a default in an extension of '\(type.name)'"
      )
    }
  }

  // MARK: Initialisers

  /// A class with objects that are made by its name needs a required initialiser.
  private mutating func initializers(of type: TypeDeclaration) {
    guard type.kind == .class, index.isManaged(type) else { return }
    var (hasDesignated, hasRequired) = (false, false)
    for member in type.members {
      guard case .initializer(let parameters, _) = member.kind else { continue }
      if parameters.map(\.label) == ["entity", "insertInto"] {
        hasRequired = true
        require(member, at: "override")
      } else if parameters.map(\.label) == ["context"], member.has("convenience") {
        require(member, at: member.has("override") ? "override" : "convenience")
      } else if !member.has("convenience") {
        hasDesignated = true
      }
    }
    guard hasDesignated, !hasRequired else { return }
    writesInitializer = true
    let body =
      type.members.contains(where: needsValue)
      ? "fatalError(\"'\(type.name)' has no init(entity:insertInto:) of its own\")"
      : "super.init(entity: entity, insertInto: context)"
    edits.insert(
      " public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) { \(body) };",
      at: type.body.start)
  }

  /// Makes an initialiser a required one: the word replaces `override`, or is inserted before `convenience`.
  private mutating func require(_ member: Member, at word: String) {
    guard let modifier = member.modifiers.first(where: { $0.name == word }) else { return }
    let accesses = member.modifiers.filter { ["private", "fileprivate", "internal", "package"].contains($0.name) }
    for access in accesses { edits.replace(access.range, with: "") }
    let isPublic = member.has("public") || member.has("open")
    let words = [
      isPublic ? nil : "public", member.has("required") ? nil : "required", word == "override" ? nil : word,
    ]
    edits.replace(modifier.range, with: words.compactMap(\.self).joined(separator: " "))
  }

  /// Whether a property has no value before an initialiser gives it one.
  private func needsValue(_ member: Member) -> Bool {
    guard case .variables(let variables, let isConstant) = member.kind, !member.isOfType, !member.has("lazy"),
      member.value == .none || member.value == .observers,
      // Properties with other attributes may be property wrappers with values of their own.
      member.attributes.allSatisfy({ ["objc", "IBOutlet", "IBInspectable", "available"].contains($0.name) })
    else { return false }
    return isConstant
      || variables.contains { variable in
        guard let type = variable.type.map({ source[$0] }) else { return true }
        return !type.hasSuffix("?") && !type.hasSuffix("!")
      }
  }
}
