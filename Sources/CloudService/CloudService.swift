import CloudModel
import CloudStore
import DeviceStore
import Platform
import Storage

/// iCloud itself, on a tree: the one place that decides who may do what, and with which error.
///
/// Requests name their caller; values go in, values come out. All functions block on the disk and on locks, so call
/// them from threads that may block. Errors are ``ServiceError``, whatever went wrong below.
package final class CloudService: Sendable {
  package struct Settings: Sendable {
    /// How long to wait for another process before zoneBusy.
    package var lockTimeout: Double = 30
    /// What stands in the lock file while this process holds it.
    package var command = HostProcess.programName
    /// Told, once a wait, who is being waited for.
    package var notice: (@Sendable (String) -> Void)?
    /// Milliseconds since 1970.
    package var clock: @Sendable () -> Int64 = systemTimeMilliseconds
    /// Bytes that ids are made of.
    package var identifiers: @Sendable (_ count: Int) -> [UInt8] = HostProcess.randomBytes
    /// What encrypted values are sealed with.
    package var cryptography: @Sendable () throws(CryptographyError) -> Cryptography = { () throws(CryptographyError) in
      try Cryptography.system.get()
    }
    /// What keys come from where runs are to be reproducible; nil: from chance.
    package var keySeed: (@Sendable () -> [UInt8])?
    package var interceptor = Interceptor()
    package var limits = StorageLimits()
    package var pushes = PushDelivery()
    package var queries = QueryRules()
    package var indexes = QueryIndexing()

    package init() {}
  }

  package let cloud: Cloud
  package let settings: Settings
  let accountFiles: AccountFiles

  package init(cloud: Cloud, settings: Settings = Settings()) {
    self.cloud = cloud
    accountFiles = AccountFiles(of: cloud)
    self.settings = settings
  }

  /// The tree alone, whose indexes are kept by what the service knows of values, and whose commits tell devices.
  package static func openCloud(
    _ root: String, _ limits: StorageLimits = StorageLimits(), in fileSystem: FileSystem = FileSystem()
  ) throws -> Cloud {
    try Cloud(
      path: root, limits: limits, fieldEncoding: IndexedValue.encoding,
      client: DeviceClient(pushes: PushWriter.schema), in: fileSystem)
  }

  /// Opens the cloud at `root`.
  package static func open(
    root: String, settings: Settings = Settings(), fileSystem: FileSystem = FileSystem()
  ) throws(ServiceError) -> CloudService {
    do {
      let cloud = try openCloud(root, settings.limits, in: fileSystem)
      return CloudService(cloud: cloud, settings: settings)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// Makes a new cloud at `root`.
  package static func create(
    root: String, settings: Settings = Settings(), fileSystem: FileSystem = FileSystem()
  ) throws(ServiceError) -> CloudService {
    do {
      try Cloud.create(
        path: root, history: hexadecimal(settings.identifiers(8)), created: settings.clock(), in: fileSystem,
        LockWaitPolicy(seconds: settings.lockTimeout, command: settings.command, notice: settings.notice))
      let cloud = try openCloud(root, settings.limits, in: fileSystem)
      return CloudService(cloud: cloud, settings: settings)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// What keeps the cloud at `root` from being opened at all, and is for repair to mend.
  package static func markerProblem(root: String) throws(ServiceError) -> Problem? {
    do { return try Cloud.markerProblem(at: root) } catch { throw ServiceError(describing: error) }
  }

  /// Mends it; answers what was done.
  package static func restoreMarker(
    root: String, settings: Settings = Settings()
  ) throws(ServiceError) -> Problem? {
    do {
      return try Cloud.restoreMarker(
        at: root, history: hexadecimal(settings.identifiers(8)), now: settings.clock(),
        LockWaitPolicy(seconds: settings.lockTimeout, account: nil, command: settings.command, notice: settings.notice))
    } catch {
      throw ServiceError(describing: error)
    }
  }

  // MARK: The funnel

  /// Every request passes here: once in, once out.
  func perform<Answer>(_ operation: Operation, by caller: Caller?, _ body: () throws -> Answer) throws(ServiceError)
    -> Answer
  {
    let begun = settings.interceptor.after == nil ? 0 : monotonicNanoseconds()
    func end(_ error: ServiceError?) {
      settings.interceptor.after?(operation, caller, error, monotonicNanoseconds() - begun)
    }
    do {
      try settings.interceptor.before(operation, caller)
      let answer = try body()
      try settings.interceptor.beforeReply(operation, caller)
      end(nil)
      return answer
    } catch {
      let error = ServiceError(describing: error)
      end(error)
      throw error
    }
  }

  /// How long to wait for locks on a caller's behalf, and what is said meanwhile.
  package func patience(_ caller: Caller?) -> LockWaitPolicy {
    LockWaitPolicy(
      seconds: settings.lockTimeout, account: caller?.account, command: settings.command, notice: settings.notice)
  }

  func newIdentifier(_ count: Int = 16) -> String { hexadecimal(settings.identifiers(count)) }

  /// What a share's link ends with: about 25 characters that need no escaping in a URL, 144 bits of chance.
  func newShortGUID() -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)
    return "0" + String(decoding: settings.identifiers(24).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
  }
}

/// What a request asks for, by name; request log and faults tell requests apart by it.
package enum Operation: String, Sendable {
  case modifyRecords, fetchRecords, queryRecords, zoneChanges, databaseChanges, modifyZones, fetchZones
  case shareMetadata, acceptShare, requestAccess, openLink, verifyHandle, lookUpParticipants, accountStatus
  case modifySubscriptions, fetchSubscriptions, fetchPushes, repeatPushes
  case currentUser, applicationPermission, discoverUsers, webAuthToken, schema, keepOperation, findOperations
  case administration
}

/// The one interception point. A hook that throws a ``ServiceError`` makes the request fail with it: `before`, nothing has
/// happened; `beforeReply`, it has, and the answer is lost on its way.
package struct Interceptor: Sendable {
  package var before: @Sendable (Operation, Caller?) throws -> Void = { _, _ in }
  package var afterCommit: @Sendable (Operation, Caller?) throws -> Void = { _, _ in }
  package var beforeReply: @Sendable (Operation, Caller?) throws -> Void = { _, _ in }
  /// Told how each request ended, and after how many nanoseconds.
  package var after: (@Sendable (Operation, Caller?, ServiceError?, UInt64) -> Void)?

  package init() {}
}
