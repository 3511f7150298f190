import LocalCloudPlatform

/// The program whose processes these tests start: it is built beside them.
enum StressProgram {
  static let path = HostProcess.executableFolder + "/Stress"
}
