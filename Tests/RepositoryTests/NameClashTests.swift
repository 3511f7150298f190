import Foundation
import TestSupport
import Testing

/// On the file systems of macOS and Windows, names that differ only in case or in Unicode normalization are equal. A
/// clone there loses one of the two files, and a build mixes up the folders of the two targets.
@Suite("Names that are equal on other file systems")
struct NameClashTests {
  private static let root = URL(fileURLWithPath: Repository.path)

  /// The groups of names with different bytes that these file systems treat as equal.
  private static func clashes(_ names: [String]) -> [[String]] {
    // Strings that differ only in their Unicode normalization are equal, although their bytes differ.
    let spellings = Set(names.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
    // Upper case first: the upper case of a sharp s has two letters.
    return Dictionary(grouping: spellings) { $0.uppercased().lowercased() }.values.filter { $0.count > 1 }
  }

  /// All paths of a clone: relative paths of folders and files, without hidden ones (for example `.build`) below the
  /// top level.
  private static func paths() throws -> [String] {
    let top = try FileManager.default.contentsOfDirectory(atPath: root.path)
    let below = top.filter { !$0.hasPrefix(".") }.flatMap { folder in
      let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
      var paths: [String] = []
      while let path = walk?.nextObject() as? String {
        if path.split(separator: "/").last?.hasPrefix(".") == true {
          walk?.skipDescendants()
        } else {
          paths.append("\(folder)/\(path)")
        }
      }
      return paths
    }
    return top + below
  }

  private struct Entry {
    var kind: String
    var name: String
    var path: String?
  }

  /// The targets and products of a manifest. A constant as a name stands for all values that the manifest gives it.
  private static func entries(ofManifest text: String) -> [Entry] {
    let constants = Dictionary(
      grouping: text.matches(of: #/let (\w+) = "([^"]+)"/#).map { (String($0.output.1), String($0.output.2)) },
      by: \.0
    ).mapValues { $0.map(\.1) }
    let declaration =
      #/\.(target|executableTarget|testTarget|systemLibrary|plugin|macro|library|executable)\(\s*name: ("?)([^",]+)\2,?/#
    let matches = text.matches(of: declaration)
    return matches.enumerated().flatMap { index, match in
      let end = index + 1 < matches.count ? matches[index + 1].range.lowerBound : text.endIndex
      let path = text[match.range.upperBound..<end].firstMatch(of: #/\bpath: "([^"]+)"/#).map { String($0.output.1) }
      let name = String(match.output.3)
      let names = match.output.2.isEmpty ? constants[name] ?? [] : [name]
      return names.map { Entry(kind: String(match.output.1), name: $0, path: path) }
    }
  }

  private static func manifests() throws -> [(path: String, entries: [Entry])] {
    try paths().filter { $0 == "Package.swift" || $0.hasSuffix("/Package.swift") }.map { path in
      (path, entries(ofManifest: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)))
    }
  }

  // MARK: The check itself

  @Test("names clash if they differ only in case or Unicode normalization")
  func whatClashes() {
    let folders = ["Sources/LocalCloud", "Sources/localcloud", "Sources/LocalCloudTool"]
    #expect(Self.clashes(folders).map { Set($0) } == [["Sources/LocalCloud", "Sources/localcloud"]])
    let (composed, decomposed) = ("caf\u{e9}.swift", "cafe\u{301}.swift")
    #expect(Self.clashes([composed, decomposed, "cafe.swift"]).map(\.count) == [2])
    #expect(Self.clashes([composed.uppercased(), decomposed]).map(\.count) == [2])
    #expect(Self.clashes(["Straße", "STRASSE"]).map(\.count) == [2])
    #expect(Self.clashes(["a", "b", "a"]).isEmpty)
  }

  @Test("targets are found in a manifest, also those with a constant as name")
  func whatIsRead() {
    let text = """
      let cloud = "Cloud"
      let cloud = "OtherCloud"
      products: [.library(name: cloud, targets: [cloud]), .executable(name: "tool", targets: ["Tool"])],
      targets: [.target(
        name: cloud, dependencies: [.target(name: "Base")],
        path: "Sources/Cloud"), .executableTarget(name: "Tool")]
      """
    let entries = Self.entries(ofManifest: text)
    #expect(entries.filter { $0.kind == "library" }.map(\.name) == ["Cloud", "OtherCloud"])
    #expect(entries.filter { $0.kind == "executable" }.map(\.name) == ["tool"])
    #expect(entries.filter { $0.kind == "target" }.map(\.name) == ["Cloud", "OtherCloud", "Base"])
    #expect(entries.filter { $0.kind == "executableTarget" }.map(\.name) == ["Tool"])
  }

  // MARK: The package

  @Test("no two paths of the package clash")
  func noTwoPathsOfThePackageClash() throws {
    let paths = try Self.paths()
    #expect(paths.contains("Package.swift"))
    #expect(paths.contains("Sources/LocalCloudTool/LocalCloudTool.swift"))
    #expect(paths.count > 500)
    #expect(Self.clashes(paths) == [])
  }

  @Test("no two target names, module names or target folders of a package clash")
  func noTwoTargetNamesModuleNames() throws {
    let manifests = try Self.manifests()
    #expect(manifests.map(\.path).contains("Package.swift"))
    #expect(manifests.count > 4)
    for (path, entries) in manifests {
      let targets = entries.filter { !["library", "executable"].contains($0.kind) }
      #expect(!targets.isEmpty, "\(path)")
      #expect(Self.clashes(targets.map(\.name)) == [], "\(path)")
      // SwiftPM derives a module's name from the target's name in this way.
      let modules = targets.map { $0.name.replacing(#/[^\w]/#, with: "_") }
      #expect(Self.clashes(Array(Set(modules))) == [], "\(path)")
      #expect(Set(modules).count == Set(targets.map(\.name)).count, "\(path)")
      #expect(Self.clashes(targets.map { $0.path ?? "Sources/\($0.name)" }) == [], "\(path)")
    }
  }

  @Test("the build products of a package have names that do not clash")
  func buildProductsOfAPackageHaveNames() throws {
    for (path, entries) in try Self.manifests() {
      // A target has a folder TARGET.build. A program has a file and a folder PRODUCT.product, also a program that is
      // no product of the package. A library that is linked into programs has neither.
      let targets = Set(entries.filter { !["library", "executable"].contains($0.kind) }.map(\.name))
      let programs = entries.filter { ["executable", "executableTarget"].contains($0.kind) }.map(\.name)
      let made = targets.map { $0 + ".build" } + programs.map { $0 + ".product" } + programs
      #expect(Self.clashes(made) == [], "\(path)")
    }
  }
}
