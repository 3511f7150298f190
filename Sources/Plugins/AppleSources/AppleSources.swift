import Foundation
import PackagePlugin

/// Rewrites every Swift file under a target's folder that the target itself does not compile, and makes the target
/// compile the results. Code for Apple's compiler is in a folder that the target excludes.
///
/// One command rewrites all files, because finding the classes of managed objects needs all of them. A file that did
/// not change is not written again, so that the compiler can skip it.
@main
struct AppleSources: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    guard target.recursiveTargetDependencies.contains(where: { $0.name == "CoreData" }) else {
      Diagnostics.error(
        "code that plugin AppleSources rewrites needs module CoreData: add its product to target '\(target.name)'")
      return []
    }
    let compiled = target.sourceFiles.filter { $0.type == .source && $0.url.pathExtension == "swift" }.map(\.url)
    let inputs = Self.swiftFiles(below: target.directoryURL, except: Set(compiled.map(Self.path)))
    guard !inputs.isEmpty else {
      Diagnostics.warning(
        "there is no Swift file that target '\(target.name)' excludes, and so nothing for plugin AppleSources")
      return []
    }
    let folder = context.pluginWorkDirectoryURL.appendingPathComponent("AppleSources")
    let outputs = Self.outputNames(inputs).map { folder.appendingPathComponent($0) }
    let files = zip(inputs, outputs).flatMap { ["--file", Self.path($0), Self.path($1)] }
    return [
      .buildCommand(
        displayName: "Rewriting Apple sources of \(target.name)",
        executable: try context.tool(named: "LocalCloudSourceRewriterTool").url,
        arguments: compiled.flatMap { ["--known", Self.path($0)] } + files, inputFiles: compiled + inputs,
        outputFiles: outputs)
    ]
  }

  private static func path(_ url: URL) -> String { url.standardizedFileURL.path }

  /// In the order of their paths. Hidden folders, and packages in the folder with their build results, are left out.
  private static func swiftFiles(below folder: URL, except compiled: Set<String>) -> [URL] {
    var files: [URL] = []
    let entries =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])) ?? []
    let isPackage = entries.contains { $0.lastPathComponent == "Package.swift" }
    for entry in entries.sorted(by: { $0.path < $1.path }) {
      if (try? entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true {
        files += swiftFiles(below: entry, except: compiled)
      } else if entry.pathExtension == "swift", !compiled.contains(path(entry)), !isPackage {
        files.append(entry)
      }
    }
    return files
  }

  /// The names of the rewritten files. They differ from the inputs' names, because otherwise `#fileID` would be equal
  /// in both files, and the compiler warns of that. Only `main.swift` has to keep its name, and causes the warning. If
  /// a name is taken already, the folder's name is put before it.
  private static func outputNames(_ inputs: [URL]) -> [String] {
    var taken: Set<String> = []
    return inputs.map { input in
      let base = input.deletingPathExtension().lastPathComponent
      var (name, folder) = (
        base == "main" ? "main.swift" : base + ".rewritten.swift", input.deletingLastPathComponent()
      )
      while !taken.insert(name.lowercased()).inserted {
        name = folder.lastPathComponent + "_" + name
        folder = folder.deletingLastPathComponent()
      }
      return name
    }
  }
}
