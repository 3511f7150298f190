import CloudService
import CloudStore
import Platform
import Synchronization

/// A service, and the caller that it is asked by: everything a request needs.
package struct Session: Sendable {
  package let service: CloudService
  package let caller: Caller
  package let settings: Settings

  package init(
    _ acting: Acting, settings: Settings? = nil, command: String? = nil, notice: (@Sendable (String) -> Void)? = nil
  ) throws(ServiceError) {
    let settings = if let settings { settings } else { try Settings(acting) }
    let cloud = try OpenClouds.cloud(at: settings.root.value)
    var identity = settings
    try identity.settleDevice(in: cloud)
    var options = CloudService.Settings()
    options.lockTimeout = settings.lockTimeout.value
    if let command { options.command = command }
    options.notice = notice
    if let time = settings.clock.value { options.clock = { time } }
    if let seed = settings.seed.value {
      let source = SeededIdentifiers(
        seed: seed, account: identity.account.value ?? "", device: identity.device.value, cloud: cloud)
      options.identifiers = source.bytes
    }
    service = CloudService(cloud: cloud, settings: options)
    self.settings = identity
    caller = Caller(
      account: identity.account.value, device: identity.device.value, container: settings.container.value,
      environment: settings.environment.value)
  }
}

extension Session {
  /// Makes the cloud that the settings name, in a folder that is empty or not there yet.
  package static func createCloud(_ settings: Settings) throws(ServiceError) -> CloudService {
    var options = CloudService.Settings()
    if let time = settings.clock.value { options.clock = { time } }
    if let seed = settings.seed.value {
      options.identifiers = { SeededIdentifiers.bytes($0, seed: seed, account: "", device: "", counter: 0) }
    }
    return try CloudService.create(root: settings.root.value, settings: options)
  }

  /// A name as CloudKit gives one to a record that has none: a random UUID.
  package func newRecordName() -> ExactName {
    var bytes = service.settings.identifiers(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(CloudService.hexadecimal(bytes).uppercased())
    return ExactName([0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-"))
  }
}

extension Settings {
  /// A device is signed in to at most one account. Named alone, it says whose it is; named with an account, it must be
  /// that account's, and is signed in to it the first time.
  fileprivate mutating func settleDevice(in cloud: Cloud) throws(ServiceError) {
    guard let name = device.value else { return }
    let file = FileName.encode(name)
    do {
      try NameRules.check(device: name)
      let accounts = try cloud.folder(Account.folder)
      let signedIn =
        try cloud.folder("devices").read(file, "device.json")?["account"]?.string
        ?? Account.owner(ofDefaultDevice: name, in: accounts)
      guard let wanted = account.value else {
        if account.origin == .standard { account = Value(value: signedIn, origin: .device) }
        return
      }
      if signedIn == wanted { return }
      // Whoever is not there signs in nowhere; the request itself says so.
      guard try accounts.read(Account.file(of: wanted)) != nil else { return }
      if let signedIn {
        throw ServiceError(
          .serverRejectedRequest, "The device \(name) is signed in to the account \(signedIn), not \(wanted).",
          cause: .unknownDevice, hint: "Choose another LOCALCLOUD_DEVICE, or leave it out.")
      }
      var patience = LockPatience(account: wanted)
      patience.seconds = lockTimeout.value
      try cloud.withFolder("devices", patience) { folder in
        try folder.write(["account": .string(wanted), "name": .string(name)], file, "device.json")
      }
    } catch {
      throw ServiceError(describing: error)
    }
  }
}

extension Account {
  /// Nobody has to sign in on their default device, and nobody else can.
  fileprivate static func owner(ofDefaultDevice device: String, in accounts: DocumentFolder) throws -> String? {
    let suffix = defaultDevice(of: "")
    guard device.hasSuffix(suffix) else { return nil }
    let owner = String(device.dropLast(suffix.count))
    return try accounts.read(file(of: owner)) == nil ? nil : owner
  }
}

/// The clouds that this process has open, by root. One object a root, so that all callers of a process queue together.
private enum OpenClouds {
  private static let clouds = Mutex(RecentlyUsed<String, Cloud>(limit: 4))

  static func cloud(at root: String) throws(ServiceError) -> Cloud {
    if let open = clouds.withLock({ $0[root] }), open.isCurrent { return open }
    do {
      let cloud = try Cloud(path: root)
      clouds.withLock { $0[root] = cloud }
      return cloud
    } catch {
      throw ServiceError(describing: error)
    }
  }
}
