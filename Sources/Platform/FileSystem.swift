import Synchronization

/// The one door to the disk. Everything above reaches files through a ``Directory`` or ``File`` that came from here,
/// so that a harness can count each call that changes the tree, fail it, or end the process around it.
///
/// Threads: a value of immutable configuration with two counters; use it from any thread.
package final class FileSystem: Sendable {
  package typealias Observer = @Sendable (TreeCall) -> TreeVerdict

  /// Changes with each start of the machine: what was not synced before may be gone. A test may claim another start.
  package let bootIdentifier: String
  private let observer: Observer?
  private let stopped = Atomic<Bool>(false)
  /// How many calls that change the tree were made; `fdatasync` and the like counted apart.
  package let changes = Atomic<Int>(0)
  package let fileSyncs = Atomic<Int>(0)

  package init(bootIdentifier: String = HostProcess.bootIdentifier, observer: Observer? = nil) {
    self.bootIdentifier = bootIdentifier
    self.observer = observer
  }

  /// Runs `call`, unless the harness decides otherwise. After a stop every further call fails, as in a process that
  /// is gone: no clean-up code can touch the tree any more.
  func perform<Result>(
    _ description: @autoclosure () -> TreeCall, path: @autoclosure () -> String,
    partially: ((Int) throws(SystemError) -> Void)? = nil, _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    changes.wrappingAdd(1, ordering: .relaxed)
    guard let observer else { return try call() }
    try requireRunning(path())
    switch observer(description()) {
    case .proceed:
      return try call()
    case .fail(let code):
      throw SystemError(code: code, call: "injected failure at", path: path())
    case .stopBefore:
      break
    case .stopAfter:
      _ = try? call()
    case .stopWithin(let count):
      try? partially?(count)
    }
    stopped.store(true, ordering: .sequentiallyConsistent)
    throw SystemError(code: SystemError.stoppedCode, call: "stop at", path: path())
  }

  func requireRunning(_ path: @autoclosure () -> String) throws(SystemError) {
    guard stopped.load(ordering: .sequentiallyConsistent) else { return }
    throw SystemError(code: SystemError.stoppedCode, call: "stop at", path: path())
  }
}
