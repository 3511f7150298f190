import Platform
import TestSupport

/// The director's side of a ``SyncWorker``, which is killed and started again.
final class SyncDevice {
  let account: String
  let name: String
  let folder: String
  private let root: String
  private let executable: String
  private var process: ChildProcess?
  /// Whether its stores are mirrored; what is done meanwhile is sent later.
  private(set) var isOnline = true

  init(_ account: String, _ name: String, folder: String, root: String, executable: String) {
    (self.account, self.name, self.folder) = (account, "\(account)-\(name)", "\(folder)/\(account)-\(name)")
    (self.root, self.executable) = (root, executable)
  }

  private func trouble(_ text: String) -> SyncWorker.Trouble {
    SyncWorker.Trouble(description: "\(name) \(text): \(process?.errors.suffix(2000) ?? "")")
  }

  func start(isOnline: Bool) throws {
    end()
    self.isOnline = isOnline
    process = try ChildProcess(
      executable, ["sync-worker", account, folder, isOnline ? "on" : "off"],
      environment: [
        "LOCALCLOUD_ROOT": root, "LOCALCLOUD_ACCOUNT": account, "LOCALCLOUD_DEVICE": name,
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
      ], isTold: true)
    guard process?.nextLine(seconds: 60) == "ready" else { throw trouble("does not start") }
  }

  func ask(_ command: SyncCommand) throws -> SyncAnswer {
    guard let process, process.tell(try GraphMessage.line(command)), let line = process.nextLine(seconds: 120) else {
      throw trouble("does not answer")
    }
    let answer: SyncAnswer = try GraphMessage.read(line)
    if let text = answer.trouble { throw trouble(text) }
    return answer
  }

  /// Stops the process while it does something, or before, or after; and starts it again.
  func kill(in command: SyncCommand, after microseconds: Int) throws {
    guard let process, process.tell(try GraphMessage.line(command)) else { throw trouble("is not there") }
    pause(microseconds: UInt64(microseconds))
    try start(isOnline: isOnline)
  }

  func end() {
    process?.kill()
    process?.hangUp()
    _ = process?.wait()
    process = nil
  }
}
