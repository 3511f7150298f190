import Platform
import Synchronization

/// The lock of a whole store: everything that writes holds it together with all others, who resets or copies the store
/// has it alone.
///
/// It is taken for every commit and hardly ever by somebody alone, so a process keeps its two files open and counts
/// who holds the lock together. Who wants it alone keeps the gate shut meanwhile.
package final class RootLock: Sendable {
  private struct State {
    var holders = 0
    var files: (gate: File, lock: File)?
  }

  /// Those that the present call has.
  @TaskLocal private static var held: Set<ObjectIdentifier> = []

  private let directory: Directory
  private let name: String
  private let gate: String
  private let state = Mutex(State())

  package init(_ directory: Directory, _ name: String, gate: String) {
    self.directory = directory
    self.name = name
    self.gate = gate
  }

  /// Whether the present call has it, one way or the other.
  package var isHeld: Bool { Self.held.contains(ObjectIdentifier(self)) }

  /// Runs `body` while nobody has the lock alone. Throws ``StorageError/busy(path:holder:waited:)`` when the time is up.
  package func withShared<Result>(_ patience: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    // Who has it already must not ask again: somebody who wants it alone may wait in between.
    if Self.held.contains(ObjectIdentifier(self)) { return try body() }
    let wait = LockWait(patience)
    var interval: UInt64 = 50
    while !(try enter()) {
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: directory.path(of: name), holder: nil, waited: patience.seconds)
      }
      if wait.untilNotice <= 0 { wait.giveNotice("another process", directory.path(of: name)) }
      pause(microseconds: interval)
      interval = min(interval * 2, 20_000)
    }
    defer { leave() }
    return try Self.$held.withValue(Self.held.union([ObjectIdentifier(self)]), operation: body)
  }

  /// Runs `body` while nobody else writes.
  package func withExclusive<Result>(_ patience: LockWaitPolicy, _ body: () throws -> Result) throws -> Result {
    for file in [name, gate] { _ = try directory.createFile(file) }
    let lock = try FairLock(directory, name, gate: (directory, gate)).acquire(.exclusive, patience)
    defer { lock.release() }
    return try Self.$held.withValue(Self.held.union([ObjectIdentifier(self)]), operation: body)
  }

  private func enter() throws -> Bool {
    try state.withLock { state in
      let files = try state.files ?? open()
      state.files = files
      guard try files.gate.tryLock(.shared) else { return false }
      defer { files.gate.unlock() }
      if state.holders == 0 {
        guard try files.lock.tryLock(.shared) else { return false }
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
      state.holders -= 1
      if state.holders == 0 { state.files?.lock.unlock() }
    }
  }
}
