extension Rewriter {
  /// Without Objective-C the compiler refuses an override in an extension. The override becomes a replacement of an
  /// override in the class, and that one calls the superclass's member. The class gets it here, or has it from the
  /// models' plugin.
  mutating func overrides(in type: TypeDeclaration) {
    if type.kind == .class {
      var names: Set<String> = []
      for (override, access) in index.overridesInExtensions(of: type)
      where override.member.condition.answer != .no && names.insert(override.name).inserted {
        edits.insert(" \(access.map { $0 + " " } ?? "")\(override.declaration)", at: type.body.start)
      }
    } else if type.kind == .extension {
      for member in type.members where member.has("override") { replaceOverride(member, of: type) }
      // An initializer of an extension is never inherited, so that nothing is required of a subclass.
      for member in type.members where member.has("required") {
        guard case .initializer = member.kind, let word = member.modifiers.first(where: { $0.name == "required" })
        else {
          continue
        }
        edits.replace(word.range, with: "")
      }
    }
  }

  private mutating func replaceOverride(_ member: Member, of type: TypeDeclaration) {
    guard let word = member.modifiers.first(where: { $0.name == "override" }) else { return }
    guard let override = type.overrides.first(where: { $0.member.keyword == member.keyword }) else {
      return report(
        .error, at: word.range.lowerBound, in: member.condition,
        "this can't be overridden in an extension: move it into the class '\(type.name)'")
    }
    switch index.classFile(of: type) {
    case .rewritten: break
    case .other where ExtensionOverride.generated.contains(override.name): break
    case .known, .other:
      return report(
        .error, at: word.range.lowerBound, in: member.condition,
        "'\(override.name)' can't be overridden in an extension, as no file with the class '\(type.name)' is rewritten: move it into the class, or the class into a file that is rewritten"
      )
    }
    // Attributes come before all modifiers.
    let first = member.modifiers.first { $0.name != "dynamic" } ?? word
    edits.insert("@_dynamicReplacement(for: \(override.name)) ", at: first.range.lowerBound)
    edits.replace(word.range, with: "")
    edits.replace(member.name, with: override.replacementName)
    // A replacement can't be overridden.
    if let open = member.modifiers.first(where: { $0.name == "open" }) { edits.replace(open.range, with: "public") }
  }
}

/// An override of a method or a property in an extension.
struct ExtensionOverride {
  let member: Member
  /// As the compiler names it: `awake(fromSnapshotEvents:)`.
  let name: String
  /// The name of the replacement.
  let replacementName: String
  /// The override in the class. It calls the superclass's member.
  let declaration: String

  /// The members that each class of the plugin `CoreDataModels` overrides, so that an extension can replace them.
  static let generated: Set<String> = [
    "awakeFromInsert()", "awakeFromFetch()", "awake(fromSnapshotEvents:)", "prepareForDeletion()", "willSave()",
    "didSave()", "willTurnIntoFault()", "didTurnIntoFault()", "validateForInsert()", "validateForUpdate()",
    "validateForDelete()", "entity()",
  ]

  /// Nil unless the member is a method, or a computed property with a written type.
  ///
  /// - Parameter tokens: the member's tokens from its name up to the end of its signature.
  init?(_ member: Member, _ source: SourceText, _ tokens: ArraySlice<CodeToken>) {
    self.member = member
    let kind = member.isOfType ? "class " : ""
    let written = source[member.name]
    switch member.kind {
    case .function(let base, let parameters):
      name = "\(written)(\(parameters.map { $0.label + ":" }.joined()))"
      replacementName = "_extension_\(base)"
      let signature = tokens.dropFirst()
      let effects = Self.effects(signature)
      let call = (effects.isThrowing ? "try " : "") + (effects.isAsynchronous ? "await " : "")
      let arguments = parameters.map { parameter in
        let value = (parameter.type.hasPrefix("inout ") ? "&" : "") + parameter.name
        return parameter.label == "_" ? value : "\(parameter.label): \(value)"
      }
      declaration =
        "override dynamic \(kind)func \(written)\(Self.line(signature)) { \(call)super.\(written)(\(arguments.joined(separator: ", "))) };"
    case .variables(let variables, _):
      guard member.value == .accessors, variables.count == 1, let type = variables[0].type else { return nil }
      name = written
      replacementName = "_extension_\(variables[0].name)"
      let setter = member.hasSetter ? " set { super.\(written) = newValue }" : ""
      let line = Self.line(tokens.filter { type.contains($0.range.lowerBound) })
      declaration = "override dynamic \(kind)var \(written): \(line) { get { super.\(written) }\(setter) };"
    case .initializer, .other: return nil
    }
  }

  /// Tokens on one line, without comments.
  private static func line(_ tokens: some Collection<CodeToken>) -> String {
    tokens.enumerated().map { index, token in
      (index > 0 && (token.isAfterSpace || token.isFirstOnLine) ? " " : "") + token.text
    }.joined()
  }

  /// The words between a method's parameters and its result.
  private static func effects(_ tokens: some Collection<CodeToken>) -> (isThrowing: Bool, isAsynchronous: Bool) {
    var depth = 0
    var words: Set<String> = []
    for token in tokens {
      if token.isPunctuation("(") { depth += 1 }
      if token.isPunctuation(")") { depth -= 1 }
      if depth == 0, token.isPunctuation("->") { break }
      if depth == 0, token.kind == .word { words.insert(token.text) }
    }
    return (words.contains("throws") || words.contains("rethrows"), words.contains("async"))
  }
}
