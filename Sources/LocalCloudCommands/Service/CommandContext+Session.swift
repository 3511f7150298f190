import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// Connects a command line to the service.
extension CommandContext {
  /// The settings from the options and, where an option is absent, from the environment.
  ///
  /// - Parameters:
  ///   - root: overrides `--root`.
  ///   - account: overrides `--account`.
  ///   - isolated: ignore the settings of the environment.
  package func settings(
    root: String? = nil, account: String? = nil, isolated: Bool = false
  ) throws(ServiceError) -> Settings {
    var acting = ActingIdentity()
    acting.root = root ?? self[GlobalOptions.root]
    acting.who = (account ?? self[GlobalOptions.account]).map { $0.isEmpty ? .signedOut : .account($0) } ?? .unspecified
    acting.device = self[GlobalOptions.device]
    acting.container = self[GlobalOptions.container]
    acting.pushes = self[GlobalOptions.pushes]
    acting.environment = self[GlobalOptions.environment]
    return try Settings(
      acting, lockTimeout: self[GlobalOptions.lockTimeout], clock: self[GlobalOptions.clock],
      seed: self[GlobalOptions.seed],
      variable: { isolated && $0.hasPrefix("LOCALCLOUD_") ? nil : environment($0) })
  }

  /// Opens a session: the cloud and the caller. In a dry run its requests only read, and are not counted.
  ///
  /// - Parameter settings: the settings of the command line if absent.
  func session(as role: SessionRole = .command, settings: Settings? = nil) throws(ServiceError) -> Session {
    let output = output
    let wait = FirstTime()
    let settings = if let settings { settings } else { try self.settings() }
    let session = try Session(
      ActingIdentity(), settings: settings, as: isDryRun && role == .command ? .onlooker : role,
      command: "localcloud \(description.name)",
      // One command may wait for several locks. The notice is shown once.
      notice: { text in if wait.isNow() { output.notice("\(text)") } })
    if session.isOnNewDevice { noteNewDevice(session) }
    if role != .administrator, output.settings.verbosity > 0 { noteIdentity(session) }
    return isDryRun ? session.uncounted() : session
  }

  /// Checks that the cloud has an account of this name.
  ///
  /// - Throws: an error with the nearest name as a hint if it has none.
  func checkAccount(_ name: String, _ settings: Settings) throws(ServiceError) {
    let accounts = try session(as: .administrator, settings: settings).service.accounts
    do {
      _ = try accounts.account(name)
    } catch {
      guard error.cause == .unknownAccount else { throw error }
      var error = error
      let near = WordSuggestion.nearest(to: name, among: try accounts.listAccounts().accounts.map(\.name))
      if let near { error.hint = "did you mean \"\(near)\"?" }
      throw error
    }
  }

  private func noteIdentity(_ session: Session) {
    let (caller, root) = (session.caller, session.settings.root.value)
    let who = caller.account.map { "as \($0) on \(session.deviceName)" } ?? "as nobody"
    output.notice("acting \(who), in \(caller.container), \(caller.environment.rawValue), of the cloud \(root)")
  }

  /// Notifies the user that the device did not exist before, as its name may be mistyped.
  private func noteNewDevice(_ session: Session) {
    let name = session.deviceName
    output.notice("signed \(session.caller.account ?? "", .bold) in on \(name, .bold), a new device")
    if let near = try? session.service.devices.nearest(to: name) { output.hint("did you mean \"\(near)\"?") }
  }

  /// Tells of other containers if nobody named one, and the default one has nothing in it: what is looked for may be
  /// in them.
  func hintAtContainers(_ session: Session) {
    let container = session.caller.container
    guard session.settings.container.source == .standard, let others = try? session.service.cloud.containers(),
      !others.isEmpty, !others.contains(ExactName(container))
    else { return }
    let names = others.sorted().map(\.string).joined(separator: ", ")
    output.hint(
      "no container was named, and \(container) is empty; the cloud holds \(names): name one with --container")
  }

  /// The date of today by the cloud's clock, for example `2026-11-27`.
  var today: String {
    let time = (try? settings().time()) ?? systemTimeMilliseconds()
    return String(Timestamp.text(milliseconds: time).prefix(10))
  }

  /// The database that `--database` names; `standard` if the option is absent.
  func scope(standard: DatabaseScope = .private) -> DatabaseScope {
    self[GlobalOptions.database] ?? standard
  }
}

extension Session {
  /// The caller's device; without one, the default device of the caller's account.
  var deviceName: String { caller.device ?? caller.account.map(Account.defaultDevice(of:)) ?? "" }
}

/// Returns true on the first call only.
private final class FirstTime: Sendable {
  private let isOver = Mutex(false)

  func isNow() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
