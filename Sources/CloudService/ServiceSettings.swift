import LocalCloudPlatform
import LocalCloudStorage

/// The settings of a ``CloudService``.
package struct ServiceSettings: Sendable {
  /// Seconds to wait for a lock that another process holds, before the request fails with `zoneBusy`.
  package var lockTimeout: Double = 30
  /// The program name in the lock file while this process holds the lock.
  package var command = HostProcess.programName
  /// Called at most once per wait, with a line for the user.
  package var notice: (@Sendable (String) -> Void)?
  /// Milliseconds since 1970. Throws if the setting of the cloud's clock is damaged.
  package var clock: @Sendable () throws -> Int64 = systemTimeMilliseconds
  /// Blocks the thread for so many seconds: the latency of fault rules.
  package var pause: @Sendable (_ seconds: Double) -> Void = { seconds in
    LocalCloudPlatform.pause(microseconds: UInt64(seconds * 1_000_000))
  }
  /// Source of the bytes of identifiers.
  package var identifiers: @Sendable (_ count: Int) -> [UInt8] = HostProcess.randomBytes
  /// Provides the cryptography that seals encrypted values.
  package var cryptography: @Sendable () throws(CryptographyError) -> Cryptography = { () throws(CryptographyError) in
    try Cryptography.system.get()
  }
  /// Seed for deriving keys in reproducible runs; nil: keys are random.
  package var keySeed: (@Sendable () -> [UInt8])?
  package var interceptor = Interceptor()
  package var limits = StorageLimits()
  package var pushes = PushDelivery()
  package var queries = QueryRules()
  package var indexes = QueryIndexing()

  package init() {}

  /// The time limit for waiting for locks on behalf of an account, and the report of the wait.
  func waitPolicy(_ account: String? = nil) -> LockWaitPolicy {
    LockWaitPolicy(seconds: lockTimeout, account: account, command: command, notice: notice)
  }
}
