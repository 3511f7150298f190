/// Reads a mapping model from its file `xcmapping.xml`, an XML store of the objects of Xcode's editor. All problems of a file
/// are found at once.
package struct MappingModelReader {
  /// The kinds of objects in the file.
  private enum Kind: String {
    case model = "XDDEVMAPPINGMODEL"
    case entity = "XDDEVENTITYMAPPING"
    case attribute = "XDDEVATTRIBUTEMAPPING"
    case relationship = "XDDEVRELATIONSHIPMAPPING"

    /// Names of attributes in the file. Some of them are not used.
    var known: Set<String> {
      switch self {
      case .model: ["sourcemodelpath", "sourcemodeldata", "destinationmodelpath", "destinationmodeldata"]
      case .entity:
        [
          "name", "sourcename", "destinationname", "mappingtypename", "mappingnumber", "migrationpolicyclassname",
          "autogenerateexpression", "userinfodata",
        ]
      case .attribute, .relationship: ["name", "valueexpressiondata", "autogenerateexpression", "userinfodata"]
      }
    }
  }

  /// An object of the file.
  private struct Object {
    var kind: Kind
    var element: XMLElement
    var attributes: [String: XMLElement] = [:]
    /// Identifiers of the objects that a relationship leads to.
    var references: [String: [String]] = [:]

    func text(_ name: String) -> String? {
      guard let text = attributes[name]?.text, !text.isEmpty else { return nil }
      return text
    }
  }

  private static let mostProblems = 100

  private let bytes: [UInt8]
  private let file: String
  private var problems: [ModelProblem] = []
  private var objects: [String: Object] = [:]

  /// Reads a mapping model.
  ///
  /// - Parameter file: The name of the file in problems.
  package static func read(
    _ bytes: [UInt8], file: String
  ) throws(ModelFailure) -> (model: MappingModel, warnings: [ModelProblem]) {
    let found = try document(bytes, file: file)
    return (found.model, found.warnings)
  }

  /// Reads a mapping model, and returns its file's root element, too.
  static func document(
    _ bytes: [UInt8], file: String
  ) throws(ModelFailure) -> (model: MappingModel, root: XMLElement, warnings: [ModelProblem]) {
    var reader = MappingModelReader(bytes: bytes, file: file)
    var found: (model: MappingModel?, root: XMLElement)?
    do throws(XMLFault) {
      let root = try XMLReader.read(bytes)
      reader.readObjects(root)
      found = (reader.readModel(root), root)
    } catch { reader.report(.error, error.message, at: error.offset) }
    guard let root = found?.root, let model = found?.model, !reader.problems.contains(where: { $0.severity == .error })
    else {
      throw ModelFailure(reader.problems)
    }
    return (model, root, reader.problems)
  }

  private init(bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

  private mutating func report(_ severity: ModelProblem.Severity, _ message: String, at offset: Int) {
    guard problems.count < Self.mostProblems || severity == .error && problems.allSatisfy({ $0.severity == .warning })
    else { return }
    problems.append(ModelProblem(severity, file: file, at: ModelPosition(offset: offset, in: bytes), message))
  }

  private mutating func fail(_ message: String, at element: XMLElement) { report(.error, message, at: element.offset) }

  // MARK: Objects

  private mutating func readObjects(_ root: XMLElement) {
    guard root.name == "database" else { return fail("expected <database>, and not <\(root.name)>", at: root) }
    for child in root.children where child.name == "object" {
      guard let id = child["id"], !id.isEmpty else {
        fail("<object> has no id", at: child)
        continue
      }
      guard let kind = child["type"].flatMap(Kind.init) else {
        report(.warning, "an object of the type \(XMLReader.quoted(child["type"] ?? "")) is ignored", at: child.offset)
        continue
      }
      guard objects[id] == nil else {
        fail("the id \(XMLReader.quoted(id)) is there already", at: child)
        continue
      }
      objects[id] = object(kind, child)
    }
  }

  private mutating func object(_ kind: Kind, _ element: XMLElement) -> Object {
    var object = Object(kind: kind, element: element)
    for child in element.children {
      guard let name = child["name"] else {
        fail("<\(child.name)> has no name", at: child)
        continue
      }
      switch child.name {
      case "attribute":
        if !kind.known.contains(name) {
          report(
            .warning, "the attribute \(XMLReader.quoted(name)) of a mapping is not known, and ignored", at: child.offset
          )
        }
        object.attributes[name] = child
      case "relationship":
        object.references[name] = (child["idrefs"] ?? "").split(separator: " ").map(String.init)
      default:
        report(.warning, "<object> has an unknown element <\(child.name)>", at: child.offset)
      }
    }
    return object
  }

  /// The objects that a relationship of an object leads to. Each must be there, and belongs to one object: so each is read
  /// once, however often the file names it.
  private mutating func objects(_ name: String, _ kind: Kind, of object: Object) -> [Object] {
    var result: [Object] = []
    for id in object.references[name] ?? [] {
      guard let target = objects[id], target.kind == kind else {
        fail(
          "\(name) names \(XMLReader.quoted(id)), which is no object of the type \(kind.rawValue)", at: object.element)
        continue
      }
      objects[id] = nil
      result.append(target)
    }
    return result
  }

  /// The expression that a keyed archive holds.
  package static func expression(in archive: [UInt8]) throws -> MappedExpression {
    var archive = try KeyedArchive(archive)
    return try archive.expression()
  }

  // MARK: The mapping

  private mutating func readModel(_ root: XMLElement) -> MappingModel? {
    let models = objects.values.filter { $0.kind == .model }
    guard models.count == 1, let object = models.first else {
      if root.name == "database" {
        fail("expected one object of the type \(Kind.model.rawValue), and not \(models.count)", at: root)
      }
      return nil
    }
    guard let source = object.text("sourcemodelpath"), let destination = object.text("destinationmodelpath") else {
      fail("the mapping model does not name its source and its destination model", at: object.element)
      return nil
    }
    var model = MappingModel(sourcePath: source, destinationPath: destination)
    let mapped = objects("entitymappings", .entity, of: object)
    var numbered: [(number: Int, entity: MappedEntity)] = []
    for entity in mapped { numbered.append((number(entity, "mappingnumber"), readEntity(entity))) }
    // The sort of the standard library is stable.
    model.entities = numbered.sorted { $0.number < $1.number }.map(\.entity)
    var names: Set<String> = []
    for (entity, object) in zip(numbered.map(\.entity), mapped) where !names.insert(entity.name).inserted {
      fail("an entity mapping \(XMLReader.quoted(entity.name)) is there already", at: object.element)
    }
    return model
  }

  private mutating func readEntity(_ object: Object) -> MappedEntity {
    let (source, destination) = (object.text("sourcename"), object.text("destinationname"))
    if source == nil, destination == nil {
      fail("an entity mapping has neither a source nor a destination", at: object.element)
    }
    var entity = MappedEntity(name: object.text("name") ?? MappedEntity.defaultName(source, destination))
    (entity.source, entity.destination) = (source, destination)
    if let text = object.text("mappingtypename") {
      if let kind = MappedEntity.Kind.allCases.first(where: { $0.fileName == text }) {
        entity.kind = kind
      } else {
        fail(
          "the type of an entity mapping is \(XMLReader.quoted(text))",
          at: object.attributes["mappingtypename"] ?? object.element)
      }
    }
    entity.policyClassName = object.text("migrationpolicyclassname")
    if entity.kind == .custom, entity.policyClassName == nil {
      fail(
        "the custom mapping \(XMLReader.quoted(entity.name)) names no class of a migration policy", at: object.element)
    }
    entity.userInfo = userInfo(object)
    for property in objects("attributemappings", .attribute, of: object) {
      if let property = readProperty(property) { entity.attributes.append(property) }
    }
    for property in objects("relationshipmappings", .relationship, of: object) {
      if let property = readProperty(property) { entity.relationships.append(property) }
    }
    return entity
  }

  private mutating func readProperty(_ object: Object) -> MappedProperty? {
    guard let name = object.text("name") else {
      fail("a property mapping has no name", at: object.element)
      return nil
    }
    var property = MappedProperty(name: name)
    property.isGenerated = object.text("autogenerateexpression") != "0"
    property.expression = decoded(object, "valueexpressiondata") { (archive) throws(ArchiveFault) in
      try archive.expression()
    }
    property.userInfo = userInfo(object)
    return property
  }

  private mutating func number(_ object: Object, _ name: String) -> Int {
    guard let text = object.text(name) else { return 0 }
    if let number = Int(text) { return number }
    fail("\(name) is \(XMLReader.quoted(text)); it must be a number", at: object.attributes[name] ?? object.element)
    return 0
  }

  private mutating func userInfo(_ object: Object) -> [String: MappedValue] {
    decoded(object, "userinfodata") { (archive) throws(ArchiveFault) in try archive.userInfo() } ?? [:]
  }

  /// The result of `read` for an archive in base 64; nil if there is no archive, or after a problem with it.
  private mutating func decoded<Value>(
    _ object: Object, _ name: String, _ read: (inout KeyedArchive) throws(ArchiveFault) -> Value
  ) -> Value? {
    guard let element = object.attributes[name], !element.text.allSatisfy(\.isWhitespace) else { return nil }
    do throws(ArchiveFault) {
      guard let bytes = Base64.bytes(element.text) else { throw ArchiveFault(message: "it is no text in base 64") }
      var archive = try KeyedArchive(bytes)
      return try read(&archive)
    } catch {
      let property = object.text("name").map { " of \(XMLReader.quoted($0))" } ?? ""
      fail("\(name)\(property) can't be read: \(error.message)", at: element)
      return nil
    }
  }
}
