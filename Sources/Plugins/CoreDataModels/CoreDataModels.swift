import Foundation
import PackagePlugin

/// Compiles the Core Data models and the mapping models of a target. The target lists them under `exclude:` in its
/// manifest.
///
/// The build must know a command's outputs before it runs the command, and a plugin can't import the model reader. So
/// each model gives the same two files, with all its classes in one of them, each mapping model gives one file, and the
/// plugin reads nothing of them.
@main
struct CoreDataModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let compiler = try context.tool(named: "LocalCloudModelCompiler").url
    var names: Set<String> = []
    return models(below: target.directoryURL).compactMap { model in
      let name = model.deletingPathExtension().lastPathComponent
      let isMapping = model.pathExtension == "xcmappingmodel"
      guard names.insert(isMapping ? name + ".cdm" : name).inserted else {
        Diagnostics.error("the target \(target.name) has two \(isMapping ? "mapping models" : "models") \(name)")
        return nil
      }
      let folder = context.pluginWorkDirectoryURL.appendingPathComponent(name)
      return .buildCommand(
        displayName: "Compiling the \(isMapping ? "mapping model" : "model") \(name)", executable: compiler,
        arguments: [target.moduleName, model.path, folder.path], inputFiles: files(in: model),
        outputFiles: (isMapping ? ["Mapping"] : ["Classes", "Model"]).map {
          folder.appendingPathComponent("\(name)+CoreData\($0).swift")
        })
    }
  }

  private func models(below folder: URL) -> [URL] {
    var result: [URL] = []
    let walk = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    while let url = walk?.nextObject() as? URL {
      guard ["xcdatamodeld", "xcdatamodel", "xcmappingmodel"].contains(url.pathExtension) else { continue }
      result.append(url)
      walk?.skipDescendants()
    }
    return result.sorted { $0.path < $1.path }
  }

  /// All files of a model or a mapping model, including the hidden file that names the current version.
  private func files(in model: URL) -> [URL] {
    let walk = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
    return (walk?.compactMap { $0 as? URL } ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }.sorted { $0.path < $1.path }
  }
}
