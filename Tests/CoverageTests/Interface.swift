import Foundation

/// A module of Apple's that the package stands in for. Its list and what is made of it lie in the folder of that name.
struct Interface: Sendable, CustomStringConvertible {
  var module: String
  /// What a program imports to use all of it.
  var imports: [String]
  /// Where the declarations are, below the package's folder: in the module, and in what it re-exports.
  var sources: [String]

  static let cloudKit = Interface(
    module: "CloudKit", imports: ["CloudKit"], sources: ["Sources/CloudKit/", "Sources/FoundationPredicates/"])
  static let coreData = Interface(
    module: "CoreData", imports: ["CloudKit", "CoreData"], sources: ["Sources/CoreData/"])
  static let all = [cloudKit, coreData]

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  var folder: URL { Self.root.appendingPathComponent("Tests/CoverageTests/\(module)") }

  var description: String { module }
}
