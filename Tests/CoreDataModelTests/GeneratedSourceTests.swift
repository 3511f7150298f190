import FaultInjection
import Foundation
import LocalCloudCoreDataModel
import LocalCloudPlatform
import TestSupport
import Testing

/// Compiles generated sources with a stub module CoreData that has only the declarations they use.
@Suite("Compilation of generated sources", .serialized, .enabled(if: ChildProcess.hasCompiler, "there is no swiftc"))
struct GeneratedSourceTests {
  private static let stub = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/CoreData.swift").path

  private func swiftc(_ arguments: [String], in folder: String) throws -> (status: Int32, output: String) {
    let process = try ChildProcess("/usr/bin/env", ["swiftc"] + arguments, folder: folder)
    return (process.wait(seconds: 300), process.output + process.errors)
  }

  // [model-class-6]
  @Test("generated sources compile without warnings in every language mode")
  func generatedSourcesCompileWithoutWarnings() throws {
    let folder = try TemporaryFolder("generated")
    let module = ["-emit-module", "-module-name", "CoreData", "-parse-as-library", Self.stub]
    let made = try swiftc(module, in: folder.path)
    try #require(made.status == 0, "\(made.output)")
    var names = ["App.swift"]
    for file in try SampleModel.sources() {
      try folder.directory.writeStaged(file.name, Array(file.contents.utf8))
      names.append(file.name)
    }
    for options in [
      ["-swift-version", "6"],
      ["-swift-version", "5", "-strict-concurrency=complete"],
      ["-swift-version", "6", "-default-isolation", "MainActor"],
      [
        "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature",
        "MemberImportVisibility", "-enable-upcoming-feature", "ExistentialAny",
      ],
    ] {
      let isInternal = options.contains("InternalImportsByDefault")
      let app =
        isInternal ? SampleModel.app.replacing("import CoreData", with: "public import CoreData") : SampleModel.app
      try folder.directory.writeStaged("App.swift", Array(app.utf8))
      let arguments = ["-typecheck", "-warnings-as-errors", "-module-name", "App", "-I", "."] + options + names
      let result = try swiftc(arguments, in: folder.path)
      #expect(result.status == 0, "\(options): \(result.output.suffix(5000))")
    }
  }

  // [model-build-1] [model-build-2]
  @Test("a program has registered its models and key paths before its first line runs")
  func programHasRegisteredItsModelsAndKey() throws {
    let folder = try TemporaryFolder("generated")
    for file in try SampleModel.sources() { try folder.directory.writeStaged(file.name, Array(file.contents.utf8)) }
    let program = """
      print(_models)
      let names = Dictionary(_paths.flatMap { $0() }, uniquingKeysWith: { first, _ in first })
      let path: KeyPath<Song, String?> = \\.title
      print(names[path] ?? "", names[\\Work.title] ?? "", names[\\Album.songs] ?? "", names[\\Label.hash] ?? "none")
      """
    let app = SampleModel.app.replacing("import CoreData\n", with: "")
    let main = app.replacing("import Foundation\n", with: "import Foundation\nimport CoreData\n") + "\n" + program
    try folder.directory.writeStaged("main.swift", Array(main.utf8))
    let build = [
      ["-emit-library", "-static", "-emit-module", "-module-name", "CoreData", "-parse-as-library", Self.stub],
      ["-module-name", "App", "-I", ".", "main.swift"] + (try SampleModel.sources().map(\.name))
        + ["libCoreData.a", "-o", "program"],
    ]
    for arguments in build {
      let result = try swiftc(arguments, in: folder.path)
      try #require(result.status == 0, "\(result.output.suffix(5000))")
    }
    let process = try ChildProcess("\(folder.path)/program", [])
    #expect(process.wait(seconds: 60) == 0)
    #expect(process.output == "[\"Sample Sample [\\\"Sample\\\"] App\"]\ntitle title songs none\n")
  }
}
