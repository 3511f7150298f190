import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The settings in force, each with its source, as `status` shows them.
package struct Settings: Sendable {
  package enum Source: String, Sendable {
    case option
    case variable
    case folder
    case device
    case standard
  }

  package struct Value<Wrapped: Sendable>: Sendable {
    package var value: Wrapped
    package var source: Source
  }

  /// The environment variables, in the order of display.
  package enum Variable: String, Sendable, CaseIterable {
    case root = "LOCALCLOUD_ROOT"
    case account = "LOCALCLOUD_ACCOUNT"
    case device = "LOCALCLOUD_DEVICE"
    case container = "LOCALCLOUD_CONTAINER"
    case environment = "LOCALCLOUD_ENVIRONMENT"
    case lockTimeout = "LOCALCLOUD_LOCK_TIMEOUT"
    case clock = "LOCALCLOUD_CLOCK"
    case seed = "LOCALCLOUD_SEED"
    case log = "LOCALCLOUD_LOG"
    case strict = "LOCALCLOUD_STRICT"
    case pushes = "LOCALCLOUD_PUSHES"
    case syncDelay = "LOCALCLOUD_SYNC_DELAY"

    /// `lock timeout`
    package var name: String {
      rawValue.dropFirst("LOCALCLOUD_".count).lowercased().replacing("_", with: " ")
    }
  }

  /// An absolute path.
  package var root: Value<String>
  package var account: Value<String?>
  package var device: Value<String?>
  package var container: Value<String>
  package var environment: Value<CloudEnvironment>
  package var lockTimeout: Value<Double>
  package var clock: Value<Int64?>
  package var seed: Value<String?>
  /// Whether requests are logged, in `requests.jsonl` in the root.
  package var log: Value<Bool>
  /// Whether queries in development need the types and indexes that they need in production, and the value of
  /// ``isStrict(_:)``.
  package var strict: Value<Bool>
  package var pushes: Value<PushDelivery>
  /// The seconds from a cause of automatic synchronization to the work of a `CKSyncEngine`.
  package var syncDelay: Value<Double>

  /// Each setting is taken from the first of these that has it: the caller, the variable, the nearest parent folder
  /// that holds a cloud (root), the default. An empty variable counts as absent; one with a bad value is an error.
  package init(
    _ acting: ActingIdentity, lockTimeout: Double? = nil, clock: String? = nil, seed: String? = nil,
    variable: (String) -> String? = HostProcess.environment
  ) throws(ServiceError) {
    func text(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    func value(_ option: String?, _ variable: Variable) -> Value<String?> {
      if let option { return Value(value: option, source: .option) }
      let text = text(variable.rawValue)
      return Value(value: text, source: text == nil ? .standard : .variable)
    }

    if acting.root?.isEmpty == true { throw .badSetting(.root, "", "a folder") }
    if acting.device?.isEmpty == true { throw .badSetting(.device, "", "a name") }
    root = Self.root(value(acting.root, .root), dataFolder: text("XDG_DATA_HOME"), userFolder: text("HOME"))
    switch acting.who {
    case .unspecified: account = value(nil, .account)
    case .signedOut: account = Value(value: nil, source: .option)
    case .account(let name): account = Value(value: name, source: .option)
    }
    // A device that the environment names belongs to the environment's account.
    let isForeign = acting.device == nil && acting.who != .unspecified
    device = isForeign ? Value(value: nil, source: .standard) : value(acting.device, .device)

    let chosenContainer = value(acting.container, .container)
    container = Value(
      value: chosenContainer.value ?? "iCloud." + HostProcess.programName, source: chosenContainer.source)

    let chosenEnvironment = value(acting.environment?.rawValue, .environment)
    environment = Value(
      value: try chosenEnvironment.value.map(Self.environment(named:)) ?? .development,
      source: chosenEnvironment.source)

    let waitPolicy = value(lockTimeout.map { "\($0)" }, .lockTimeout)
    self.lockTimeout = Value(
      value: try waitPolicy.value.map { text throws(ServiceError) in try Self.seconds(text, .lockTimeout) } ?? 30,
      source: waitPolicy.source)

    let time = value(clock, .clock)
    self.clock = Value(value: try time.value.map(Self.time), source: time.source)
    self.seed = value(seed ?? acting.seed, .seed)
    let log = value(nil, .log)
    self.log = Value(
      value: try log.value.map { text throws(ServiceError) in try Self.isOn(text, .log) } ?? false, source: log.source)
    strict = Value(value: try Self.isStrict(variable), source: value(nil, .strict).source)

    let delivery = value(acting.pushes, .pushes)
    self.pushes = Value(value: try delivery.value.map(Self.pushes) ?? PushDelivery(), source: delivery.source)

    let delay = value(nil, .syncDelay)
    syncDelay = Value(
      value: try delay.value.map { text throws(ServiceError) in try Self.seconds(text, .syncDelay) } ?? 0.1,
      source: delay.source)
  }

  /// Whether a query that the server has no filters for is rejected when it is created. This needs no cloud.
  package static func isStrict(_ variable: (String) -> String? = HostProcess.environment) throws(ServiceError) -> Bool {
    guard let text = variable(Variable.strict.rawValue), !text.isEmpty else { return false }
    return try isOn(text, .strict)
  }

  private static func root(_ chosen: Value<String?>, dataFolder: String?, userFolder: String?) -> Value<String> {
    if let path = chosen.value { return Value(value: absolute(path), source: chosen.source) }
    if let path = nearestCloud(above: HostProcess.workingDirectory) { return Value(value: path, source: .folder) }
    let data = dataFolder ?? (userFolder ?? "/tmp") + "/.local/share"
    return Value(value: absolute(data + "/localcloud"), source: .standard)
  }

  /// An absolute path without `.` and repeated slashes. `..` stays: after a symbolic link only the system can resolve
  /// it.
  static func absolute(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : HostProcess.workingDirectory + "/" + path
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  private static func pushes(_ text: String) throws(ServiceError) -> PushDelivery {
    guard let delivery = PushDelivery(text: text) else {
      throw .badSetting(.pushes, text, "self, coalesced, or both with a comma between")
    }
    return delivery
  }

  private static func seconds(_ text: String, _ variable: Variable) throws(ServiceError) -> Double {
    guard let seconds = Double(text), seconds >= 0, seconds <= 86_400 else {
      throw .badSetting(variable, text, "a number of seconds from 0 to 86400")
    }
    return seconds
  }

  private static func time(_ text: String) throws(ServiceError) -> Int64 {
    do {
      return try Timestamp.parse(text)
    } catch {
      throw .badSetting(.clock, text, "a time such as 2026-01-31T12:00:00Z")
    }
  }

  private static func isOn(_ text: String, _ variable: Variable) throws(ServiceError) -> Bool {
    guard ["on", "off"].contains(text) else { throw .badSetting(variable, text, "on or off") }
    return text == "on"
  }

  package static func environment(named name: String) throws(ServiceError) -> CloudEnvironment {
    guard let environment = CloudEnvironment(rawValue: name) else {
      throw .badSetting(.environment, name, "development or production")
    }
    return environment
  }

  private static func nearestCloud(above path: String) -> String? {
    var components = path.split(separator: "/")
    while true {
      let candidate = "/" + components.joined(separator: "/")
      if Cloud.exists(at: candidate) { return candidate }
      if components.popLast() == nil { return nil }
    }
  }
}

extension Settings {
  /// One setting in the form for users.
  package struct Entry: Sendable {
    package var variable: Variable
    /// Nil if nothing is set.
    package var text: String?
    package var source: Source
  }

  /// All settings, in the order of their variables. Each text, set as the variable's value, gives the same setting.
  package var entries: [Entry] {
    Variable.allCases.map { variable in
      switch variable {
      case .root: Entry(variable: variable, text: root.value, source: root.source)
      case .account: Entry(variable: variable, text: account.value, source: account.source)
      case .device: Entry(variable: variable, text: device.value, source: device.source)
      case .container: Entry(variable: variable, text: container.value, source: container.source)
      case .environment: Entry(variable: variable, text: environment.value.rawValue, source: environment.source)
      case .lockTimeout: Entry(variable: variable, text: lockTimeout.value.secondsText, source: lockTimeout.source)
      case .clock:
        Entry(variable: variable, text: clock.value.map(Timestamp.text(milliseconds:)), source: clock.source)
      case .seed: Entry(variable: variable, text: seed.value, source: seed.source)
      case .log: Entry(variable: variable, text: log.value ? "on" : nil, source: log.source)
      case .strict: Entry(variable: variable, text: strict.value ? "on" : nil, source: strict.source)
      case .pushes: Entry(variable: variable, text: pushes.value.text, source: pushes.source)
      case .syncDelay: Entry(variable: variable, text: syncDelay.value.secondsText, source: syncDelay.source)
      }
    }
  }
}

extension ServiceError {
  /// An invalid setting: an error at the start, never ignored.
  static func badSetting(_ variable: Settings.Variable, _ value: String, _ wanted: String) -> ServiceError {
    let name =
      switch variable {
      // There is no option for these.
      case .log, .strict, .syncDelay: variable.rawValue
      default: "the \(variable.name) (\(variable.rawValue))"
      }
    return ServiceError(
      .invalidArguments, "\(name) cannot be \"\(value)\": it must be \(wanted)", cause: .badSetting)
  }
}
