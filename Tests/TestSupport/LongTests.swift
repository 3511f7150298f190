import LocalCloudPlatform

/// Tests that take minutes, or that need the machine for themselves: they play many processes, or a fault at each step.
///
/// `swift test` skips them. Their suites have the trait `.enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it")`.
public enum LongTests {
  public static let areChosen = HostProcess.environment("LOCALCLOUD_LONG_TESTS") != nil
}
