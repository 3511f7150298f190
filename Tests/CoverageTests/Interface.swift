import Foundation

/// A module of Apple's that the package replaces. Its list of symbols is in the folder of that name.
struct Interface: Sendable, CustomStringConvertible {
  var module: String
  /// The modules that a program imports to use all of the interface.
  var imports: [String]
  /// The source folders of the declarations, below the package's folder: of the module and of modules that it
  /// re-exports.
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
