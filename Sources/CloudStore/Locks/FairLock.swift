import Platform

/// A readers-and-writer lock on two files, fair between processes and inside one.
///
/// Everybody passes the gate first, alone; a waiting writer keeps it, so that readers who come later can't starve it.
/// The kernel queues those who block, and frees the locks of a process that dies. One try without waiting comes first,
/// so that the holder can be named; then a thread of its own blocks in the kernel, at most one a process: further
/// callers queue before it. A caller whose time is up leaves; its thread lets the lock go as soon as it gets it.
package final class FairLock: Sendable {
  private struct Queue {
    var tickets: [UInt64] = []
    var next: UInt64 = 0
  }

  private let directory: Directory
  private let name: String
  private let gate: (directory: Directory, name: String)?
  private let queue = Condition(Queue())

  /// `gate` nil: for leaf locks, which are held for one append and have no readers.
  package init(_ directory: Directory, _ name: String, gate: (directory: Directory, name: String)? = nil) {
    self.directory = directory
    self.name = name
    self.gate = gate
  }

  package var path: String { directory.path(of: name) }

  /// Throws ``StoreError/busy(path:holder:waited:)`` when the time is up.
  package func acquire(_ mode: File.LockMode, _ patience: LockPatience) throws -> HeldLock {
    let start = monotonicNanoseconds()
    while true {
      let held = try acquire(mode, patience, since: start)
      // Somebody may have replaced the file while we waited: a lock on the old one keeps nobody out.
      if try directory.identity(of: name) == held.identity() { return held }
      held.release()
    }
  }

  private func acquire(_ mode: File.LockMode, _ patience: LockPatience, since start: UInt64) throws -> HeldLock {
    func remaining() -> Double { patience.seconds - Double(monotonicNanoseconds() - start) / 1e9 }

    let ticket = queue.change { queue in
      queue.next += 1
      queue.tickets.append(queue.next)
      return queue.next
    }
    guard queue.wait(seconds: remaining(), { $0.tickets.first == ticket ? true : nil }) != nil else {
      leave(ticket)
      throw busy(patience)
    }
    do {
      let gateFile = try gate.map { try $0.directory.file($0.name) }
      let lockFile = try directory.file(name)
      let passed = try gateFile?.tryLock(.exclusive) ?? true
      if passed, try lockFile.tryLock(mode) {
        gateFile?.unlock()
        leave(ticket)
        return HeldLock(lockFile)
      }
      return try wait(
        ticket, gateFile: passed ? nil : gateFile, heldGate: passed ? gateFile : nil, lockFile, mode, remaining,
        patience)
    } catch let error as StoreError {
      throw error
    } catch {
      leave(ticket)
      throw error
    }
  }

  private enum Wait {
    case waiting
    case abandoned
    case done(SystemError?)
  }

  private func wait(
    _ ticket: UInt64, gateFile: File?, heldGate: File?, _ lockFile: File, _ mode: File.LockMode,
    _ remaining: () -> Double, _ patience: LockPatience
  ) throws -> HeldLock {
    if remaining() <= 0 {
      leave(ticket)
      throw busy(patience)
    }
    if let notice = patience.notice {
      let holder = holder()?.text ?? "another process"
      notice("waiting up to \(patience.seconds.secondsText) s for \(holder), which holds \(path)")
    }
    let wait = Condition(Wait.waiting)
    startThread { [self] in
      let failure = Self.block(gateFile, lockFile, mode)
      gateFile?.unlock()
      heldGate?.unlock()
      let arrivedTooLate = wait.change { wait in
        if case .abandoned = wait { return true }
        wait = .done(failure)
        return false
      }
      if arrivedTooLate { lockFile.unlock() }
      leave(ticket)
    }
    let outcome: SystemError?? = wait.wait(seconds: remaining()) { wait in
      if case .done(let failure) = wait { return .some(failure) }
      return nil
    }
    if let outcome {
      if let failure = outcome { throw failure }
      return HeldLock(lockFile)
    }
    let arrived: Bool = wait.change { wait in
      if case .done(nil) = wait { return true }
      wait = .abandoned
      return false
    }
    if arrived { return HeldLock(lockFile) }
    throw busy(patience)
  }

  private static func block(_ gate: File?, _ lock: File, _ mode: File.LockMode) -> SystemError? {
    do {
      try gate?.waitForLock(.exclusive)
      try lock.waitForLock(mode)
      return nil
    } catch {
      return error
    }
  }

  private func leave(_ ticket: UInt64) {
    queue.change { $0.tickets.removeAll { $0 == ticket } }
  }

  private func busy(_ patience: LockPatience) -> StoreError {
    .busy(path: path, holder: holder(), waited: patience.seconds)
  }

  package func holder() -> LockNote? {
    guard let bytes = try? directory.contents(name) else { return nil }
    return LockNote(bytes: bytes)
  }
}

/// A lock that is held until ``release()`` or the last reference goes.
package final class HeldLock: Sendable {
  private let file: File

  init(_ file: File) { self.file = file }

  deinit { file.unlock() }

  package func release() { file.unlock() }

  fileprivate func identity() throws -> FileIdentity { try file.identity() }
}
