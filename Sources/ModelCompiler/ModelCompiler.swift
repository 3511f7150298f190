import LocalCloudCoreDataModel
import LocalCloudPlatform

/// Writes the Swift sources for a Core Data model; the build runs it.
@main
enum ModelCompiler {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3 else { end("usage: ModelCompiler <module> <model.xcdatamodeld> <output folder>\n") }
    do throws(ModelFailure) {
      let package = try ModelPackage(path: arguments[1])
      for warning in package.warnings { StandardStream.error.write("\(warning)\n") }
      let files = try GeneratedFile.all(for: package, module: arguments[0])
      do throws(SystemError) {
        try write(files, to: arguments[2])
      } catch { end("\(arguments[2]):1:1: error: the sources can't be written: \(error)\n") }
    } catch { end("\(error)\n") }
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
