import Platform

/// The tool that was just built; it lies beside the test program.
enum BuiltTool {
  static let folder = "/" + HostProcess.executablePath.split(separator: "/").dropLast().joined(separator: "/")
  static let path = folder + "/localcloud"
}
