/// The target's types, collected from all files.
struct TypeIndex {
  /// Declarations and extensions, by the type's name.
  private var types: [String: [TypeDeclaration]] = [:]
  /// Properties and methods by the type's name and their own.
  private var members: [String: [String: [Member]]] = [:]
  /// The names of classes of managed objects.
  private var managed: Set<String> = []
  /// The names of types that have `@objcMembers`, or inherit it.
  private var withObjectiveCMembers: Set<String> = []

  /// The names of classes in files that are rewritten.
  private var rewrittenClasses: Set<String> = []

  /// `known`: of files that are not rewritten.
  init(_ files: [Declarations], known: [Declarations]) {
    rewrittenClasses = Set(files.flatMap(\.types).filter { $0.kind == .class }.map(\.name))
    for type in (files + known).flatMap(\.types) {
      types[type.name, default: []].append(type)
      for member in type.members {
        for name in member.names { members[type.name, default: [:]][name, default: []].append(member) }
      }
    }
    managed = heirs { type in
      type.members.contains(where: Self.isOnlyOfManagedObjects)
        || type.kind == .class && type.inherited.contains(where: Self.isManagedObject)
    } through: {
      $0.kind == .class
    }
    withObjectiveCMembers = heirs {
      $0.attribute("objcMembers") != nil
    } through: {
      $0.kind != .extension
    }
  }

  /// The names of all types with a declaration that meets a condition, and of the types that inherit from them. A type
  /// inherits the property only if `isPassedOn` accepts its declaration. Chains of classes may be of any length, so
  /// there is no recursion.
  private func heirs(
    of condition: (TypeDeclaration) -> Bool, through isPassedOn: (TypeDeclaration) -> Bool
  ) -> Set<String> {
    var (heirs, pending, children) = (Set<String>(), [String](), [String: [String]]())
    for (name, declarations) in types {
      if declarations.contains(where: condition) { pending.append(name) }
      for declaration in declarations where isPassedOn(declaration) {
        for parent in declaration.inherited {
          guard let parent = self.declarations(of: parent, in: declaration.path.dropLast()).first else { continue }
          children[parent.name, default: []].append(name)
        }
      }
    }
    while let name = pending.popLast() {
      if heirs.insert(name).inserted { pending += children[name] ?? [] }
    }
    return heirs
  }

  /// The declarations of the type that a name means where another type is around it: of `Inner` in `Outer.Other` these
  /// are `Outer.Inner`, then `Inner`.
  private func declarations(of name: String, in scope: some Collection<String> = []) -> [TypeDeclaration] {
    for length in stride(from: scope.count, through: 0, by: -1) {
      if let found = types[(scope.prefix(length) + [name]).joined(separator: ".")] { return found }
    }
    // The module's name may stand first.
    let parts = name.split(separator: ".", maxSplits: 1)
    return parts.count == 2 ? types[String(parts[1])] ?? [] : []
  }

  func isKnown(_ name: String, in scope: [String]) -> Bool { !declarations(of: name, in: scope).isEmpty }

  // MARK: Managed objects

  /// Whether a type is a class of managed objects: it inherits from `NSManagedObject`, has `@NSManaged` members, or its
  /// own initialiser calls one that only classes of managed objects have.
  func isManaged(_ type: TypeDeclaration) -> Bool { Self.isManagedObject(type.name) || managed.contains(type.name) }

  private static func isManagedObject(_ name: String) -> Bool {
    name == "NSManagedObject" || name == "CoreData.NSManagedObject"
  }

  private static func isOnlyOfManagedObjects(_ member: Member) -> Bool {
    if member.attribute("NSManaged") != nil { return true }
    guard case .initializer(let parameters, let callsManagedInitializer) = member.kind else { return false }
    return callsManagedInitializer || parameters.map(\.label) == ["entity", "insertInto"] && member.has("override")
  }

  /// The names of a class's `@NSManaged` properties.
  func managedProperties(of type: TypeDeclaration) -> Set<String> {
    var names: Set<String> = []
    for member in declarations(of: type.name).flatMap(\.members) where member.attribute("NSManaged") != nil {
      if case .variables(let variables, _) = member.kind { names.formUnion(variables.map(\.name)) }
    }
    return names
  }

