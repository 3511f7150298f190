import LocalCloudPlatform
import LocalCloudSourceRewriter

/// The tool of the plugin `AppleSources`: `LocalCloudSourceRewriterTool [--known FILE]… [--file INPUT OUTPUT]…`.
///
/// It rewrites each input to its output, and reads the known files to learn of their classes. Diagnostics go to
/// standard error, where the build system finds them; the exit status is 1 if there is an error among them.
@main
enum SourceRewriterTool {
  static func main() {
    do { HostProcess.exitNow(try run(CommandLine.arguments.dropFirst())) } catch {
      StandardStream.error.write("error: \(error)\n")
      HostProcess.exitNow(1)
    }
  }

  private static func run(_ arguments: ArraySlice<String>) throws(SystemError) -> Int32 {
    var (rest, files, known, outputs) = (arguments, [SourceFile](), [SourceFile](), [String]())
    while let option = rest.popFirst() {
      guard let path = rest.popFirst() else { return usage() }
      let file = SourceFile(path: path, bytes: try UserFile.read(path, limit: .text))
      if option == "--known" {
        known.append(file)
      } else if option == "--file", let output = rest.popFirst() {
        files.append(file)
        outputs.append(output)
      } else {
        return usage()
      }
    }
    var hasErrors = false
    for (file, output) in zip(Rewriter.rewrite(files, known: known), outputs) {
      for diagnostic in file.diagnostics {
        StandardStream.error.write("\(diagnostic)\n")
        hasErrors = hasErrors || diagnostic.severity == .error
      }
      try write(file.bytes, to: output)
    }
    return hasErrors ? 1 : 0
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let (folder, name) = UserFile.folderAndName(of: path)
    let fileSystem = FileSystem()
    try Directory.make(path: folder, in: fileSystem)
    try Directory.open(path: folder, in: fileSystem).writeIfOther(name, bytes)
  }

  private static func usage() -> Int32 {
    StandardStream.error.write("usage: LocalCloudSourceRewriterTool [--known FILE]... [--file INPUT OUTPUT]...\n")
    return 64
  }
}
