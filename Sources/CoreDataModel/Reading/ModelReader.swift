/// Reads one version of a model from its `contents` file. All problems of a file are found at once.
///
/// - Assumption: an element or attribute that is not known is passed over with a warning, since Xcode adds new ones.
package struct ModelReader {
  /// The subject of a problem. Its offset is stored until the model is read completely.
  enum Subject: Hashable {
    case entity(String)
    case property(String, of: String)
    case configuration(String)
    case fetchRequest(String)
  }

  /// Further problems are of no use, and each costs a pass through the file.
  private static let mostProblems = 100

  private let bytes: [UInt8]
  private let file: String
  private(set) var problems: [ModelProblem] = []
  var offsets: [Subject: Int] = [:]
  var model: ManagedModel

  private init(_ bytes: [UInt8], file: String, versionName: String) {
    self.bytes = bytes
    self.file = file
    model = ManagedModel(versionName: versionName)
  }

  /// Reads a model. `file` is named in problems.
  package static func read(
    _ bytes: [UInt8], file: String, versionName: String = ""
  ) throws(ModelFailure) -> ModelReading {
    var reader = ModelReader(bytes, file: file, versionName: versionName)
    do throws(XMLFault) {
      reader.readModel(try XMLReader.read(bytes))
      reader.check()
    } catch { reader.report(.error, error.message, at: error.offset) }
    guard !reader.problems.contains(where: { $0.severity == .error }) else { throw ModelFailure(reader.problems) }
    return ModelReading(model: reader.model, warnings: reader.problems)
  }

  /// Reads a model from the text of its file.
  package static func read(
    _ contents: String, file: String, versionName: String = ""
  ) throws(ModelFailure) -> ModelReading {
    try read(Array(contents.utf8), file: file, versionName: versionName)
  }

  // MARK: Problems

  mutating func report(_ severity: ModelProblem.Severity, _ message: @autoclosure () -> String, at offset: Int) {
    guard problems.count < Self.mostProblems else {
      // An error is never dropped in favour of warnings: otherwise the model would count as valid.
      guard severity == .error, !problems.contains(where: { $0.severity == .error }) else { return }
      problems.removeLast()
      return report(severity, message(), at: offset)
    }
    let position = ModelPosition(offset: offset, in: bytes)
    problems.append(ModelProblem(severity, file: file, at: position, message()))
  }

  mutating func fail(_ message: String, at element: XMLElement) { report(.error, message, at: element.offset) }

  mutating func warn(_ message: String, at element: XMLElement) { report(.warning, message, at: element.offset) }

  mutating func fail(_ message: String, at subject: Subject) { report(.error, message, at: offsets[subject] ?? 0) }

  mutating func warn(_ message: String, at subject: Subject) { report(.warning, message, at: offsets[subject] ?? 0) }

  /// Records the offset of a subject. A second subject of the same name is an error.
  mutating func register(_ subject: Subject, _ what: String, at element: XMLElement) {
    guard let first = offsets.updateValue(element.offset, forKey: subject) else { return }
    let bytes = bytes
    report(
      .error, "\(what) is there already, in line \(ModelPosition(offset: first, in: bytes).line)", at: element.offset)
  }

  // MARK: The model

  private mutating func readModel(_ root: XMLElement) {
    guard root.name == "model" else { return fail("expected <model>, and not <\(root.name)>", at: root) }
    expectKnown(root, ModelFileNames.model)
    model.versionIdentifier = text(root, "userDefinedModelVersionIdentifier")
    model.usedWithCloudKit = flag(root, "usedWithCloudKit")
    for child in root.children {
      switch child.name {
      case "entity": readEntity(child)
      case "fetchRequest": readTemplate(child)
      case "configuration": readConfiguration(child)
      // Where the editor draws the entities.
      case "elements": break
      default: skip(child, in: root)
      }
    }
  }

  private mutating func readEntity(_ element: XMLElement) {
    expectKnown(element, ModelFileNames.entity)
    guard let name = name(element) else { return }
    var entity = ModelEntity(name: name)
    register(.entity(name), "an entity \(name)", at: element)
    entity.representedClassName = text(element, "representedClassName")
    checkClassName(entity.representedClassName, element)
    entity.parent = text(element, "parentEntity")
    entity.isAbstract = flag(element, "isAbstract")
    if let word = text(element, "codeGenerationType") {
      if let generation = ModelEntity.CodeGeneration(rawValue: word) {
        entity.codeGeneration = generation
      } else {
        fail("the code generation of \(name) is \(XMLReader.quoted(word)); it can be class or category", at: element)
      }
    }
    entity.renamingIdentifier = renamingIdentifier(element)
    entity.versionHashModifier = text(element, "versionHashModifier")
    for child in element.children {
      switch child.name {
      case "attribute": if let attribute = readAttribute(child, of: name) { entity.attributes.append(attribute) }
      case "relationship":
        if let relationship = readRelationship(child, of: name) { entity.relationships.append(relationship) }
      case "fetchedProperty":
        if let property = readFetchedProperty(child, of: name) { entity.fetchedProperties.append(property) }
      case "fetchIndex": if let index = readIndex(child) { entity.fetchIndexes.append(index) }
      case "uniquenessConstraints": entity.uniquenessConstraints += readConstraints(child)
      case "userInfo": entity.userInfo = readUserInfo(child)
      // From before fetch indexes; it changes no result.
      case "compoundIndexes": break
      default: skip(child, in: element)
      }
    }
    model.entities.append(entity)
  }

  private mutating func checkClassName(_ text: String?, _ element: XMLElement) {
    guard let text, let name = ModelClassName(text) else { return }
    let parts = (name.module.map { [$0] } ?? []) + [name.name]
    guard
      parts.allSatisfy({
        $0.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { SwiftName.isIdentifier(String($0)) }
      })
    else {
      return fail("\(XMLReader.quoted(text)) is no name of a class", at: element)
    }
  }

  private mutating func readConfiguration(_ element: XMLElement) {
    expectKnown(element, ModelFileNames.configuration)
    guard let name = text(element, "name") else { return fail("<configuration> has no name", at: element) }
    register(.configuration(name), "a configuration \(name)", at: element)
    var configuration = ModelConfiguration(name: name)
    configuration.usedWithCloudKit = flag(element, "usedWithCloudKit")
    var members: Set<String> = []
    for child in element.children {
      guard child.name == "memberEntity" else {
        skip(child, in: element)
        continue
      }
      expectKnown(child, ["name"])
      if let member = memberName(child), members.insert(member).inserted { configuration.entities.append(member) }
    }
    model.configurations.append(configuration)
  }

  private mutating func memberName(_ element: XMLElement) -> String? {
    if let name = text(element, "name") { return name }
    fail("<memberEntity> has no name", at: element)
    return nil
  }
}