  /// Whether a type is a class: extensions of types that the files do not declare may be of one.
  func isClass(_ type: TypeDeclaration) -> Bool {
    let kinds = declarations(of: type.name).map(\.kind).filter { $0 != .extension }
    return kinds.isEmpty || kinds.contains(.class)
  }

  /// Whether all properties of a type have Objective-C names. Subclasses inherit `@objcMembers`.
  func hasObjectiveCMembers(_ type: TypeDeclaration) -> Bool {
    type.kind == .extension && type.attribute("objc") != nil || withObjectiveCMembers.contains(type.name)
  }

  // MARK: Overrides

  /// The file with the declaration of a class.
  enum ClassFile {
    /// In a file that is rewritten.
    case rewritten
    /// In a file that stays as it is.
    case known
    /// In none of the files: a class that a model's plugin generates, or one of another module.
    case other
  }

  func classFile(of type: TypeDeclaration) -> ClassFile {
    let declarations = declarations(of: type.name)
    if rewrittenClasses.contains(declarations.first?.name ?? type.name) { return .rewritten }
    return declarations.contains { $0.kind == .class } ? .known : .other
  }

  /// The overrides in extensions of a class, with the access level that an override in the class needs.
  func overridesInExtensions(of type: TypeDeclaration) -> [(override: ExtensionOverride, access: String?)] {
    declarations(of: type.name).filter { $0.kind == .extension }.flatMap { type in
      type.overrides.map { ($0, Self.access($0.member.modifiers) ?? Self.access(type.modifiers)) }
    }
  }

  /// The access level among the modifiers of an extension or its member, for a member of the class that the extension
  /// can replace: a private member of a class is not visible there.
  private static func access(_ modifiers: [Modifier]) -> String? {
    let levels = ["open", "public", "package", "internal", "fileprivate", "private"]
    let level = modifiers.first { $0.argument == nil && levels.contains($0.name) }?.name
    return level == "private" ? "fileprivate" : level
  }

  // MARK: Members

  struct Method {
    var labels: [String]
    var isOfType: Bool
    var selector: String?
  }

  /// The method of a name in a type or a class that it inherits from; with these labels, if they are given.
  func method(_ name: String, labels: [String]?, of type: String, in scope: [String]) -> Method? {
    let matches = self.members(name, of: type, in: scope) { member -> Method? in
      guard case .function(_, let parameters) = member.kind else { return nil }
      let method = Method(
        labels: parameters.map(\.label), isOfType: member.isOfType, selector: member.attribute("objc")?.argument)
      return labels == nil || labels == method.labels ? method : nil
    }
    return matches.first { !$0.isOfType } ?? matches.first
  }

  /// The property of a name in a type or a class that it inherits from: its key, and whether it is the type's own.
  ///
  /// The key is the Objective-C name. A property without one of its own has that of the property that it overrides.
  func property(_ name: String, of type: String, in scope: [String]) -> (key: String, isOfType: Bool)? {
    var isOfType: Bool?
    let keys = members(name, of: type, in: scope) { member -> String? in
      guard case .variables = member.kind else { return nil }
      isOfType = isOfType ?? member.isOfType
      return member.attribute("objc")?.argument
    }
    return isOfType.map { (keys.first ?? name, $0) }
  }

  /// The members with a name in a type, or otherwise in the first inherited type that has any.
  private func members<Found>(
    _ name: String, of type: String, in scope: [String], matching: (Member) -> Found?
  ) -> [Found] {
    var visited: Set<String> = []
    var pending = [(name: type, scope: scope)]
    while let (type, scope) = pending.popLast() {
      let declarations = declarations(of: type, in: scope)
      guard let first = declarations.first, visited.insert(first.name).inserted else { continue }
      let found = (members[first.name]?[name] ?? []).compactMap(matching)
      if !found.isEmpty { return found }
      for parent in declarations.filter({ $0.kind != .extension }).flatMap(\.inherited).reversed() {
        pending.append((parent, first.path.dropLast()))
      }
    }
    return []
  }
}

extension Member {
  /// The names that an expression may use for it.
  fileprivate var names: [String] {
    switch kind {
    case .variables(let variables, _): variables.map(\.name)
    case .function(let name, _): [name]
    case .initializer, .other: []
    }
  }
}
