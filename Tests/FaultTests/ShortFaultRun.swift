import FaultInjection
import LocalCloudPlatform
import TestSupport

/// The short form of all fault tests, run once by the first test that needs it.
enum ShortFaultRun {
  static let scale = FaultRunScale.short(seed: TestSeed.value)
  private static let result = Result { try FaultRunKind.attackAll(scale) }
  static var reports: [FaultRunKind.Reports] { get throws { try result.get() } }
}
