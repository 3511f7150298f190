import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The clock of the cloud, for all processes that use it.
package struct ClockService: ServiceSubject {
  let service: CloudService
}

extension ClockService {
  /// The setting of the clock; nil: it is the machine's clock.
  package func setting() throws(ServiceError) -> ClockSetting? {
    try perform(.administration, by: nil) { try clock.setting() }
  }

  /// Sets the clock, for the next request of each process; nil: the machine's clock. Replaces a damaged setting.
  ///
  /// Waits for the requests of all processes that write ([clock-3]).
  ///
  /// - Throws: `invalidArguments` for a time outside of the years 1 to 9998.
  package func set(_ setting: ClockSetting?) throws(ServiceError) {
    try perform(.administration, by: nil) {
      try cloud.withoutOtherWriters(waitPolicy(nil)) {
        try clock.set(setting)
        try deliverDue()
      }
    }
  }

  /// Moves the clock, like ``set(_:)``. The machine's clock becomes one that runs with an offset.
  ///
  /// - Parameter milliseconds: a negative number moves the clock back.
  /// - Returns: the new setting.
  package func step(by milliseconds: Int64) throws(ServiceError) -> ClockSetting {
    try perform(.administration, by: nil) {
      try cloud.withoutOtherWriters(waitPolicy(nil)) {
        let setting = try clock.step(by: milliseconds)
        try deliverDue()
        return setting
      }
    }
  }

  /// Delivers the late pushes that are due by the new time ([fault-8]). Programs that wait for them computed their waits
  /// with the former clock.
  private func deliverDue() throws {
    let now = try clock.now()
    for device in try cloud.folder(Inbox.devices).names(.directory) {
      try service.pushes.deliverDue(file: device, at: now)
    }
  }

  private var clock: CloudClock { CloudClock(in: cloud.root) }
}

/// Damage of the clock's document.
extension CheckService {
  func clockProblem() throws -> Problem? {
    try problem(cloud.root.path(of: CloudClock.file), "not a setting of the clock") {
      _ = try CloudClock(in: cloud.root).setting()
      return true
    }
  }
}
