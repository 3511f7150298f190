/// A Swift source file that is written for a model or a mapping model.
package struct GeneratedFile: Sendable, Hashable {
  package var name: String
  package var contents: String

  /// All files for a model in a Swift module. There are always two, independently of the model's contents: a build that
  /// knows the model's name knows its files before it reads the model.
  package static func all(for package: ModelPackage, module: String) throws(ModelFailure) -> [GeneratedFile] {
    let classes = ClassGenerator(package.current.model, module: module)
    let problems = classes.foreignClasses.map { entity in
      ModelProblem(
        .error, file: package.current.path,
        "\(entity.name) has the class \(entity.representedClassName ?? ""), for which no code can be generated in the "
          + "module \(module)")
    }
    guard problems.isEmpty else { throw ModelFailure(problems) }
    let registration = RegistrationGenerator(package, classes, module: module)
    let imports = classes.entities.isEmpty ? [] : publicImport("CoreData") + classes.imports.flatMap(optionalImport)
    return [
      file(classesName(package.name), for: package.name, imports + ["", classes.text]),
      file(modelName(package.name), for: package.name, ["import CoreData", "", registration.text]),
    ]
  }

  /// The file that makes a mapping model known when the program is loaded.
  package static func mapping(_ package: MappingModelPackage) -> GeneratedFile {
    let name = RegistrationGenerator.literal(package.name)
    return file(
      mappingName(package.name), for: package.name,
      [
        "import CoreData", "",
        """
        @section(".init_array") @used
        nonisolated private let registration: @convention(c) () -> Void = {
          _registerMappingModel(
            \(name),
            contents: \(RegistrationGenerator.rawLiteral(package.contents)))
        }

        """,
      ])
  }

  package static func mappingName(_ mapping: String) -> String { "\(mapping)+CoreDataMapping.swift" }

  package static func classesName(_ model: String) -> String { "\(model)+CoreDataClasses.swift" }

  package static func modelName(_ model: String) -> String { "\(model)+CoreDataModel.swift" }

  // MARK: The head of a file

  private static func file(_ name: String, for model: String, _ lines: [String]) -> GeneratedFile {
    let model = String(String.UnicodeScalarView(model.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    let head = ["// Generated for the model \(model); the next build overwrites it.", "import Foundation"]
    return GeneratedFile(name: name, contents: (head + lines).joined(separator: "\n"))
  }

  /// Public properties require a public import of their types' modules. Without the feature of internal imports the
  /// import is plain, because all files of a module must agree on it.
  private static func publicImport(_ module: String) -> [String] {
    ["#if hasFeature(InternalImportsByDefault)", "  public import \(module)", "#else", "  import \(module)", "#endif"]
  }

  /// A name before a dot may be that of a type instead of a module.
  private static func optionalImport(_ module: String) -> [String] {
    ["#if canImport(\(module))"] + publicImport(module).map { "  " + $0 } + ["#endif"]
  }
}
