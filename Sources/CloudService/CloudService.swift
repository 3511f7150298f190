import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The emulated iCloud server on a directory tree. Only this layer decides the rights of a caller, and the error of a
/// refusal.
///
/// Each request names its caller; parameters and results are values. All functions block on the disk and on locks: call
/// them only from threads that may block. Requests throw ``ServiceError``, also for failures of lower layers.
///
/// Errors that the functions' comments do not repeat:
/// - of every request: `badContainer` for an invalid container identifier, `zoneBusy` if a lock is not granted in time,
///   `quotaExceeded` for a full disk, `internalError` for a damaged file;
/// - of the account: `notAuthenticated` without an account that may be used, `accountTemporarilyUnavailable`;
/// - of the zone: `zoneNotFound`, `userDeletedZone` after a purge, `invalidArguments` or `badDatabase` for a zone that
///   can't be in the database.
package final class CloudService: Sendable {
  package let cloud: Cloud
  package let settings: ServiceSettings
  let accountFiles: AccountFiles

  package init(cloud: Cloud, settings: ServiceSettings = ServiceSettings()) {
    self.cloud = cloud
    accountFiles = AccountFiles(of: cloud)
    self.settings = settings
  }

  /// Opens the tree without a service. Field indexes use the encoding of ``FieldIndexKey``; commits deliver pushes and
  /// other effects to devices.
  package static func openCloud(
    _ root: String, _ limits: StorageLimits = StorageLimits(),
    branchName: @escaping Cloud.BranchName = { HostProcess.randomBytes($1) }, in fileSystem: FileSystem = FileSystem()
  ) throws -> Cloud {
    try Cloud(
      path: root, limits: limits, fieldEncoding: FieldIndexKey.encoding,
      observer: DeviceObserver(pushes: PushWriter.schema), branchName: branchName, in: fileSystem)
  }

  /// Opens the cloud at `root`.
  ///
  /// - Throws: `badContainer` if there is no cloud, `incompatibleVersion` if its format is newer than this program.
  package static func open(
    root: String, settings: ServiceSettings = ServiceSettings(), fileSystem: FileSystem = FileSystem()
  ) throws(ServiceError) -> CloudService {
    do {
      let cloud = try openCloud(root, settings.limits, in: fileSystem)
      return CloudService(cloud: cloud, settings: settings)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// Creates a cloud at `root`.
  ///
  /// - Throws: `serverRejectedRequest` if there is a cloud already, if the folder has other contents or is in another
  ///   cloud, or if it can't be written.
  package static func create(
    root: String, settings: ServiceSettings = ServiceSettings(), fileSystem: FileSystem = FileSystem()
  ) throws(ServiceError) -> CloudService {
    do {
      try Cloud.create(
        path: root, history: hexadecimal(settings.identifiers(8)), created: try settings.clock(), in: fileSystem,
        LockWaitPolicy(seconds: settings.lockTimeout, command: settings.command, notice: settings.notice))
      let cloud = try openCloud(root, settings.limits, in: fileSystem)
      return CloudService(cloud: cloud, settings: settings)
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// The problem of the cloud's marker that prevents opening the cloud at `root`, for repair to fix; nil if there is
  /// none.
  package static func markerProblem(root: String) throws(ServiceError) -> Problem? {
    do { return try Cloud.markerProblem(at: root) } catch { throw ServiceError(describing: error) }
  }

  /// Restores the marker of the cloud at `root`. Returns the problem with its repair; nil if there was none.
  package static func restoreMarker(
    root: String, settings: ServiceSettings = ServiceSettings()
  ) throws(ServiceError) -> Problem? {
    do {
      return try Cloud.restoreMarker(
        at: root, history: hexadecimal(settings.identifiers(8)), now: try settings.clock(),
        settings.waitPolicy())
    } catch {
      throw ServiceError(describing: error)
    }
  }

  // MARK: Running requests

  /// Runs a request between the interceptor's hooks, and converts its errors to ``ServiceError``. Every request calls
  /// this function.
  ///
  /// - Parameters:
  ///   - subject: the items of the request. Only evaluated if a hook observes the end of requests, or if the cloud has
  ///     fault rules.
  ///   - record: adds the errors of single items to the subject.
  ///   - body: carries out the request, with the faults of its items.
  func perform<Answer>(
    _ operation: Operation, by caller: Caller?, on subject: @autoclosure () -> RequestSubject = RequestSubject(),
    errors record: (Answer, inout RequestSubject) -> Void = { _, _ in }, _ body: (RequestFaults) throws -> Answer
  ) throws(ServiceError) -> Answer {
    var faults = RequestFaults()
    let begun = settings.interceptor.after == nil ? 0 : monotonicNanoseconds()
    func end(_ answer: Answer?, _ error: ServiceError?) {
      guard let after = settings.interceptor.after else { return }
      var subject = subject()
      if let answer { record(answer, &subject) }
      after(
        EndedRequest(
          operation: operation, caller: caller, error: error, subject: subject, faults: faults.rules,
          nanoseconds: monotonicNanoseconds() - begun))
    }
    do {
      try settings.interceptor.before(operation, caller)
      if let caller, let rules = settings.interceptor.faults {
        faults = try rules.meet(operation, caller) { subject() }
      }
      let answer = try carryOut(faults, body)
      try settings.interceptor.beforeReply(operation, caller)
      if let lost = faults.lostReply { throw lost }
      end(answer, nil)
      return answer
    } catch {
      let error = ServiceError(describing: error)
      end(nil, error)
      throw error
    }
  }

  /// Runs the body unless a fault prevents that. The answer waits for the latency of the request's faults.
  private func carryOut<Answer>(_ faults: RequestFaults, _ body: (RequestFaults) throws -> Answer) throws -> Answer {
    defer { if faults.latency > 0 { settings.pause(faults.latency) } }
    if let refusal = faults.refusal { throw refusal }
    return try body(faults)
  }

  /// The time limit for waiting for locks on behalf of the caller, and the report of the wait.
  package func waitPolicy(_ caller: Caller?) -> LockWaitPolicy {
    settings.waitPolicy(caller?.account)
  }

  func newIdentifier(_ count: Int = 16) -> String { hexadecimal(settings.identifiers(count)) }

  /// The last part of a new share link: 25 characters that need no escaping in a URL, with 144 random bits.
  func newShortGUID() -> String {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)
    return "0" + String(decoding: settings.identifiers(24).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
  }
}

/// The kind of a request. The request log and fault injection distinguish requests by it.
package enum Operation: String, Sendable, CaseIterable {
  case modifyRecords, fetchRecords, queryRecords, zoneChanges, databaseChanges, modifyZones, fetchZones
  case shareMetadata, acceptShare, requestAccess, openLink, verifyHandle, lookUpParticipants, accountStatus
  case modifySubscriptions, fetchSubscriptions, fetchPushes, repeatPushes
  case currentUser, applicationPermission, discoverUsers, webAuthToken, schema, keepOperation, findOperations
  case administration
}

/// The hooks that every request passes, and the fault rules. A hook that throws a ``ServiceError`` makes the request
/// fail with it: when `before` throws, nothing has happened; when `beforeReply` throws, the request has taken effect and
/// only its answer is lost.
package struct Interceptor: Sendable {
  package var before: @Sendable (Operation, Caller?) throws -> Void = { _, _ in }
  package var afterCommit: @Sendable (Operation, Caller?) throws -> Void = { _, _ in }
  package var beforeReply: @Sendable (Operation, Caller?) throws -> Void = { _, _ in }
  /// The fault rules of the cloud. Each request of a device meets them between the first two hooks.
  package var faults: FaultSwitch?
  /// Called after each request.
  package var after: (@Sendable (EndedRequest) -> Void)?

  package init() {}
}
