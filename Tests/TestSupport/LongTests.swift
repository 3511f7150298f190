import Foundation
import LocalCloudPlatform

/// Tests that take minutes, or that need the machine for themselves: they play many processes, or a fault at each step.
///
/// `swift test` skips them. Their suites have the trait `.enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it")`.
public enum LongTests {
  public static let areChosen = HostProcess.environment("LOCALCLOUD_LONG_TESTS") != nil
}

#if os(Linux) && compiler(>=6.3)
  /// Limits how many tests of a process run at once, before Swift Testing reads the limit.
  ///
  /// Without a limit all tests of a process begin together: thousands of clouds, folder watches and open files.
  /// Older compilers have no `@section`: there the variable must be set in the environment.
  @section(".init_array") @used
  nonisolated private let limitOfParallelTests: @convention(c) () -> Void = {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "4", 0)
  }
#endif
