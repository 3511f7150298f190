import Foundation
import LocalCloudCloudKitImport
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

extension LocalCloud {
  /// The clock of a cloud.
  public enum Clock: Sendable, Hashable {
    /// The machine's clock.
    case system
    /// The clock stands still.
    case fixed(Date)
    /// The clock runs this many seconds ahead of the machine's clock; a negative number: behind it.
    case offset(TimeInterval)
  }

  /// Sets the clock of the cloud of the scope or the environment, as `localcloud clock` does from a terminal.
  ///
  /// ```swift
  /// try LocalCloud.setClock(.fixed(Date(timeIntervalSince1970: 1_769_860_800)))
  /// try await database.save(note)
  /// try LocalCloud.advanceClock(by: 3600)
  /// ```
  ///
  /// The clock gives the dates of records, accounts, pushes and snapshots, and decides when throttling, exported assets
  /// and answers of long-lived operations end. It holds for all processes that use the cloud, from their next request
  /// on. `Date()` and the dates that Core Data writes into a store follow the machine's clock.
  ///
  /// Blocks on the disk and on other processes' locks.
  ///
  /// - Difference: not Apple's; it stands for the clock of iCloud's servers.
  ///
  /// - Throws: a `CKError`: `invalidArguments` for a time outside of the years 1 to 9998, and in a process with
  ///   `LOCALCLOUD_CLOCK`, which fixes the time there; `badContainer` without a cloud.
  public static func setClock(_ clock: Clock) throws {
    try withClock { (service) throws(ServiceError) in try service.set(clock.setting()) }
  }

  /// Moves the clock of the cloud forward, whether it stands still or runs. The time passes for all processes that use
  /// the cloud.
  ///
  /// - Difference: not Apple's; it stands for the passing of time.
  ///
  /// - Parameter seconds: 0 or more. ``setClock(_:)`` moves a clock back.
  /// - Throws: the errors of ``setClock(_:)``; `invalidArguments` for a negative number.
  public static func advanceClock(by seconds: TimeInterval) throws {
    try withClock { (service) throws(ServiceError) in
      guard seconds >= 0 else {
        throw .invalid("A clock is not advanced by \(seconds) seconds; setClock moves it back")
      }
      _ = try service.step(by: milliseconds(seconds))
    }
  }

  private static func withClock(_ body: (ClockService) throws(ServiceError) -> Void) throws {
    try withSession { (session) throws(ServiceError) in
      guard session.settings.clock.value == nil else {
        throw ServiceError(
          .invalidArguments, "LOCALCLOUD_CLOCK fixes the time of this process: the cloud's clock has no effect in it",
          hint: "Unset LOCALCLOUD_CLOCK.")
      }
      try body(session.service.clock)
    }
  }

  fileprivate static func milliseconds(_ seconds: Double) throws(ServiceError) -> Int64 {
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else {
      throw .invalid("No clock can show a time that is \(seconds) seconds away")
    }
    return milliseconds
  }
}

extension LocalCloud.Clock {
  fileprivate func setting() throws(ServiceError) -> ClockSetting? {
    switch self {
    case .system: nil
    case .fixed(let date): .fixed(try LocalCloud.milliseconds(date.timeIntervalSince1970))
    case .offset(let seconds): .offset(try LocalCloud.milliseconds(seconds))
    }
  }
}
