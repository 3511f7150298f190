/// What all files together say of the target's types.
struct TypeIndex {
  /// Declarations and extensions, by the type's name.
  private var types: [String: [TypeDeclaration]] = [:]

  init(_ files: [Declarations]) {
    for file in files {
      for type in file.types { types[type.name, default: []].append(type) }
    }
  }

  /// The declarations of the type that a name means where another type is around it: of `Inner` in `Outer.Other` these
  /// are `Outer.Inner`, then `Inner`.
  private func declarations(of name: String, in scope: [String] = []) -> [TypeDeclaration] {
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
  /// own initialiser calls one that only such classes have.
  func isManaged(_ type: TypeDeclaration) -> Bool {
    var visited: Set<String> = []
    return isManaged(type.name, [], &visited)
  }

  private func isManaged(_ name: String, _ scope: [String], _ visited: inout Set<String>) -> Bool {
    if name == "NSManagedObject" || name == "CoreData.NSManagedObject" { return true }
    let declarations = declarations(of: name, in: scope)
    guard let path = declarations.first?.path, visited.insert(path.joined(separator: ".")).inserted else {
      return false
    }
    for declaration in declarations {
      if declaration.members.contains(where: Self.isOnlyOfManagedObjects) { return true }
      guard declaration.kind == .class else { continue }
      for parent in declaration.inherited where isManaged(parent, Array(path.dropLast()), &visited) { return true }
    }
    return false
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

  /// Whether all properties of a type have Objective-C names: also subclasses have what `@objcMembers` says.
  func hasObjectiveCMembers(_ type: TypeDeclaration) -> Bool {
    type.kind == .extension && type.attribute("objc") != nil
      || lineage(of: type.name, in: []).joined().contains { $0.attribute("objcMembers") != nil }
  }

  // MARK: Members

  struct Method {
    var labels: [String]
    var isOfType: Bool
    var selector: String?
  }

  /// The method of a name in a type or a class that it inherits from; with these labels, if they are given.
  func method(_ name: String, labels: [String]?, of type: String, in scope: [String]) -> Method? {
    let matches = self.members(of: type, in: scope) { member -> Method? in
      guard case .function(name, let parameters) = member.kind else { return nil }
      let method = Method(
        labels: parameters.map(\.label), isOfType: member.isOfType, selector: member.attribute("objc")?.argument)
      return labels == nil || labels == method.labels ? method : nil
    }
    return matches.first { !$0.isOfType } ?? matches.first
  }

  /// What key-value coding calls a property: its Objective-C name, if it has one of its own.
  func key(of property: String, in type: String, scope: [String]) -> String {
    let keys = members(of: type, in: scope) { member -> String? in
      guard case .variables(let variables, _) = member.kind, variables.contains(where: { $0.name == property })
      else { return nil }
      return member.attribute("objc")?.argument
    }
    return keys.first ?? property
  }

  private func members<Found>(of type: String, in scope: [String], matching: (Member) -> Found?) -> [Found] {
    for declarations in lineage(of: type, in: scope) {
      let found = declarations.flatMap(\.members).compactMap(matching)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The declarations of a type, and then of each that it inherits from.
  private func lineage(of type: String, in scope: [String]) -> [[TypeDeclaration]] {
    var (lineage, visited) = ([[TypeDeclaration]](), Set<String>())
    var pending = [(name: type, scope: scope)]
    while let (name, scope) = pending.popLast() {
      let declarations = declarations(of: name, in: scope)
      guard let path = declarations.first?.path, visited.insert(path.joined(separator: ".")).inserted else { continue }
      lineage.append(declarations)
      for parent in declarations.filter({ $0.kind != .extension }).flatMap(\.inherited).reversed() {
        pending.append((parent, Array(path.dropLast())))
      }
    }
    return lineage
  }
}
