import Foundation

#if os(Linux)
  /// Limits how many tests of a process run at once, before Swift Testing reads the limit.
  ///
  /// Without a limit all tests of a process begin together: thousands of clouds, folder watches and open files.
  @section(".init_array") @used
  nonisolated private let limitOfParallelTests: @convention(c) () -> Void = {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "4", 0)
  }
#endif
