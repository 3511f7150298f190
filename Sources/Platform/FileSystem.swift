import Synchronization

/// The only access to the disk. All layers above reach files through a ``Directory`` or ``File`` that was opened here,
/// so that a test harness can count each call on the tree, make it fail, or end the process around it.
///
/// Threads: safe to use from any; immutable except for its atomic counters and flag.
package final class FileSystem: Sendable {
  package typealias Observer = @Sendable (FileSystemCall) -> InjectedFault

  /// The calls that the observer is called for.
  package enum Scope: Sendable { case changes, allCalls }

  /// An identifier that changes with each boot. A boot may have lost data that was not synced before. A test may claim
  /// another boot.
  package let bootIdentifier: String
  private let scope: Scope
  private let observer: Observer?
  private let transfers: ShortIOInjector?
  private let stopped = Atomic<Bool>(false)
  /// The number of calls that change the tree or sync it; ``fileSyncs`` counts the syncs among them.
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

  /// A file system on which nothing is made durable: for stores and clouds that are thrown away.
  package static func withoutSyncs() -> FileSystem {
    FileSystem { call in
      switch call {
      case .syncFile, .syncDirectory, .syncFileSystem: .skip
      default: .proceed
      }
    }
  }

  /// Runs a call that changes the tree, unless the harness decides otherwise. After a stop every further call fails, as
  /// in a process that has ended: no clean-up code can touch the tree any more.
  ///
  /// `skipped`: the result of a call that is skipped. `writing`: writes other bytes instead of a write's.
  func perform<Result>(
    _ description: @autoclosure () -> FileSystemCall, path: @autoclosure () -> String,
    skipped: @autoclosure () throws(SystemError) -> Result, writing: (([UInt8]) throws(SystemError) -> Void)? = nil,
    _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    changes.wrappingAdd(1, ordering: .relaxed)
    do { return try performObserved(description(), path: path(), skipped: try skipped(), writing: writing, call) } catch
    {
      throw error.ofWrite
    }
  }

  private func performObserved<Result>(
    _ description: @autoclosure () -> FileSystemCall, path: @autoclosure () -> String,
    skipped: @autoclosure () throws(SystemError) -> Result, writing: (([UInt8]) throws(SystemError) -> Void)?,
    _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard let observer else { return try call() }
    try requireRunning(path())
    let description = description()
    let verdict = observer(description)
    guard case .write(_, _, let bytes) = description, let writing else {
      return try carryOut(verdict, path(), skipped: skipped, call)
    }
    switch verdict {
    case .stopWithin(let count):
      try? writing(Array(bytes.prefix(count)))
      throw stop(path())
    case .twice:
      try writing(bytes + bytes)
      return try skipped()
    default:
      return try carryOut(verdict, path(), skipped: skipped, call)
    }
  }

  /// Runs a call that does not change the tree, unless the harness decides otherwise. If `skipped` is nil, the call
  /// can't be skipped.
  func look<Result>(
    _ description: @autoclosure () -> FileSystemCall, path: @autoclosure () -> String,
    skipped: @autoclosure () -> Result? = nil, _ call: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard let observer else { return try call() }
    try requireRunning(path())
    if scope == .changes { return try call() }
    let verdict = observer(description())
    if verdict == .skip, let answer = skipped() { return answer }
    return try carryOut(verdict, path(), skipped: call, call)
  }

  private func carryOut<Result>(
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

  /// Runs one system call that moves up to `count` bytes, inside the loop that continues until all are moved.
  func transfer(_ count: Int, _ call: (Int) -> Int) -> Int {
    guard let transfers else { return call(count) }
    guard let most = transfers.most(count) else { return interrupted() }
    return call(min(count, max(1, most)))
  }

  /// Runs one system call that moves no bytes, but may be interrupted.
  func interruptible(_ call: () -> Int32) -> Int32 {
    guard let transfers, transfers.most(0) == nil else { return call() }
    return interrupted()
  }
}
