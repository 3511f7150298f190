import FaultInjection
import Foundation
import TestSupport

/// The properties of the machine that the figures depend on.
struct Machine: Sendable {
  var cores: Int
  /// The disk of the temporary folder: "ssd", "hard disk", "virtual disk", "tmpfs" or "unknown disk", or a loop device
  /// on one of them.
  var disk: String
  var fileSystem: String
  var build: String

  static func current() -> Machine {
    let folder = ScratchFolder.newPath("disk").split(separator: "/").dropLast().joined(separator: "/")
    let mount = Mount.holding("/" + folder)
    #if DEBUG
      let build = "debug"
    #else
      let build = "release"
    #endif
    return Machine(
      cores: ProcessInfo.processInfo.activeProcessorCount, disk: mount?.disk ?? "unknown disk",
      fileSystem: mount?.fileSystem ?? "unknown file system", build: build)
  }
}
