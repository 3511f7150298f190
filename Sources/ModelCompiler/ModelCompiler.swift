import LocalCloudCoreDataModel
import LocalCloudPlatform

/// Writes the Swift sources for a Core Data model or for a mapping model; the build runs it.
@main
enum ModelCompiler {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3 else {
      end("usage: ModelCompiler <module> <model.xcdatamodeld or mapping.xcmappingmodel> <output folder>\n")
    }
    do throws(ModelFailure) {
      let (files, warnings) = try compile(arguments[1], module: arguments[0])
      for warning in warnings { StandardStream.error.write("\(warning)\n") }
      do throws(SystemError) {
        try write(files, to: arguments[2])
      } catch { end("\(arguments[2]):1:1: error: the sources can't be written: \(error)\n") }
    } catch { end("\(error)\n") }
  }

  private static func compile(
    _ path: String, module: String
  ) throws(ModelFailure) -> ([GeneratedFile], warnings: [ModelProblem]) {
    if path.hasSuffix(MappingModelPackage.folderExtension) {
      let package = try MappingModelPackage(path: path)
      return ([.mapping(package)], package.warnings)
    }
    let package = try ModelPackage(path: path)
    return (try GeneratedFile.all(for: package, module: module), package.warnings)
  }

  private static func write(_ files: [GeneratedFile], to path: String) throws(SystemError) {
    try Directory.make(path: path, in: FileSystem())
    let folder = try Directory.open(path: path, in: FileSystem())
    for file in files { try folder.writeIfOther(file.name, Array(file.contents.utf8)) }
  }

  private static func end(_ message: String) -> Never {
    StandardStream.error.write(message)
    HostProcess.exitNow(1)
  }
}
