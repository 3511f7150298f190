import FaultInjection
import LocalCloudPlatform
import TestSupport

/// The short form of all attacks, done once, by whichever test comes first.
enum ShortFaultRun {
  static let scale = FaultRunScale.short(seed: TestSeed.value)
  private static let result = Result { try FaultRunKind.attackAll(scale) }
  static var reports: [FaultRunKind.Reports] { get throws { try result.get() } }
}
