import LocalCloudEmulator
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Examines the machine and a cloud. It does not open the cloud, since that recovers and writes: it works on a damaged
/// cloud, and writes only a temporary probe file.
package struct Doctor {
  /// The path of the cloud.
  let root: String
  let machine: ExaminedMachine
  private(set) package var diagnoses: [Diagnosis] = []

  /// Runs all checks.
  ///
  /// - Parameters:
  ///   - settings: the settings in force, or the error of a setting.
  ///   - root: the path of the cloud.
  ///   - stores: the paths of Core Data stores.
  ///   - environment: returns the value of an environment variable.
  package init(
    _ settings: Result<Settings, ServiceError>, root: String, stores: [String] = [],
    environment: (String) -> String? = { _ in nil }, machine: ExaminedMachine = ExaminedMachine()
  ) {
    (self.root, self.machine) = (root, machine)
    let folder: Directory
    do { folder = try Directory.open(path: root, in: machine.fileSystem) } catch {
      add(
        "cloud", .problem, error.isMissing ? "there is no folder \(root)" : "\(error)",
        "name the cloud with --root or LOCALCLOUD_ROOT, or make one with \"localcloud init\"")
      examineMachine(nil)
      examineStores(stores)
      examineSettings(settings, nil, environment)
      return
    }
    examineFormat(folder)
    diagnoses += examine("space") { try examineSpace(folder) }
    examineLocks(folder)
    examineTree(folder)
    diagnoses += examine("clock") { try examineClock(folder) }
    examineMachine(folder)
    examineStores(stores)
    examineSettings(settings, folder, environment)
  }

  mutating func add(_ check: String, _ state: Diagnosis.State, _ message: String, _ advice: String? = nil) {
    diagnoses.append(Diagnosis(check, state, message, advice: advice))
  }

  /// Runs one check. An error of it is a problem, and does not stop the others.
  private func examine(_ check: String, _ body: () throws -> [Diagnosis]) -> [Diagnosis] {
    do { return try body() } catch {
      return [Diagnosis(check, .problem, "it can't be examined: \(CommandFailure(error).message)")]
    }
  }

  // MARK: The cloud

  private mutating func examineFormat(_ folder: Directory) {
    do {
      guard let bytes = try folder.contents(Cloud.markerName), try Cloud.markerProblem(in: folder) == nil,
        let version = (try? JSONValue(parsing: bytes))?["formatVersion"]?.integer
      else {
        let problem = try Cloud.markerProblem(in: folder)
        return add(
          "cloud", .problem, problem.map { "\($0.path): \($0.text)" } ?? "there is no cloud in \(root)",
          problem == nil ? "make one with \"localcloud init\"" : "run \"localcloud repair\"")
      }
      if version > Cloud.formatVersion {
        add(
          "cloud", .problem, "its format is \(version), and this tool knows formats up to \(Cloud.formatVersion)",
          "use a newer tool")
      } else {
        add("cloud", .ok, "\(root), format \(version)")
      }
    } catch {
      add("cloud", .problem, "\(error)", "make \(folder.path(of: Cloud.markerName)) readable")
    }
  }

  private func examineSpace(_ folder: Directory) throws -> [Diagnosis] {
    let space = try machine.freeSpace(folder)
    if space.isReadOnly {
      return [Diagnosis("space", .problem, "the file system is read-only", advice: "mount it for writing")]
    }
    let files = space.files ?? .max
    let text = "\(space.bytes >> 20) MiB" + (space.files.map { " and \($0) files" } ?? "") + " free"
    let state: Diagnosis.State =
      if space.bytes < 16 << 20 || files < 100 { .problem } else if space.bytes < 256 << 20 || files < 10_000 {
        .warning
      } else {
        .ok
      }
    return [Diagnosis("space", state, text, advice: state == .ok ? nil : "free space on the file system of \(root)")]
  }

  private mutating func examineLocks(_ folder: Directory) {
    let advice = "put the cloud on a local file system"
    do throws(SystemError) {
      switch try FileSystemProbe.defect(in: folder) {
      case .locks:
        add("locks", .problem, "the file system does not lock files: two processes could write at once", advice)
      case .renames: add("locks", .problem, "a rename does not replace a file: half a change could be seen", advice)
      case nil: add("locks", .ok, "the file system locks and renames files")
      }
    } catch {
      add(
        "locks", .problem, "no file can be written, locked and renamed in \(root): \(error.reason)",
        error.isDenied ? "get the permission to write to the folder" : "\(advice) with free space")
    }
  }

  private func examineClock(_ folder: Directory) throws -> [Diagnosis] {
    let machine = machine
    do {
      switch try CloudClock(in: folder, machine: machine.clock).setting() {
      case nil: return [Diagnosis("clock", .ok, "the machine's clock")]
      case let setting?:
        let isFixed = if case .fixed = setting { true } else { false }
        return [
          Diagnosis(
            "clock", isFixed ? .warning : .ok,
            ClockText(setting, machine: machine.clock()).text.rendered(colored: false),
            advice: isFixed ? "\"localcloud clock reset\" ends it, if it is a leftover" : nil)
        ]
      }
    } catch StorageError.damaged(let path, let reason) {
      return [Diagnosis("clock", .problem, "\(path): \(reason)", advice: "run \"localcloud clock reset\"")]
    }
  }

  // MARK: The machine

  private mutating func examineMachine(_ folder: Directory?) {
    let limits = machine.limits
    let parts = [
      limits.openFiles.map { "\($0) open files" }, limits.watches.map { "\($0) watched folders" },
      limits.watchingProcesses.map { "\($0) watching processes" },
    ]
    let text = parts.compactMap { $0 }.joined(separator: ", ")
    if limits.openFiles.map({ $0 < 256 }) == true {
      add("limits", .warning, text, "raise the number of open files with \"ulimit -n 1024\"")
    } else if limits.watches.map({ $0 < 1024 }) == true || limits.watchingProcesses.map({ $0 < 16 }) == true {
      add("limits", .warning, text, "raise fs.inotify.max_user_watches and fs.inotify.max_user_instances")
    } else {
      add("limits", .ok, text)
    }
    if let folder {
      do throws(SystemError) {
        _ = try DirectoryWatch(folder)
        add("watching", .ok, "a process can watch the cloud")
      } catch {
        add(
          "watching", .problem, "a process can't watch the cloud: \(error.reason)",
          "end other programs that watch folders, or raise fs.inotify.max_user_watches and max_user_instances")
      }
    }
    do { add("libcrypto", .ok, try machine.cryptography()) } catch {
      add(
        "libcrypto", .warning, "OpenSSL's libcrypto was not found: encrypted values fail",
        "install it (libssl3 in Debian and Ubuntu), or name its file in LOCALCLOUD_LIBCRYPTO")
    }
  }

  private mutating func examineStores(_ stores: [String]) {
    for path in stores {
      do throws(ObjectStoreError) {
        if let problem = try ObjectStore.documentProblem(path, in: machine.fileSystem) {
          add("store", .problem, "\(problem.path): \(problem.text)")
        } else {
          add("store", .ok, "\(path) has a format that this tool knows")
        }
      } catch {
        let failure = CommandFailure(error)
        add("store", .problem, "\(path): \(failure.message)", failure.hint)
      }
    }
  }

  // MARK: The settings

  private mutating func examineSettings(
    _ settings: Result<Settings, ServiceError>, _ folder: Directory?, _ environment: (String) -> String?
  ) {
    let before = diagnoses.count
    switch settings {
    case .failure(let error): add("settings", .problem, error.message, error.hint ?? "correct it, or unset it")
    case .success(let settings):
      let accounts = try? folder?.directoryIfPresent(Account.folder)
      if let name = settings.account.value, let accounts, (try? accounts.exists(Account.file(of: name))) != true {
        add(
          "settings", .problem, "the cloud has no account \(name)", "add it with \"localcloud account add \(name)\"")
      }
      if let name = settings.device.value, let accounts, !hasDevice(name, folder, accounts) {
        add(
          "settings", .warning, "the cloud has no device \(name) yet",
          "the first use makes it; check LOCALCLOUD_DEVICE if there should be one")
      }
      if settings.clock.value != nil {
        add("settings", .warning, "LOCALCLOUD_CLOCK fixes the time of each process that has it")
      }
      let containers = try? folder?.directoryIfPresent("containers")
      let container = settings.container
      if container.source == .variable, let containers,
        (try? containers.exists(FileName.encode(container.value))) != true
      {
        add(
          "settings", .warning, "the cloud has no container \(container.value) yet",
          "the first save makes it; check LOCALCLOUD_CONTAINER if there should be one")
      }
    }
    for name in ["LOCALCLOUD_HOMES", "LOCALCLOUD_LIBCRYPTO"] {
      // A library may be named without its folder.
      guard let path = environment(name), path.hasPrefix("/"), !UserFile.isFolder(path),
        (try? UserFile.contentStamp(path)) == nil
      else { continue }
      add("settings", .problem, "\(name) names \(path), which does not exist", "correct it, or unset it")
    }
    if diagnoses.count == before { add("settings", .ok, "valid") }
  }

  /// Whether an account was ever signed in on the device, or it is an account's own device.
  private func hasDevice(_ name: String, _ folder: Directory?, _ accounts: Directory) -> Bool {
    let suffix = Account.defaultDevice(of: "")
    if name.hasSuffix(suffix), (try? accounts.exists(Account.file(of: String(name.dropLast(suffix.count))))) == true {
      return true
    }
    return (try? folder?.directory(at: ["devices", FileName.encode(name)])?.exists(Device.file)) == true
  }
}
