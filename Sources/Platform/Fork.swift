#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Identifies the process that made an object, for objects that only this process may use: locks and threads.
///
/// After a `fork` the child has a copy of all its parent's memory. It shares the parent's locks, because a lock belongs
/// to an open file and both have that file open. None of the parent's other threads exists in the child. So the child
/// opens the files again, and never unlocks, removes or awaits an object with its parent's mark.
package struct ProcessMark: Sendable {
  private let identifier = HostProcess.identifier

  package init() {}

  /// False in a process that was forked since the mark was made.
  package var isCurrent: Bool { identifier == HostProcess.identifier }
}

/// A child that was forked from this process, for tests: it has a copy of the memory, shares the open files, and has
/// only the calling thread.
package struct Fork: Sendable {
  package let identifier: Int32

  /// Runs `body` in a child that then ends with the returned status. No other thread may hold a lock that `body` needs.
  package init(_ body: () -> Int32) throws(SystemError) {
    let child = forkProcess()
    if child == 0 { HostProcess.exitNow(body()) }
    guard child > 0 else { throw .last("fork", "") }
    identifier = child
  }

  /// Waits until the child ends. Returns its status, or 128 plus the signal's number. Call once.
  package func wait() -> Int32 {
    var status: Int32 = 0
    _ = retryingInterrupts { waitpid(identifier, &status, 0) }
    return exitCode(ofWaitStatus: status)
  }
}

// Swift hides the function, since hardly any program survives it.
@_silgen_name("fork") private func forkProcess() -> Int32
