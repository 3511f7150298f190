import FaultInjection
import LocalCloudPlatform
import TestSupport

/// Mirrored stores against the cloud: three people with two devices each edit, relate, share, let others write or only
/// read, join, leave, purge, are without the cloud and are killed at random. From time to time all is let come to rest.
/// Then all devices of the people who may see a zone have the same in it, which is what plain CloudKit shows; nothing
/// that was saved is lost, each value is one that somebody gave it last who might; and what somebody may see no more is
/// in no file of their devices.
///
/// A seed gives the same choices each time, as far as the processes are equally quick.
struct SyncRun {
  /// After so many steps all is let come to rest.
  static let epoch = 20

  let steps: Int
  let seed: UInt64
  let executable: String
  let keepsFiles: Bool
  let progress: @Sendable (StoryReport) -> Void

  func run() async throws -> StoryReport {
    let cloud = try TemporaryCloud(accounts: SyncDirector.accounts)
    let folder = "\(cloud.path)-devices"
    try Directory.make(path: folder, in: FileSystem())
    defer { if !keepsFiles { try? ScratchFolder.remove(folder) } }
    var director = try await SyncDirector(folder, root: cloud.path, executable: executable, seed: seed)
    defer { director.end() }
    do {
      while director.report.steps < steps, director.report.problems.isEmpty {
        for _ in 0..<min(Self.epoch, steps - director.report.steps) { try director.step() }
        try await director.settle()
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
