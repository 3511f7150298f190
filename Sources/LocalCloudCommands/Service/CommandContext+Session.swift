import CloudModel
import CloudService
import Emulator
import Synchronization

/// The bridge from a command line to the service.
extension CommandContext {
  /// What the options say, and where they say nothing, the environment. `root` wins over `--root`.
  package func settings(root: String? = nil) throws(ServiceError) -> Settings {
    var acting = ActingIdentity()
    acting.root = root ?? string("root")
    acting.who = string("account").map { $0.isEmpty ? .signedOut : .account($0) } ?? .unspecified
    acting.device = string("device")
    acting.container = string("container")
    acting.pushes = string("pushes")
    acting.environment = string("environment").flatMap(CloudEnvironment.init)
    return try Settings(
      acting, lockTimeout: string("lock-timeout").flatMap(Double.init), clock: string("clock"), seed: string("seed"),
      variable: environment)
  }

  /// The cloud, and who asks it.
  func session(as role: SessionRole = .command) throws(ServiceError) -> Session {
    let output = output
    let wait = FirstTime()
    return try Session(
      ActingIdentity(), settings: settings(), as: role, command: "localcloud \(description.name)",
      // One command may wait for several locks; people want to hear of it once.
      notice: { text in if wait.isNow() { output.notice("\(text)") } })
  }

  /// The database that was asked for; `standard` where none was.
  func scope(standard: DatabaseScope = .private) -> DatabaseScope {
    string("database").flatMap(DatabaseScope.init(name:)) ?? standard
  }
}

extension Session {
  /// The device that asks: the one that was named, else the account's default one.
  var deviceName: String { caller.device ?? caller.account.map(Account.defaultDevice(of:)) ?? "" }
}

extension DatabaseScope {
  /// Most used first.
  static let names = [DatabaseScope.private, .public, .shared].map(\.name)
}

/// Says yes once.
private final class FirstTime: Sendable {
  private let isOver = Mutex(false)

  func isNow() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
