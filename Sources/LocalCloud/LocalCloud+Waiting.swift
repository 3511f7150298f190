import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// Waiting for other tasks and processes, without asking at intervals. Each function waits on a thread of its own; the
/// cancellation of its task ends it with a `CancellationError`. After the restore of a snapshot it waits in the restored
/// cloud.
extension LocalCloud {
  /// The error of a wait that reached its time limit.
  public struct TimedOut: Error, Hashable, CustomStringConvertible {
    /// The time that was waited.
    public let seconds: Double

    /// A sentence with the time.
    public var description: String { "waited \(seconds.secondsText) s in vain" }
  }

  /// Waits until no task and no process has changed the container for some time.
  ///
  /// Use it where a test can't name the awaited change, for example after synchronizing programs have reacted to each
  /// other. Where it can, `wait(forRecord:in:container:timeout:until:)` is faster and surer.
  ///
  /// - Difference: not Apple's; iCloud can't be asked.
  ///
  /// - Parameters:
  ///   - container: the container; nil for the default container. Only its changes in the current environment count.
  ///   - quiet: for how many seconds nothing must change.
  ///   - timeout: the longest time to wait, in seconds.
  /// - Throws: ``TimedOut``; a `CKError`: `badContainer` without a cloud, also if it is removed during the wait.
  public static func waitUntilIdle(
    container: CKContainer? = nil, quietFor quiet: Double = 0.2, timeout: Double = 30
  ) async throws {
    try await waiting(in: container, timeout) { wait, acting in
      let session = try LastingSession { try Session(acting) }
      return try wait.runUntilQuiet(in: session, for: quiet, seconds: timeout) {
        try session.current.service.watchedFolders(of: [.container], by: session.current.caller)
      }
    }
  }

  /// Waits until there is a record that meets a condition, and returns it as a fetch would. The zone need not exist
  /// yet.
  ///
  /// ```swift
  /// let milk = try await LocalCloud.wait(forRecord: milkID) { $0["quantity"] as Int64? == 3 }
  /// ```
  ///
  /// - Difference: not Apple's; an app gets a push, and fetches the changes.
  ///
  /// - Parameters:
  ///   - recordID: the record; in the shared database its zone names its owner.
  ///   - scope: the database.
  ///   - container: the container; nil for the default container.
  ///   - timeout: the longest time to wait, in seconds; 0 looks once.
  ///   - condition: called with each version of the record that is found, on a thread that may block. Versions that
  ///     follow each other fast may be left out, but never the last one.
  /// - Throws: ``TimedOut``; a `CKError` as a fetch throws it, but not for a missing record or zone.
  public static func wait(
    forRecord recordID: CKRecord.ID, in scope: CKDatabase.Scope = .private, container: CKContainer? = nil,
    timeout: Double = 30, until condition: @escaping @Sendable (CKRecord) -> Bool = { _ in true }
  ) async throws -> CKRecord {
    try await waiting(in: container, timeout) { wait, acting in
      let session = try LastingSession { try Session(acting) }
      var reader = try RecordReader(acting, recordID, in: scope)
      session.replaced = { _ in reader = try RecordReader(acting, recordID, in: scope) }
      return try wait.run(in: session, seconds: timeout) {
        try reader.watchedFolders()
      } until: { () throws -> CKRecord? in
        try reader.current().flatMap { condition($0) ? $0 : nil }
      }
    }
  }

  /// Waits for the next push to this device, takes it, and returns it as ``onPush(in:failed:_:)`` passes it on. A push
  /// that waits already counts, so that a test may first cause it. Listeners of this device do not get it any more.
  ///
  /// - Difference: not Apple's; it stands for the delegate method of Apple's application frameworks.
  ///
  /// - Parameters:
  ///   - container: only a push of this container; nil for the default container.
  ///   - timeout: the longest time to wait, in seconds; 0 looks once.
  /// - Throws: ``TimedOut``; a `CKError`: `notAuthenticated` without an account, `badContainer` without a cloud.
  public static func waitForPush(
    in container: CKContainer? = nil, timeout: Double = 30
  ) async throws -> [AnyHashable: Any] {
    let userInfo: JSONObject = try await waiting(in: container, timeout) { wait, acting in
      let session = try LastingSession { try Session(acting) }
      return try wait.run(in: session, seconds: timeout) {
        try session.current.service.watchedFolders(of: [.pushes], by: session.current.caller)
      } checkingAgainAfter: {
        try session.current.service.pushes.pushLocation(of: session.current.caller).deliverDue()
      } until: { () throws -> JSONObject? in
        try session.current.takePush()
      }
    }
    return userInfo.remoteNotification
  }

  private static func waiting<Value: Sendable>(
    in container: CKContainer?, _ seconds: Double,
    _ body: @escaping @Sendable (ChangeWait, ActingIdentity) throws -> ChangeWait.Outcome<Value>
  ) async throws -> Value {
    let identity = container?.identity ?? .standard(ActingIdentity.current)
    let acting = identity.acting(now: ActingIdentity.current)
    let outcome: ChangeWait.Outcome<Value>
    do { outcome = try await ChangeWait().onThread { try body($0, acting) } } catch {
      throw CKError.wrapping(error, container: identity.container)
    }
    switch outcome {
    case .met(let value): return value
    case .timedOut: throw TimedOut(seconds: seconds)
    case .stopped: throw CancellationError()
    }
  }
}
