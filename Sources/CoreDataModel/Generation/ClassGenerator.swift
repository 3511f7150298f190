/// The classes that Xcode would write for a model, and the extensions with their properties.
///
/// - Difference: all classes of a model are in one file. Properties are computed and not `@NSManaged`, and there are no
///   Objective-C names: neither exists without that language's runtime. The classes are not isolated to the main actor,
///   not even if a module's code is by default: Core Data decides on which queue an object is used.
struct ClassGenerator {
  private let family: EntityFamily
  private let module: String
  /// The entities that any code is generated for.
  let entities: [ModelEntity]

  init(_ model: ManagedModel, module: String) {
    family = EntityFamily(model)
    self.module = module
    entities = model.entities.filter { $0.codeGeneration != .manual && $0.className != nil }
  }

  /// Entities that need code for a class of another module.
  var foreignClasses: [ModelEntity] {
    entities.filter { $0.className?.module.map { $0 != module } ?? false }
  }

  /// The modules that types with a dot may need, by name.
  var imports: [String] {
    var names: Set<String> = []
    for entity in entities {
      let others = family.ancestors(of: entity.name) + entity.relationships.compactMap { family[$0.destination] }
      names.formUnion(others.compactMap { $0.className?.module?.split(separator: ".").first.map(String.init) })
      let types = entity.attributes.compactMap { $0.type == .transformable ? $0.customClassName : nil }
      names.formUnion(
        types.compactMap { type in
          type.firstIndex(of: ".").map { String(type[..<$0]) }.flatMap { SwiftName.isIdentifier($0) ? $0 : nil }
        })
    }
    return names.subtracting([module, "CoreData", "Foundation", "Swift"]).sorted()
  }

  var text: String {
    guard !entities.isEmpty else { return "// No entity of the model has a class that is generated.\n" }
    return entities.map { entity in
      ([mark(entity)] + declaration(entity) + [properties(entity)] + accessors(entity) + identity(entity))
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func mark(_ entity: ModelEntity) -> String { "// MARK: - \(entity.name)\n" }

  // MARK: Classes

  private func declaration(_ entity: ModelEntity) -> [String] {
    guard entity.codeGeneration == .class else { return [] }
    let parent = family.ancestors(of: entity.name).lazy.compactMap(\.className).first { $0 != entity.className }
    let head = "nonisolated public class \(className(entity)): \(parent.map(typeName) ?? managedObject) {"
    return ([head] + Self.replaceable + ["}\n"])
  }

  /// The members that programs for Apple's platforms override in extensions of generated classes. The plugin
  /// `AppleSources` rewrites the override as a replacement of one of these.
  private static let replaceable: [String] = {
    let plain = [
      "awakeFromInsert", "awakeFromFetch", "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault",
      "didTurnIntoFault",
    ]
    let validations = ["validateForInsert", "validateForUpdate", "validateForDelete"]
    return plain.map { "  public override dynamic func \($0)() { super.\($0)() }" }
      + ["  public override dynamic func awake(fromSnapshotEvents flags: NSSnapshotEventType) {"]
      + ["    super.awake(fromSnapshotEvents: flags)", "  }"]
      + validations.map { "  public override dynamic func \($0)() throws { try super.\($0)() }" }
      + [
        "  @discardableResult",
        "  public override dynamic class func entity() -> NSEntityDescription { super.entity() }",
      ]
  }()

  /// Any entity conforms through the topmost one.
  private func identity(_ entity: ModelEntity) -> [String] {
    entity.parent == nil ? ["nonisolated extension \(className(entity)): Identifiable {}\n"] : []
  }

  private func className(_ entity: ModelEntity) -> String {
    entity.className.map { SwiftName.escaped($0.name) } ?? managedObject
  }

  private var managedObject: String { "NSManagedObject" }

  private func typeName(_ name: ModelClassName) -> String {
    guard let module = name.module, module != self.module else { return SwiftName.escaped(name.name) }
    return "\(module).\(SwiftName.escaped(name.name))"
  }

  /// The class of a relationship's objects.
  private func destination(_ relationship: ModelRelationship) -> String {
    family[relationship.destination]?.className.map(typeName) ?? managedObject
  }

  // MARK: Properties

  private func properties(_ entity: ModelEntity) -> String {
    let name = className(entity)
    let types = Self.types(of: entity, destination: destination)
    let properties = types.map { property in
      """
        public var \(SwiftName.escaped(property.name)): \(property.type) {
          get { self[_managed: "\(property.name)"] }
          set { self[_managed: "\(property.name)"] = newValue }
        }

      """
    }
    let request = """
        public class func fetchRequest() -> NSFetchRequest<\(name)> {
          NSFetchRequest<\(name)>(entityName: "\(entity.name)")
        }

      """
    return "nonisolated extension \(name) {\n" + ([request] + properties).joined(separator: "\n") + "}\n"
  }

  /// The properties that are generated for an entity and their types, by name. Fetched ones have none.
  private static func types(
    of entity: ModelEntity, destination: (ModelRelationship) -> String
  ) -> [(name: String, type: String)] {
    let attributes = entity.attributes.map { ($0.name, $0.swiftType) }
    let relationships = entity.relationships.map { relationship in
      let one = relationship.isToMany ? relationship.isOrdered ? "NSOrderedSet" : "NSSet" : destination(relationship)
      return (relationship.name, one + "?")
    }
    return (attributes + relationships).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  /// The class of an entity and the names of all properties that are generated for it and its ancestors. A key path
  /// from a class to an inherited property is not the same as that from its parent.
  func keyPaths(of entity: ModelEntity) -> (className: String, properties: [String]) {
    let line = family.line(of: entity.name).filter { $0.codeGeneration != .manual && $0.className != nil }
    let names = line.flatMap { entity in entity.attributes.map(\.name) + entity.relationships.map(\.name) }
    return (className(entity), names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  // MARK: Accessors

  private func accessors(_ entity: ModelEntity) -> [String] {
    entity.relationships.filter(\.isToMany)
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { relationship in
        let accessors = ToManyAccessors(relationship, destination: destination(relationship))
        return
          "// MARK: Accessors for \(relationship.name)\n\nnonisolated extension \(className(entity)) {\n\(accessors.text)}\n"
      }
  }
}

extension ModelAttribute {
  /// The type of the generated property. Objects are optional even where the attribute is required, because a new
  /// object has no values yet. Numbers never are.
  ///
  /// - Assumption: a date as a number is a `TimeInterval`; an attribute of no type is an object.
  var swiftType: String {
    switch type {
    case .integer16: usesScalarValue ? "Int16" : "NSNumber?"
    case .integer32: usesScalarValue ? "Int32" : "NSNumber?"
    case .integer64: usesScalarValue ? "Int64" : "NSNumber?"
    case .double: usesScalarValue ? "Double" : "NSNumber?"
    case .float: usesScalarValue ? "Float" : "NSNumber?"
    case .boolean: usesScalarValue ? "Bool" : "NSNumber?"
    case .date: usesScalarValue ? "TimeInterval" : "Date?"
    case .decimal: "NSDecimalNumber?"
    case .string: "String?"
    case .binaryData: "Data?"
    case .uuid: "UUID?"
    case .uri: "URL?"
    case .transformable: (customClassName ?? "NSObject") + "?"
    case .objectID: "NSManagedObjectID?"
    case .undefined, .composite: "NSObject?"
    }
  }
}
