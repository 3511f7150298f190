import Foundation
import TestSupport
import Testing

/// Checks that the targets in `Package.swift` declare exactly the modules that their files import. With a missing
/// dependency a target builds only if the other target happens to be built earlier. Plugins import no other target:
/// they declare the programs that they run.
@Suite("Declared and imported modules of each target")
struct ManifestTests {
  private struct Target {
    var kind: Substring
    var name: String
    var folder: String
    var dependencies: Set<String>
  }

  /// The targets of a manifest. If the manifest gives a constant several values, by platform, the first value counts.
  private static func targets(inManifest text: String) -> [Target] {
    let constants = Dictionary(
      text.matches(of: #/let (\w+)(?:: \[[\w.]+\])? = (\[[^\]]*\]|"[^"]*")/#).map {
        ($0.output.1, strings(in: $0.output.2))
      }, uniquingKeysWith: { first, _ in first })
    return text.matches(of: #/\n {4}\.(target|executableTarget|testTarget|systemLibrary)\(\s*name: ("?)(\w+)\2/#).map {
      match in
      // Scans to the parenthesis that closes the declaration.
      var depth = 1
      let rest = text[match.range.upperBound...].prefix { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth > 0
      }
      let name = match.output.2.isEmpty ? constants[match.output.3]?.first : String(match.output.3)
      let folder = match.output.1 == "testTarget" ? "Tests" : "Sources"
      let dependencies = rest.firstMatch(of: #/dependencies: ((?s).*?)(?:,\s*(?:path|exclude|swiftSettings): |$)/#)
      let words = dependencies?.output.1.replacing(#/"\w+"/#, with: "").matches(of: #/\w+/#).map(\.output) ?? []
      return Target(
        kind: match.output.1, name: name ?? "",
        folder: rest.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.output.1) } ?? "\(folder)/\(name ?? "")",
        dependencies: Set(strings(in: dependencies?.output.1 ?? "") + words.flatMap { constants[$0] ?? [] }))
    }
  }

  private static func strings(in text: Substring) -> [String] {
    text.matches(of: #/"(\w+)"/#).map { String($0.output.1) }
  }

  /// The modules that a file imports. Imports within a multiline text do not count.
  private static func imports(of text: String) -> Set<String> {
    let statement =
      #/ *(?:@\w+(?:\(\w+\))? )*(?:(?:public|package|internal|private) )?import (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+).*/#
    var modules: Set<String> = []
    var isInText = false
    for line in text.split(separator: "\n") {
      if line.contains("\"\"\"") { isInText.toggle() }
      guard !isInText, line.contains("import "), let match = line.wholeMatch(of: statement) else { continue }
      modules.insert(String(match.output.1))
    }
    return modules
  }

  private static func imports(below folder: String) throws -> Set<String> {
    let folder = URL(fileURLWithPath: Repository.path).appendingPathComponent(folder)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }.reduce(into: []) {
      $0.formUnion(imports(of: try String(contentsOf: folder.appendingPathComponent($1), encoding: .utf8)))
    }
  }

  @Test(
    "all library modules begin with LocalCloud, so that packages with a target Storage or Platform can depend on them")
  func allLibraryModulesBeginWithLocalCloud() throws {
    let manifest = URL(fileURLWithPath: Repository.path).appendingPathComponent("Package.swift")
    let targets = Self.targets(inManifest: try String(contentsOf: manifest, encoding: .utf8))
    // Modules with the names of Apple's modules; and tools and examples that belong to no product.
    let imported = ["CloudKit", "CoreData", "CoreLocation", "Combine", "OSLog", "os", "osSubmodules"]
    let examples = ["Contacts", "Queries", "Shopping", "Posts", "Photos"]
    let own = ["Benchmarks", "Stress", "FaultInjection", "TestSupport"] + examples
    let others = targets.filter { $0.kind != "testTarget" }.map(\.name).filter { !$0.hasPrefix("LocalCloud") }
    #expect(others.sorted() == (imported + own).sorted())
  }

  @Test("every target declares exactly the modules that it imports")
  func targets() throws {
    let manifest = URL(fileURLWithPath: Repository.path).appendingPathComponent("Package.swift")
    let targets = Self.targets(inManifest: try String(contentsOf: manifest, encoding: .utf8))
    let names = Set(targets.map(\.name))
    #expect(names.count == targets.count)
    #expect(names.isSuperset(of: ["LocalCloudPlatform", "CloudKit", "os", "PlatformTests"]))
    // Dependencies on programs and on module maps need no import.
    let others = Set(targets.filter { ["executableTarget", "systemLibrary"].contains($0.kind) }.map(\.name))
    for target in targets {
      var imported = try Self.imports(below: target.folder).intersection(names).subtracting([target.name])
      // On Apple's systems this is Apple's module.
      if target.name == "CloudKit" { imported.remove("CoreLocation") }
      #expect(imported.subtracting(target.dependencies).sorted() == [], "\(target.name) imports, and does not declare")
      #expect(
        target.dependencies.subtracting(imported).subtracting(others).sorted() == [],
        "\(target.name) declares, and does not import")
    }
  }

  @Test("the parser finds targets and dependencies in a manifest, and imports in a file")
  func whatIsRead() {
    let targets = Self.targets(
      inManifest: """
        let cloud = "Cloud"
        let cloud = "OtherCloud"
        let more: [Target.Dependency] = ["A", "B"]
        let more: [Target.Dependency] = []
            .target(name: cloud, dependencies: [.target(name: "Base"), "C"] + more, path: "Sources/X"),
            .testTarget(
              name: "Tests", dependencies: [.target(name: cloud)],
              exclude: ["D"]),
            .plugin(name: "Plugin", capability: .buildTool(), dependencies: ["Tool"], path: "Sources/Plugins/Plugin"),
        """)
    #expect(targets.map(\.name) == ["Cloud", "Tests"])
    #expect(targets.map(\.folder) == ["Sources/X", "Tests/Tests"])
    #expect(targets.map(\.dependencies) == [["A", "B", "Base", "C"], ["Cloud"]])
    let text = """
      import A
      @testable import B
      @_exported public import C
        import struct D.E
      let text = \"\"\"
        import F
        \"\"\"
      // import G
      """
    #expect(Self.imports(of: text) == ["A", "B", "C", "D"])
  }
}
