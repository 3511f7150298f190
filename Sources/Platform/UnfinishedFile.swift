import Synchronization

/// A file that is being made under a name of its own, for a user: it is taken away if it is given up, or if a signal ends
/// the process before it is done.
///
/// Threads: for one at a time; a signal may come beside.
package final class UnfinishedFile {
  package let file: File
  private let folder: Directory
  private let name: String
  private let number: Int

  /// Nobody else may read it. `name` is what it will be called.
  package init(for name: String, in folder: Directory) throws(SystemError) {
    let chance = HostProcess.randomBytes(4).map { String($0, radix: 16) }.joined()
    self.folder = folder
    self.name = ".\(name.utf8.count < 200 ? name : "file").\(HostProcess.identifier).\(chance)"
    // Noted before it is there: in between, a signal would leave it.
    number = Self.note(self.name, in: folder)
    do { file = try folder.createFile(self.name, mode: 0o600, exclusively: true) } catch {
      Self.forget(number)
      throw error
    }
  }

  deinit {
    // Nothing has the name any more once it is done.
    _ = try? folder.remove(name)
    Self.forget(number)
  }

  /// Gives it its name, in the place of what has it.
  package func finish(as newName: String) throws(SystemError) { try folder.rename(name, to: folder, as: newName) }

  // MARK: Signals

  private struct State {
    var names: [Int: (folder: Directory, name: String)] = [:]
    var next = 0
    /// From the first file on, as long as the process lives.
    var interrupts: Interrupts?
  }

  private static let state = Mutex(State())

  private static func note(_ name: String, in folder: Directory) -> Int {
    state.withLock { state in
      // Without it, a signal leaves a file: better than none at all.
      if state.interrupts == nil { state.interrupts = try? Interrupts(hangingUp: true, removeAndEnd) }
      state.next += 1
      state.names[state.next] = (folder, name)
      return state.next
    }
  }

  private static func forget(_ number: Int) { state.withLock { _ = $0.names.removeValue(forKey: number) } }

  /// The process ends as the signal would have ended it. Nothing is begun or done any more.
  @Sendable private static func removeAndEnd() {
    state.withLock { state in
      for (folder, name) in state.names.values { _ = try? folder.remove(name) }
      Interrupts.endProcess()
    }
  }
}
