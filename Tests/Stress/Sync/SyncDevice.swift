import LocalCloudPlatform
import TestSupport

/// The coordinator's side of a ``SyncWorker``. The worker is killed and started again.
final class SyncDevice {
  let account: String
  let name: String
  let folder: String
  private let root: String
  private let executable: String
  private var process: WorkerProcess<SyncCommand, SyncAnswer>?
  /// Whether its stores are mirrored. Edits while they are not mirrored are exported later.
  private(set) var isOnline = true

  init(_ account: String, _ name: String, folder: String, root: String, executable: String) {
    (self.account, self.name, self.folder) = (account, "\(account)-\(name)", "\(folder)/\(account)-\(name)")
    (self.root, self.executable) = (root, executable)
  }

  func start(isOnline: Bool) throws {
    end()
    self.isOnline = isOnline
    process = try WorkerProcess(
      name, executable, ["sync-worker", account, folder, isOnline ? "on" : "off"],
      environment: [
        "LOCALCLOUD_ROOT": root, "LOCALCLOUD_ACCOUNT": account, "LOCALCLOUD_DEVICE": name,
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
      ])
  }

  func ask(_ command: SyncCommand) throws -> SyncAnswer {
    guard let process else { throw ScenarioEnd("\(name) is not there") }
    let answer = try process.ask(command)
    if let text = answer.trouble { throw ScenarioEnd("\(name), \(command): \(text)") }
    return answer
  }

  /// Kills the process before, during or after a request, and starts it again.
  func kill(in command: SyncCommand, after microseconds: UInt64) throws {
    try process?.kill(in: command, after: microseconds)
    process = nil
    try start(isOnline: isOnline)
  }

  func end() {
    process?.kill()
    process = nil
  }
}
