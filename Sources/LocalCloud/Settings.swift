import CloudService
import CloudStore
import Platform

/// The settings in force, each with where it came from, as `status` shows them.
package struct Settings: Sendable {
  package enum Origin: String, Sendable {
    case option
    case variable
    case folder
    case device
    case standard
  }

  package struct Value<Wrapped: Sendable>: Sendable {
    package var value: Wrapped
    package var origin: Origin
  }

  package var root: Value<String>
  package var account: Value<String?>
  package var device: Value<String?>
  package var container: Value<String>
  package var environment: Value<CloudEnvironment>
  package var lockTimeout: Value<Double>
  package var clock: Value<Int64?>
  package var seed: Value<String?>

  /// The variables, in the order in which `env` prints them.
  package static let variables = [
    "LOCALCLOUD_ROOT", "LOCALCLOUD_ACCOUNT", "LOCALCLOUD_DEVICE", "LOCALCLOUD_CONTAINER", "LOCALCLOUD_ENVIRONMENT",
    "LOCALCLOUD_LOCK_TIMEOUT", "LOCALCLOUD_CLOCK", "LOCALCLOUD_SEED",
  ]

  /// Order: what the caller says, the variable, the nearest parent folder that holds a cloud (root), the default.
  package init(
    _ acting: Acting, lockTimeout: Double? = nil, clock: String? = nil, seed: String? = nil,
    variable: (String) -> String? = HostProcess.environment
  ) throws(ServiceError) {
    func variableText(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

    if let path = acting.root {
      root = Value(value: path, origin: .option)
    } else if let path = variableText("LOCALCLOUD_ROOT") {
      root = Value(value: path, origin: .variable)
    } else if let path = Self.nearestCloud(above: HostProcess.workingDirectory) {
      root = Value(value: path, origin: .folder)
    } else {
      let data = variableText("XDG_DATA_HOME") ?? (variableText("HOME") ?? "/tmp") + "/.local/share"
      root = Value(value: data + "/localcloud", origin: .standard)
    }

    device = Value(value: acting.device, origin: .option)
    if acting.device == nil {
      let text = acting.who == .unspecified ? variableText("LOCALCLOUD_DEVICE") : nil
      device = Value(value: text, origin: text == nil ? .standard : .variable)
    }
    switch acting.who {
    case .account(let name):
      account = Value(value: name, origin: .option)
    case .signedOut:
      account = Value(value: nil, origin: .option)
    case .unspecified:
      let name = variableText("LOCALCLOUD_ACCOUNT")
      account = Value(value: name, origin: name == nil ? .standard : .variable)
    }

    if let name = acting.container {
      container = Value(value: name, origin: .option)
    } else if let name = variableText("LOCALCLOUD_CONTAINER") {
      container = Value(value: name, origin: .variable)
    } else {
      container = Value(value: "iCloud." + HostProcess.programName, origin: .standard)
    }

    if let chosen = acting.environment {
      environment = Value(value: chosen, origin: .option)
    } else if let name = variableText("LOCALCLOUD_ENVIRONMENT") {
      environment = Value(value: try Self.environment(named: name), origin: .variable)
    } else {
      environment = Value(value: .development, origin: .standard)
    }

    if let lockTimeout {
      self.lockTimeout = Value(value: lockTimeout, origin: .option)
    } else if let text = variableText("LOCALCLOUD_LOCK_TIMEOUT") {
      guard let seconds = Double(text), seconds >= 0, seconds <= 86_400 else {
        throw .badSetting("LOCALCLOUD_LOCK_TIMEOUT", text, "a number of seconds from 0 to 86400")
      }
      self.lockTimeout = Value(value: seconds, origin: .variable)
    } else {
      self.lockTimeout = Value(value: 30, origin: .standard)
    }

    if let text = clock ?? variableText("LOCALCLOUD_CLOCK") {
      guard let time = Timestamp.milliseconds(text: text) else {
        throw .badSetting("LOCALCLOUD_CLOCK", text, "a date such as 2026-01-31T12:00:00Z")
      }
      self.clock = Value(value: time, origin: clock == nil ? .variable : .option)
    } else {
      self.clock = Value(value: nil, origin: .standard)
    }
    let chosenSeed = seed ?? variableText("LOCALCLOUD_SEED")
    self.seed = Value(value: chosenSeed, origin: seed != nil ? .option : chosenSeed == nil ? .standard : .variable)
  }

  static func environment(named name: String) throws(ServiceError) -> CloudEnvironment {
    guard let environment = CloudEnvironment(rawValue: name) else {
      throw .badSetting("LOCALCLOUD_ENVIRONMENT", name, "development or production")
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

extension ServiceError {
  /// A setting that can't be meant: an error at the start, never ignored.
  package static func badSetting(_ name: String, _ value: String, _ wanted: String) -> ServiceError {
    ServiceError(.invalidArguments, "\(name) is '\(value)'; it must be \(wanted).")
  }
}
