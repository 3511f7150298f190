import LocalCloudPlatform
import LocalCloudService
import TestSupport

/// The coordinator's side of an ``EngineWorker``. The worker is killed and started again.
final class EngineDevice {
  /// The account of the device's user.
  let owner: String
  let name: String
  let isAutomatic: Bool
  /// Whether the cloud may have asked the engines for a long pause since the last point of rest.
  private(set) var mayPause = false
  /// The account that is signed in; nil: none.
  private(set) var account: String?
  /// The accounts that were signed in since the last point of rest. The app may have unsent edits of each.
  private(set) var accounts: Set<String>
  private let service: EngineService
  private let arguments: [String]
  private let environment: [String: String]
  private let executable: String
  private var process: WorkerProcess<EngineCommand, EngineAnswer>?

  init(
    of owner: String, _ kind: String, isAutomatic: Bool, folder: String, _ service: EngineService,
    users: [String: String], executable: String
  ) throws {
    (self.owner, name, self.executable) = (owner, "\(owner)-\(kind)", executable)
    (self.isAutomatic, self.service) = (isAutomatic, service)
    (account, accounts) = (owner, [owner])
    arguments =
      ["engine-worker", "\(folder)/\(owner)-\(kind).json", isAutomatic ? "automatic" : "manual"]
      + users.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    environment = [
      "LOCALCLOUD_ROOT": service.root, "LOCALCLOUD_ACCOUNT": "", "LOCALCLOUD_DEVICE": "\(owner)-\(kind)",
      "LOCALCLOUD_CONTAINER": TemporaryCloud.container, "LOCALCLOUD_SYNC_DELAY": "0.01",
    ]
    _ = try service.current.devices.signIn(owner, on: name)
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
      _ = try service.current.devices.signIn(other, on: name)
      accounts.insert(other)
    } else {
      _ = try service.current.devices.signOut(name)
    }
    account = other
  }

  /// Nil: the device is online. `isLong`: the condition asks the engines for a long pause.
  func setNetwork(_ condition: NetworkCondition?, isLong: Bool = false) throws {
    try service.current.devices.setNetwork(condition, of: name)
    if isLong { mayPause = true }
  }

  /// Begins another period after a point of rest.
  func beginPeriod() { (accounts, mayPause) = ([owner], false) }
}

/// The cloud's service. The restore of a snapshot replaces it.
final class EngineService {
  private(set) var current: CloudService
  private let temporary: TemporaryCloud
  private var restores: Int64 = 0

  init(_ temporary: TemporaryCloud) { (self.temporary, current) = (temporary, temporary.service) }

  var root: String { temporary.path }

  func restore(_ snapshot: String) throws {
    try current.snapshots.restore(snapshot)
    restores += 1
    // Later times, and other identifiers.
    let start = 1_800_000_000_000 + restores * 1_000_000_000
    current = try CloudService.open(
      root: root, settings: TemporaryCloud.settings(start: start, ids: "restore \(restores)"))
  }
}
