import Synchronization

/// The one door to the disk. Everything above reaches files through a ``Directory`` or ``File`` that came from here,
/// so that a harness can count each call on the tree, fail it, or end the process around it.
///
/// Threads: a value of immutable configuration with two counters; use it from any thread.
package final class FileSystem: Sendable {
  package typealias Observer = @Sendable (FileSystemCall) -> InjectedFault

  /// Which calls an observer is asked about.
  package enum Scope: Sendable { case changes, allCalls }

  /// Changes with each start of the machine: what was not synced before may be gone. A test may claim another start.
  package let bootIdentifier: String
  private let scope: Scope
  private let observer: Observer?
  private let transfers: ShortIOInjector?
  private let stopped = Atomic<Bool>(false)
  /// How many calls that change the tree were made; `fdatasync` and the like counted apart.
  package let changes = Atomic<Int>(0)
  package let fileSyncs = Atomic<Int>(0)

  package init(
    bootIdentifier: String = HostProcess.bootIdentifier, transfers: ShortIOInjector? = nil,
    observing scope: Scope = .changes,
    observer: Observer? = nil
  ) {
    self.bootIdentifier = bootIdentifier
    self.transfers = transfers
    self.scope = scope
    self.observer = observer
  }

  /// Runs a call that changes the tree, unless the harness decides otherwise. After a stop every further call fails,
  /// as in a process that is gone: no clean-up code can touch the tree any more.
  ///
  /// `skipped` is what a call answers that was left out; `writing` puts other bytes in the place of a write's.
  func perform<Result>(
    _ description: @autoclosure () -> FileSystemCall, path: @autoclosure () -> String,
    skipped: @autoclosure () throws(SystemError) -> Result, writing: (([UInt8]) throws(SystemError) -> Void)? = nil,
    _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    changes.wrappingAdd(1, ordering: .relaxed)
    guard let observer else { return try call() }
    try requireRunning(path())
    let description = description()
    let verdict = observer(description)
    guard case .write(_, _, let bytes) = description, let writing else {
      return try follow(verdict, path(), skipped: skipped, call)
    }
    switch verdict {
    case .stopWithin(let count):
      try? writing(Array(bytes.prefix(count)))
      throw stop(path())
    case .twice:
      try writing(bytes + bytes)
      return try skipped()
    default:
      return try follow(verdict, path(), skipped: skipped, call)
    }
  }

  /// The same for a call that leaves the tree as it is. Where `skipped` is nil, it can't be left out.
  func look<Result>(
    _ description: @autoclosure () -> FileSystemCall, path: @autoclosure () -> String,
    skipped: @autoclosure () -> Result? = nil, _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard let observer else { return try call() }
    try requireRunning(path())
    if scope == .changes { return try call() }
    let verdict = observer(description())
    if verdict == .skip, let answer = skipped() { return answer }
    return try follow(verdict, path(), skipped: call, call)
  }

  private func follow<Result>(
    _ verdict: InjectedFault, _ path: String, skipped: () throws(SystemError) -> Result,
    _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    switch verdict {
    case .proceed, .twice:
      return try call()
    case .skip:
      return try skipped()
    case .fail(let code):
      throw SystemError(code: code, call: "injected failure at", path: path)
    case .stopBefore, .stopWithin:
      throw stop(path)
    case .stopAfter:
      _ = try? call()
      throw stop(path)
    }
  }

  private func stop(_ path: String) -> SystemError {
    stopped.store(true, ordering: .sequentiallyConsistent)
    return SystemError(code: SystemError.stoppedCode, call: "stop at", path: path)
  }

  private func requireRunning(_ path: @autoclosure () -> String) throws(SystemError) {
    guard stopped.load(ordering: .sequentiallyConsistent) else { return }
    throw SystemError(code: SystemError.stoppedCode, call: "stop at", path: path())
  }

  // MARK: Interruptions

  /// One system call that moves up to `count` bytes, below the loop that goes on until all are moved.
  func transfer(_ count: Int, _ call: (Int) -> Int) -> Int {
    guard let transfers else { return call(count) }
    guard let most = transfers.most(count) else { return interrupted() }
    return call(min(count, max(1, most)))
  }

  /// One system call that moves no bytes, but may be interrupted.
  func interruptible(_ call: () -> Int32) -> Int32 {
    guard let transfers, transfers.most(0) == nil else { return call() }
    return interrupted()
  }
}
