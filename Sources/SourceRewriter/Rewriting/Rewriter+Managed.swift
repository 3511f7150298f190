extension Rewriter {
  /// Adds bodies to the `@NSManaged` members: Core Data provides them at run time on Apple's platforms.
  mutating func managedMembers(of type: TypeDeclaration) {
    let managed = type.members.filter { $0.attribute("NSManaged") != nil }
    let properties = managed.isEmpty ? [] : index.managedProperties(of: type)
    for member in managed {
      switch member.kind {
      case .variables(let variables, let isConstant) where !isConstant && member.value == .none:
        addBodies(to: variables, of: member)
      case .function(let name, let parameters):
        let selector = member.attribute("objc")?.argument
        guard
          let accessor = CollectionAccessor(
            name: name, parameters: parameters, selector: selector, properties: properties)
        else {
          report(
            .error, at: member.keyword.lowerBound, in: member.condition,
            "'\(name)' is none of the methods that Core Data makes for a relationship; those of 'items' are addToItems, removeFromItems, insertIntoItems and replaceItems"
          )
          continue
        }
        edits.insert(" { \(accessor.body) }", at: member.signatureEnd)
      default:
        report(
          .error, at: member.keyword.lowerBound, in: member.condition,
          "@NSManaged is for variables without a value, and for methods")
      }
    }
  }

  // MARK: Properties

  private mutating func addBodies(to variables: [Member.Variable], of member: Member) {
    // Of `a, b: Int16` both have the type.
    var type: String?
    var types: [String?] = []
    for variable in variables.reversed() {
      if let range = variable.type { type = source[range] }
      types.insert(variable.type == nil ? type : nil, at: 0)
    }
    for (variable, type) in zip(variables, types) {
      guard variable.type != nil || type != nil else {
        report(
          .error, at: member.keyword.lowerBound, in: member.condition,
          "the @NSManaged property '\(variable.name)' needs a type")
        continue
      }
      let key = member.attribute("objc")?.argument ?? variable.name
      let argument = Self.primitive(key).map { "_primitive: \(Self.literal($0))" } ?? "_managed: \(Self.literal(key))"
      let body = " { get { self[\(argument)] } set { self[\(argument)] = newValue } }"
      edits.insert((type.map { ":" + $0.filter { !$0.isNewline } } ?? "") + body, at: variable.end)
      // Several computed properties can't share a declaration.
      if let comma = variable.comma { edits.replace(comma, with: "; \(head(of: member))var") }
    }
  }

  /// The attributes and modifiers of a member as far as they stay.
  private func head(of member: Member) -> String {
    let attributes = member.attributes.filter { !Self.isDropped($0) }.map(\.range)
    let modifiers = member.modifiers.filter { $0.name != "dynamic" }.map(\.range)
    let parts = (attributes + modifiers).map { source[$0].filter { !$0.isNewline } }
    return parts.map { $0 + " " }.joined()
  }

  /// The attribute that a property named `primitiveTitle` stands for; nil for other names.
  static func primitive(_ name: String) -> String? {
    let prefix = "primitive"
    guard name.hasPrefix(prefix), let first = name.dropFirst(prefix.count).first, first.isUppercase else { return nil }
    return CollectionAccessor.decapitalized(String(name.dropFirst(prefix.count)))
  }
}
