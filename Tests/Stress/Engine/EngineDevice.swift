import LocalCloudPlatform
import LocalCloudService
import TestSupport

/// The coordinator's side of an ``EngineWorker``. The worker is killed and started again.
final class EngineDevice {
  /// The account of the device's user.
  let owner: String
  let name: String
  /// The account that is signed in; nil: none.
  private(set) var account: String?
  /// The accounts that were signed in since the last point of rest. The app may have unsent edits of each.
  private(set) var accounts: Set<String>
  private let service: CloudService
  private let arguments: [String]
  private let environment: [String: String]
  private let executable: String
  private var process: WorkerProcess<EngineCommand, EngineAnswer>?

  init(
    of owner: String, _ kind: String, isAutomatic: Bool, folder: String, _ temporary: TemporaryCloud,
    users: [String: String], executable: String
  ) throws {
    (self.owner, name, self.executable) = (owner, "\(owner)-\(kind)", executable)
    (account, accounts) = (owner, [owner])
    service = temporary.service
    arguments =
      ["engine-worker", "\(folder)/\(owner)-\(kind).json", isAutomatic ? "automatic" : "manual"]
      + users.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    environment = [
      "LOCALCLOUD_ROOT": temporary.path, "LOCALCLOUD_ACCOUNT": "", "LOCALCLOUD_DEVICE": "\(owner)-\(kind)",
      "LOCALCLOUD_CONTAINER": TemporaryCloud.container, "LOCALCLOUD_SYNC_DELAY": "0.01",
    ]
    _ = try service.devices.signIn(owner, on: name)
    try start()
  }

  private func start() throws {
    process = try WorkerProcess(name, executable, arguments, environment: environment)
  }

  func ask(_ command: EngineCommand) throws -> EngineAnswer {
    guard let process else { throw ScenarioEnd("\(name) has no process") }
    let answer = try process.ask(command)
    if let text = answer.trouble { throw ScenarioEnd("\(name), \(command): \(text)") }
    return answer
  }

  // MARK: Kills

  /// Kills the process, and starts it again.
  func restart() throws {
    end()
    try start()
  }

  /// Kills the process before, during or after a request, and starts it again.
  func kill(in command: EngineCommand, after microseconds: UInt64) throws {
    try process?.kill(in: command, after: microseconds)
    try start()
  }

  /// Lets the process kill itself at a write during a request, and starts it again.
  func die(in command: EngineCommand, write: Int, isBefore: Bool) throws {
    try process?.end(in: .dying(command, write: write, isBefore: isBefore))
    try start()
  }

  func end() {
    process?.kill()
    process = nil
  }

  // MARK: The device

  /// Signs in to an account, or signs out.
  func signIn(_ other: String?) throws {
    if other == account { return }
    if let other {
      _ = try service.devices.signIn(other, on: name)
      accounts.insert(other)
    } else {
      _ = try service.devices.signOut(name)
    }
    account = other
  }

  /// Nil: the device is online.
  func setNetwork(_ condition: NetworkCondition?) throws { try service.devices.setNetwork(condition, of: name) }

  /// Begins another period after a point of rest.
  func forgetAccounts() { accounts = [owner] }
}
