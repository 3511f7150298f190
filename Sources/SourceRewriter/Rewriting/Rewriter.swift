/// Rewrites Swift code that is made for Apple's compiler so that Linux's compiles it.
///
/// Only what Linux refuses changes, and no line moves. All files of a target are rewritten together: what a class is may
/// stand in another file.
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

  /// `known`: files that the target compiles as they are, which may declare classes that others inherit from.
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

  /// Whether code that was written needs module CoreData where the file does not import it.
  private var needsImport: Bool {
    guard declarations.imports.isDisjoint(with: ["CoreData"]) else { return false }
    return writesInitializer || !registrations.isEmpty || declarations.usesRuntime || !declarations.casts.isEmpty
      || declarations.expressions.contains { $0.name == "#selector" }
  }

  /// Says something of a place, if it is sure to be compiled; of what may not be, the compiler itself says enough.
  mutating func report(
    _ severity: Diagnostic.Severity, at offset: Int, in condition: Condition, _ message: String
  ) {
    guard condition.answer == .yes else { return }
    let (line, column) = source.position(offset)
    diagnostics.append(Diagnostic(severity: severity, file: path, line: line, column: column, message: message))
  }

  /// A string literal on one line. Scalars are looked at, and not characters: a mark after a quote makes one with it.
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

  /// Those that only Objective-C or Interface Builder has a use for; without them the code is the same.
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
    // Protocols of Objective-C are of classes alone; weak references of them rely on that.
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

  /// A class whose objects are made by its name needs a required initialiser.
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

  /// Makes an initialiser a required one, with the word in the place of `override` or before `convenience`.
  private mutating func require(_ member: Member, at word: String) {
    guard let place = member.modifiers.first(where: { $0.name == word }) else { return }
    let accesses = member.modifiers.filter { ["private", "fileprivate", "internal", "package"].contains($0.name) }
    for access in accesses { edits.replace(access.range, with: "") }
    let isPublic = member.has("public") || member.has("open")
    let words = [
      isPublic ? nil : "public", member.has("required") ? nil : "required", word == "override" ? nil : word,
    ]
    edits.replace(place.range, with: words.compactMap(\.self).joined(separator: " "))
  }

  /// Whether a property has no value before an initialiser gives it one.
  private func needsValue(_ member: Member) -> Bool {
    guard case .variables(let variables, let isConstant) = member.kind, !member.isOfType, !member.has("lazy"),
      member.value == .none || member.value == .observers,
      // Others may be property wrappers, which have values of their own.
      member.attributes.allSatisfy({ ["objc", "IBOutlet", "IBInspectable", "available"].contains($0.name) })
    else { return false }
    return isConstant
      || variables.contains { variable in
        guard let type = variable.type.map({ source[$0] }) else { return true }
        return !type.hasSuffix("?") && !type.hasSuffix("!")
      }
  }
}
