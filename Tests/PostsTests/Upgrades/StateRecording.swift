import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// Records the states that later versions have to read.
///
/// `LOCALCLOUD_RECORD_STATES=NAME` chooses the last part of the fixtures' names. `LOCALCLOUD_PROGRAMS` is the folder of
/// the programs that write the states, if they are not those of this build.
@Suite("Recording of states", .enabled(if: HostProcess.environment("LOCALCLOUD_RECORD_STATES") != nil))
struct StateRecording {
  @Test("records each kind of state", arguments: FormerState.kinds)
  func record(kind: String) throws {
    let name = try #require(HostProcess.environment("LOCALCLOUD_RECORD_STATES"))
    let programs = HostProcess.environment("LOCALCLOUD_PROGRAMS") ?? HostProcess.executableFolder
    let path = ScratchFolder.newPath("state")
    defer { try? ScratchFolder.remove(path) }
    let process = try ChildProcess(
      "/bin/sh", [FormerState.folder + "/state.sh", kind, path],
      environment: ["PATH": programs + ":" + (HostProcess.environment("PATH") ?? "/usr/bin:/bin")])
    try #require(process.wait(seconds: 300) == 0, "\(process.errors)")
    try RecordedFolder(of: path).record(in: "\(FormerState.fixtures)/\(kind)-\(name).json")
  }
}
