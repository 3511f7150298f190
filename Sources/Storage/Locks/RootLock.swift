import LocalCloudPlatform
import Synchronization

/// The lock of a whole store. Every writer holds it shared; a process that resets or copies the store holds it
/// exclusively.
///
/// It is taken for every commit and rarely exclusively, so a process keeps its two files open and counts its shared
/// holders. A process that wants it exclusively keeps the gate locked while it waits. A forked process opens the files
/// again, and its parent's calls do not count as its own.
package final class RootLock: Sendable {
  private struct State {
    var holders = 0
    var files: (gate: File, lock: File)?
    let process = ProcessMark()
  }

  private struct Holding: Hashable {
    var lock: ObjectIdentifier
    var process = HostProcess.identifier
  }

  /// The root locks that the current call holds.
  @TaskLocal private static var held: Set<Holding> = []

  private let directory: Directory
  private let name: String
  private let gate: String
  private let requireCurrent: @Sendable () throws -> Void
  private let state = Mutex(State())

  /// - Parameter requireCurrent: called with the lock; throws if the store was replaced since it was opened.
  package init(
    _ directory: Directory, _ name: String, gate: String, requireCurrent: @escaping @Sendable () throws -> Void = {}
  ) {
    self.directory = directory
    self.name = name
    self.gate = gate
    self.requireCurrent = requireCurrent
  }

  /// Whether the current call holds the lock, shared or exclusively.
  package var isHeld: Bool { Self.held.contains(holding) }

  private var holding: Holding { Holding(lock: ObjectIdentifier(self)) }

  /// Runs `body` with the shared lock. Throws ``StorageError/busy(path:holder:waited:)`` when the time is up.
  package func withShared<Result>(_ waitPolicy: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    // A call that holds the lock must not acquire it again: another process may wait for the exclusive lock in between.
    if isHeld { return try body() }
    let wait = LockWait(waitPolicy)
    var interval: UInt64 = 50
    while !(try enter()) {
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: directory.path(of: name), holder: nil, waited: waitPolicy.seconds)
      }
      if wait.untilNotice <= 0 { wait.giveNotice("another process", directory.path(of: name)) }
      pause(microseconds: interval)
      interval = min(interval * 2, 20_000)
    }
    defer { leave() }
    return try Self.$held.withValue(Self.held.union([holding]), operation: body)
  }

  /// Runs `body` with the exclusive lock: no other caller writes to the store during the call.
  ///
  /// - Parameter isOpening: whether the caller opens the store just now, so that it may be one that was replaced.
  package func withExclusive<Result>(
    _ waitPolicy: LockWaitPolicy, isOpening: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    for file in [name, gate] { _ = try directory.createFile(file) }
    let lock = try FairLock(directory, name, gate: (directory, gate)).acquire(.exclusive, waitPolicy)
    defer { lock.release() }
    if !isOpening { try requireCurrent() }
    return try Self.$held.withValue(Self.held.union([holding]), operation: body)
  }

  private func enter() throws -> Bool {
    try state.withLock { state in
      if !state.process.isCurrent { state = State() }
      let files = try state.files ?? open()
      state.files = files
      guard try files.gate.tryLock(.shared) else { return false }
      defer { files.gate.unlock() }
      if state.holders == 0 {
        guard try files.lock.tryLock(.shared) else { return false }
        do { try requireCurrent() } catch {
          files.lock.unlock()
          throw error
        }
      }
      state.holders += 1
      return true
    }
  }

  private func open() throws -> (gate: File, lock: File) {
    func file(_ name: String) throws -> File { try directory.fileIfPresent(name) ?? directory.createFile(name) }
    return (try file(gate), try file(name))
  }

  private func leave() {
    state.withLock { state in
      // A process that was forked within the call does not hold the lock.
      guard state.process.isCurrent else { return }
      state.holders -= 1
      if state.holders == 0 { state.files?.lock.unlock() }
    }
  }
}
