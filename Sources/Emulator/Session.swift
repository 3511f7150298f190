import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// A service and the caller that uses it: the context of requests.
package struct Session: Sendable {
  package private(set) var service: CloudService
  package let caller: Caller
  package let settings: Settings
  /// Whether the device was new: this session signed its account in on it.
  package let isOnNewDevice: Bool

  /// `whileOffline`: called between two attempts of requests that wait for the network; returns whether to continue.
  package init(
    _ acting: ActingIdentity, settings: Settings? = nil, as role: SessionRole = .program, command: String? = nil,
    notice: (@Sendable (String) -> Void)? = nil, whileOffline: (@Sendable () -> Bool)? = nil
  ) throws(ServiceError) {
    let settings = if let settings { settings } else { try Settings(acting) }
    let cloud = try Self.openCloud(settings)
    var identity = settings
    isOnNewDevice = try identity.resolveAccount(role, in: cloud)
    var options = ServiceSettings()
    options.lockTimeout = settings.lockTimeout.value
    if let command { options.command = command }
    options.notice = notice
    options.clock = settings.clock(in: cloud.root)
    if let seed = settings.seed.value {
      let source = SeededIdentifiers(
        seed: seed, account: identity.account.value ?? "", device: identity.device.value, cloud: cloud)
      options.identifiers = source.bytes
      options.keySeed = { source.bytes(32) }
    }
    if let device = settings.deviceName {
      NetworkSwitch(of: device, in: cloud, options).install(in: &options.interceptor, wait: whileOffline)
    }
    options.interceptor.faults = FaultSwitch(in: cloud, options)
    if settings.log.value { options.interceptor.after = RequestLog(cloud, options).append }
    options.pushes = settings.pushes.value
    options.queries.isStrict = settings.strict.value
    service = CloudService(cloud: cloud, settings: options)
    self.settings = identity
    caller = Caller(
      account: identity.account.value, device: identity.device.value, container: settings.container.value,
      environment: settings.environment.value)
  }
}

extension Session {
  /// This session with requests that do not count as requests of the device: no log has them, and no condition of the
  /// network and no fault rule applies to them. They draw no identifiers from the seed, as the device counts those.
  package func uncounted() -> Session {
    var settings = service.settings
    settings.interceptor = Interceptor()
    settings.identifiers = HostProcess.randomBytes
    var session = self
    session.service = CloudService(cloud: service.cloud, settings: settings)
    return session
  }

  /// Creates the cloud that the settings name, in a folder that is empty or does not exist yet.
  package static func createCloud(
    _ settings: Settings, in fileSystem: FileSystem = FileSystem()
  ) throws(ServiceError) -> CloudService {
    var options = ServiceSettings()
    options.lockTimeout = settings.lockTimeout.value
    if let time = settings.clock.value { options.clock = { time } }
    if let seed = settings.seed.value {
      options.identifiers = { SeededIdentifiers.bytes($0, seed: seed, account: "", device: "", counter: 0) }
    }
    return try CloudService.create(root: settings.root.value, settings: options, fileSystem: fileSystem)
  }

  /// Opens the cloud that the settings name.
  @discardableResult
  package static func openCloud(_ settings: Settings) throws(ServiceError) -> Cloud {
    try OpenClouds.cloud(at: settings.root.value, branchName: settings.branchName)
  }

  /// The network condition of the device; nil: its requests reach the cloud. Doesn't count as a request.
  func network() throws -> NetworkCondition.Kind? {
    try settings.deviceName.flatMap { try DeviceRegister(service.cloud).network(of: $0)?.kind }
  }

  /// A random UUID, as CloudKit names a record without a name.
  package func newRecordName() -> ExactName {
    ExactName(randomUUID(of: service.settings.identifiers(16)).uppercased())
  }
}

/// The clouds that this process has open, by root. There is one object per root, so that all callers of a process share
/// its queues for locks.
enum OpenClouds {
  private static let clouds = Mutex(RecentlyUsed<String, Cloud>(limit: 4))
  /// The temporary clouds. They stay open until they end, because each has a file system of its own.
  private static let temporary = Mutex<[String: Cloud]>([:])

  static func cloud(at root: String, branchName: @escaping Cloud.BranchName) throws(ServiceError) -> Cloud {
    let temporary = temporary.withLock { $0[root] }
    if let open = temporary ?? clouds.withLock({ $0[root] }), open.isCurrent { return open }
    do {
      // A temporary cloud that a restore replaced is still one.
      let fileSystem = temporary?.fileSystem ?? FileSystem()
      let cloud = try CloudService.openCloud(root, branchName: branchName, in: fileSystem)
      if temporary == nil { clouds.withLock { $0[root] = cloud } } else { retain(cloud) }
      return cloud
    } catch {
      throw ServiceError(describing: error)
    }
  }

  static func retain(_ cloud: Cloud) { temporary.withLock { $0[cloud.path] = cloud } }

  /// Closes a temporary cloud as soon as no request uses it.
  static func release(_ root: String) {
    // The last reference is released after the lock of the table.
    _ = temporary.withLock { $0.removeValue(forKey: root) }
  }
}

/// The role of a session. It determines the effect of the named account.
package enum SessionRole: Sendable {
  /// A program on a device. At first the device must be signed in to the named account, if there is one; from then on
  /// the program acts as the account that is signed in there.
  case program
  /// Like ``program``, but writes nothing to the tree.
  case onlooker
  /// A command acts as the named account, and fails on a device with another account signed in.
  case command
  /// Changes accounts and devices, and acts as no account.
  case administrator
}
