import LocalCloudEmulator
import LocalCloudPlatform
import LocalCloudStorage

/// The changes of the environment for a command that `exec`, `as` or `shell` starts.
struct CommandVariables {
  /// The variable for the folder that holds a home folder for each person.
  static let homes = "LOCALCLOUD_HOMES"

  /// The values by name; nil: the variable is removed.
  private(set) var changes: [String: String?] = [:]

  /// Variables that apply only the given settings, and no setting of this process.
  init(isolated settings: Settings, home: String, homes: String) {
    for variable in Settings.Variable.allCases { set(variable.rawValue, nil) }
    set(settings)
    set(Self.homes, homes)
    set(home: home)
  }

  /// Variables for an account on its own device, or on the one that the settings name. The account's home folder is
  /// made in the folder `homes`; without one, `HOME` stays.
  init(account: String, _ settings: Settings, homes: String?) throws(SystemError) {
    set(settings)
    set(Settings.Variable.account.rawValue, account)
    set(Settings.Variable.device.rawValue, settings.device.value)
    guard let homes, !homes.isEmpty else { return }
    // The command may change its working folder.
    let isAbsolute = homes.hasPrefix("/")
    let home = try Self.makeHome(of: account, in: isAbsolute ? homes : HostProcess.workingDirectory + "/" + homes)
    set(home: home)
    set("XDG_DATA_HOME", Self.stores(in: home))
  }

  /// Makes the home folder of an account with its folder for stores. Returns its path.
  @discardableResult
  static func makeHome(of account: String, in homes: String) throws(SystemError) -> String {
    let home = homes + "/" + FileName.encode(account)
    try Directory.make(path: stores(in: home), in: FileSystem())
    return home
  }

  private static func stores(in home: String) -> String { home + "/stores" }

  mutating func set(_ name: String, _ value: String?) { changes.updateValue(value, forKey: name) }

  /// The options of the command line, and the root: a command may change its working folder.
  private mutating func set(_ settings: Settings) {
    for entry in settings.entries where entry.variable == .root || entry.source == .option {
      set(entry.variable.rawValue, entry.text)
    }
  }

  private mutating func set(home: String) {
    set("HOME", home)
    for kind in ["CACHE", "CONFIG", "DATA", "STATE"] { set("XDG_\(kind)_HOME", nil) }
  }
}

extension ProcessGroup {
  /// Runs a command to its end, and returns its status.
  func run(_ words: [String], _ variables: CommandVariables) throws(CommandFailure) -> Int32 {
    do throws(SystemError) { return try run(words, variables.changes) } catch {
      throw CommandFailure(starting: words[0], error)
    }
  }
}

extension CommandFailure {
  /// A failure to start a command, with the status that a shell has for it.
  init(starting command: String, _ error: SystemError) {
    let isMissing = error.code == SystemError.missing
    self.init(
      isMissing ? .commandNotFound : .notExecutable, code: isMissing ? "commandNotFound" : "notExecutable",
      "cannot run \(command): \(error.reason)")
  }

  /// A failure of a command that starts another one. Its status differs from those that the other one has.
  init(wrapping error: any Error) {
    self.init(error)
    let own: [ExitCode] = [.usage, .interrupted, .terminated, .notExecutable, .commandNotFound]
    if !own.contains(exitCode) { exitCode = .wrapperFailed }
  }
}

extension CommandContext {
  /// Removes a folder that the command made for itself. A failure is only reported.
  func removeTemporary(_ folder: Directory) {
    do throws(SystemError) { try folder.removeTree() } catch {
      output.say("\("localcloud:", .bold) cannot remove \(error.path): \(error.reason)")
    }
  }
}
