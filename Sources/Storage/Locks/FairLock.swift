import LocalCloudPlatform

/// A readers-writer lock on two files, fair between processes and within one.
///
/// Acquires the gate exclusively before the lock and holds it until the lock is granted. Later readers queue behind a
/// waiting writer, so a writer cannot starve. A caller waits for the gate in the kernel. The kernel queues waiters and
/// releases the locks of a process that dies. The wait runs on another thread, at most one per lock and process:
/// further callers queue before it. Only the holder of the gate waits for the lock, so polling the lock is fair, and
/// faster than waking a thread; after a while this caller waits in the kernel, too. A caller that times out returns;
/// its thread then releases the lock that it gets. Files that were locked stay open for the next caller.
///
/// A forked process opens the files again and has its own queue: its parent's locks exclude it, and its locks exclude
/// the parent.
package final class FairLock: Sendable {
  private struct Queue {
    var tickets: [UInt64] = []
    var next: UInt64 = 0
    private let process = ProcessMark()

    /// Appends a ticket. In a forked process, the threads that wait in the parent do not count.
    mutating func join() -> UInt64 {
      if !process.isCurrent { self = Queue() }
      next += 1
      tickets.append(next)
      return next
    }

    var isEmpty: Bool { tickets.isEmpty || !process.isCurrent }
  }

  private let lock: LockFile
  private let gate: LockFile?
  private let queue = ThreadCondition(Queue())
  /// The budget for the folder's descriptor, if this lock keeps the folder open.
  private let room: DescriptorBudget?

  /// Creates a lock; opens no file yet.
  ///
  /// - Parameters:
  ///   - gate: the file of the gate. Nil for leaf locks: these are held for one append and have no readers.
  ///   - room: the reservation for the folder's descriptor, if the lock keeps the folder open.
  package init(
    _ directory: Directory, _ name: String, gate: (directory: Directory, name: String)? = nil,
    room: DescriptorBudget? = nil
  ) {
    self.room = room
    lock = LockFile(in: directory, name: name)
    self.gate = gate.map { LockFile(in: $0.directory, name: $0.name) }
  }

  package var path: String { lock.path }

  /// Acquires the lock, waiting at most the time of the policy. Blocks the thread.
  ///
  /// - Parameter access: how to open the file; ``Directory/Access/readWrite`` for a holder that writes to it.
  /// - Throws: ``StorageError/busy(path:holder:waited:)`` when the time is up, or `SystemError`.
  package func acquire(
    _ mode: File.LockMode, access: Directory.Access = .read, _ waitPolicy: LockWaitPolicy
  ) throws -> HeldLock {
    let wait = LockWait(waitPolicy)
    while true {
      let file = try acquire(mode, access, wait)
      // The file may have been replaced during the wait.
      if try lock.isCurrent(file) { return held(file, access) }
      file.unlock()
    }
  }

  private func held(_ file: File, _ access: Directory.Access) -> HeldLock {
    HeldLock(file) { [lock] in lock.giveBack($0, access) }
  }

  /// Whether another caller waits for the lock, in this process or in another one.
  package func isAwaited() -> Bool {
    if queue.change({ !$0.isEmpty }) { return true }
    guard let gate, let file = try? gate.take() else { return false }
    defer { gate.giveBack(file) }
    guard let isFree = try? file.tryLock(.shared) else { return false }
    if isFree { file.unlock() }
    return !isFree
  }

  /// Acquires the lock exclusively without waiting; nil if it is held.
  package func acquireIfFree() throws -> HeldLock? {
    let file = try lock.take()
    guard try file.tryLock(.exclusive) else {
      lock.giveBack(file)
      return nil
    }
    if try lock.isCurrent(file) { return held(file, .read) }
    file.unlock()
    return nil
  }

  /// Like ``acquireIfFree()``, for a caller that retries and does other work in between. `position` holds the gate from
  /// its first call to the one that acquires the lock: later callers queue behind it.
  package func acquireIfFree(keeping position: inout HeldLock?) throws -> HeldLock? {
    if position?.file.isInherited == true { position = nil }
    if position == nil, let gate {
      var file = try gate.take()
      if try !gate.isCurrent(file) { file = try gate.directory.file(gate.name) }
      guard try file.tryLock(.exclusive) else {
        gate.giveBack(file)
        return nil
      }
      position = HeldLock(file) { gate.giveBack($0) }
    }
    guard let held = try acquireIfFree() else { return nil }
    position = nil
    return held
  }

  /// Acquires the lock exclusively, for a caller that writes to the file itself. Creates the file if it is missing.
  package func acquireMakingFile(_ waitPolicy: LockWaitPolicy) throws -> HeldLock {
    do { return try acquire(.exclusive, access: .readWrite, waitPolicy) } catch let error as SystemError
      where error.isMissing
    {
      _ = try lock.directory.createFile(lock.name)
      return try acquire(.exclusive, access: .readWrite, waitPolicy)
    }
  }

  private func acquire(_ mode: File.LockMode, _ access: Directory.Access, _ wait: LockWait) throws -> File {
    let ticket = queue.change { $0.join() }
    guard queue.wait(seconds: wait.remaining, { $0.tickets.first == ticket ? true : nil }) != nil else {
      leave(ticket)
      throw busy(wait)
    }
    var passed: HeldLock?
    defer { passed?.release() }
    do {
      if let gate { passed = try pass(gate, wait, ticket) }
      let file = try lock.take(access)
      try acquireLock(file, mode, gate == nil ? .forAppend : .forCommit, wait, ticket)
      passed?.release()
      leave(ticket)
      return file
    } catch {
      // A thread that still waits leaves the queue when it is done.
      if !(error is Abandoned) { leave(ticket) }
      throw error is Abandoned ? busy(wait) : error
    }
  }

  private func pass(_ gate: LockFile, _ wait: LockWait, _ ticket: UInt64) throws -> HeldLock {
    var file = try gate.take()
    if try !gate.isCurrent(file) { file = try gate.directory.file(gate.name) }
    try acquireLock(file, .exclusive, .none, wait, ticket)
    return HeldLock(file) { gate.giveBack($0) }
  }

  private struct Abandoned: Error {}

  /// How a caller polls a held lock before it blocks.
  private struct SpinPolicy {
    /// The first pause: the shortest time that a holder needs the lock.
    var pauseMicroseconds: UInt64
    /// The time of polling without pauses that follows: a lock that is held briefly is acquired sooner than a sleeping
    /// thread wakes up.
    var restlessNanoseconds: UInt64
    /// The time of polling with pauses that follows, by the clock: on a busy machine a pause takes many times its
    /// requested length.
    var seconds: Double

    static let none = SpinPolicy(pauseMicroseconds: 0, restlessNanoseconds: 0, seconds: 0)
    static let forAppend = SpinPolicy(pauseMicroseconds: 0, restlessNanoseconds: 30_000, seconds: 0.001)
    static let forCommit = SpinPolicy(pauseMicroseconds: 50, restlessNanoseconds: 150_000, seconds: 0.05)
  }

  private func acquireLock(
    _ file: File, _ mode: File.LockMode, _ spinning: SpinPolicy, _ wait: LockWait, _ ticket: UInt64
  ) throws {
    if spinning.pauseMicroseconds > 0 {
      if try file.tryLock(mode) { return }
      pause(microseconds: spinning.pauseMicroseconds)
    }
    let start = monotonicNanoseconds()
    while monotonicNanoseconds() - start < spinning.restlessNanoseconds {
      if try file.tryLock(mode) { return }
      yieldProcessor()
    }
    let polled = monotonicNanoseconds()
    var slept: UInt64 = 0
    var interval: UInt64 = 20
    while true {
      if try file.tryLock(mode) { return }
      let seconds = Double(monotonicNanoseconds() - polled) / 1e9
      guard seconds < spinning.seconds, wait.remaining > 0, wait.untilNotice > 0 else { break }
      pause(microseconds: interval)
      slept += interval
      if slept > 3000 { interval = min(interval * 5 / 4, 1000) }
    }
    guard wait.remaining > 0 else { throw busy(wait) }
    try block(file, mode, wait, ticket)
  }

  private enum WaitState {
    case waiting
    case abandoned
    case done(SystemError?)
  }

  /// Waits in the kernel, on another thread.
  private func block(_ file: File, _ mode: File.LockMode, _ wait: LockWait, _ ticket: UInt64) throws {
    let state = ThreadCondition(WaitState.waiting)
    let isStarted = startThreadIfPossible { [self] in
      var failure: SystemError?
      do throws(SystemError) { try file.waitForLock(mode) } catch { failure = error }
      let isTooLate = state.change { state in
        if case .abandoned = state { return true }
        state = .done(failure)
        return false
      }
      guard isTooLate else { return }
      file.unlock()
      leave(ticket)
    }
    guard isStarted else { return try ask(for: file, mode, wait) }
    func outcome(within seconds: Double) -> SystemError?? {
      state.wait(seconds: seconds) { state in
        if case .done(let failure) = state { return .some(failure) }
        return nil
      }
    }
    var result = outcome(within: min(wait.remaining, wait.untilNotice))
    if result == nil, wait.remaining > 0 {
      wait.giveNotice(holder()?.text ?? "another process", path)
      result = outcome(within: wait.remaining)
    }
    if let failure = result {
      if let failure { throw failure }
      return
    }
    let arrived: Bool = state.change { state in
      if case .done(nil) = state { return true }
      state = .abandoned
      return false
    }
    if !arrived { throw Abandoned() }
  }

  /// Polls the lock if no thread can be started for waiting in the kernel: the caller must not wait there, because its
  /// time is limited.
  private func ask(for file: File, _ mode: File.LockMode, _ wait: LockWait) throws {
    var interval: UInt64 = 200
    while try !file.tryLock(mode) {
      guard wait.remaining > 0 else { throw busy(wait) }
      if wait.untilNotice <= 0 { wait.giveNotice(holder()?.text ?? "another process", path) }
      pause(microseconds: interval)
      interval = min(interval * 2, 20_000)
    }
  }

  private func leave(_ ticket: UInt64) {
    queue.change { $0.tickets.removeAll { $0 == ticket } }
  }

  private func busy(_ wait: LockWait) -> StorageError {
    .busy(path: path, holder: holder(), waited: wait.waitPolicy.seconds)
  }

  /// The lock's holder, from the note in the file, or from the system if the lock's holders write no note.
  package func holder() -> LockHolder? {
    let (directory, name) = (lock.directory, lock.name)
    if gate != nil, let note = (try? directory.contents(name)).flatMap({ $0 }).flatMap({ LockHolder(bytes: $0) }) {
      return note
    }
    guard let file = (try? directory.identity(of: name)).flatMap({ $0 }), let holder = FileLockHolder(of: file) else {
      return nil
    }
    return LockHolder(user: nil, command: holder.name ?? "another program", process: holder.process)
  }
}
