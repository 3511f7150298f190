import LocalCloudPlatform

/// The tool that was just built; it lies beside the test program.
enum BuiltTool {
  static let folder = HostProcess.executableFolder
  static let path = folder + "/localcloud"
}
