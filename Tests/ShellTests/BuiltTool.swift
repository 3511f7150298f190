import LocalCloudPlatform

/// The newly built tool, in the folder of the test program.
enum BuiltTool {
  static let folder = HostProcess.executableFolder
  static let path = folder + "/localcloud"
}
