import Synchronization

/// A file for a user that is written under a temporary name: it is removed if it is abandoned, or if a signal ends the
/// process before it is finished.
///
/// Threads: used by one at a time; a signal may arrive during the use.
package final class UnfinishedFile {
  package let file: File
  private let folder: Directory
  private let name: String
  private let number: Int

  /// Makes the file. `name`: its later name. `mode`: its permissions; by default only the user may read it.
  package init(for name: String, in folder: Directory, mode: UInt32 = 0o600) throws(SystemError) {
    let chance = HostProcess.randomBytes(4).map { String($0, radix: 16) }.joined()
    self.folder = folder
    self.name = ".\(name.utf8.count < 200 ? name : "file").\(HostProcess.identifier).\(chance)"
    // The name is recorded before the file exists: otherwise a signal in between would leave the file.
    number = Self.register(self.name, in: folder)
    do { file = try folder.createFile(self.name, mode: mode, exclusively: true) } catch {
      Self.forget(number)
      throw error
    }
  }

  deinit {
    // After ``finish(as:)`` no file has the name any more.
    _ = try? folder.remove(name)
    Self.forget(number)
  }

  /// Renames the file to its final name, replacing an existing file.
  package func finish(as newName: String) throws(SystemError) { try folder.rename(name, to: folder, as: newName) }

  // MARK: Signals

  private struct State {
    var names: [Int: (folder: Directory, name: String)] = [:]
    var next = 0
    /// Set with the first file, and retained until the process ends.
    var interrupts: Interrupts?
  }

  private static let state = Mutex(State())

  private static func register(_ name: String, in folder: Directory) -> Int {
    state.withLock { state in
      // Without it, a signal leaves a file behind; that is better than writing none.
      if state.interrupts == nil { state.interrupts = try? Interrupts(hangingUp: true, removeAndEnd) }
      state.next += 1
      state.names[state.next] = (folder, name)
      return state.next
    }
  }

  private static func forget(_ number: Int) { state.withLock { _ = $0.names.removeValue(forKey: number) } }

  /// Removes all unfinished files and ends the process as the signal would have. No file is begun or finished any more.
  @Sendable private static func removeAndEnd() {
    state.withLock { state in
      for (folder, name) in state.names.values { _ = try? folder.remove(name) }
      Interrupts.endProcess()
    }
  }
}
