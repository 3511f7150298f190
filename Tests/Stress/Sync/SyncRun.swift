import FaultInjection
import LocalCloudPlatform
import TestSupport

/// Compares mirrored stores with the cloud: three users with two devices each edit, link, share, change permissions,
/// join, leave, purge, are offline and are killed at random. From time to time the run waits until all devices are at
/// rest. Then all devices with access to a zone must have the same objects in it as plain CloudKit returns. No saved
/// change may be lost, each value must be the last one by an account with write permission, and no file of a device may
/// contain objects that its account has lost access to.
///
/// A seed gives the same choices each time, as long as the processes run at the same speed.
struct SyncRun {
  /// The number of steps between two points of rest.
  static let epoch = 20

  let steps: Int
  let seed: UInt64
  let executable: String
  let keepsFiles: Bool
  let progress: @Sendable (ScenarioReport) -> Void

  func run() async throws -> ScenarioReport {
    let cloud = try TemporaryCloud(accounts: SyncDirector.accounts)
    let folder = "\(cloud.path)-devices"
    try Directory.make(path: folder, in: FileSystem())
    defer { if !keepsFiles { try? ScratchFolder.remove(folder) } }
    var director = try await SyncDirector(folder, root: cloud.path, executable: executable, seed: seed)
    defer { director.end() }
    do {
      while director.report.steps < steps, director.report.problems.isEmpty {
        for _ in 0..<min(Self.epoch, steps - director.report.steps) { try director.step() }
        try await director.compareWhenQuiet()
        progress(director.report)
      }
    } catch {
      director.report.problems.append("\(error)")
    }
    if director.report.problems.isEmpty {
      director.report.problems += try cloud.service.checks.check().map { "check: \($0.path): \($0.text)" }
    }
    return director.report
  }
}
