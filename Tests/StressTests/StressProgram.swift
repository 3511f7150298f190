import LocalCloudPlatform

/// The Stress program that these tests start as child processes. It is built beside the tests.
enum StressProgram {
  static let path = HostProcess.executableFolder + "/Stress"
}
