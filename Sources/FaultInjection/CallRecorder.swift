import Platform
import Synchronization

/// Notes the calls that change the tree, in order, as far as a mutant lets them happen.
package final class CallRecorder: Sendable {
  private let noted = Mutex<[FileSystemCall]>([])
  private let mutant: FileSystem.Observer?
  private let failing: Int?

  /// `failing`: the call that fails, once.
  package init(_ mutant: FileSystem.Observer?, failing: Int? = nil) {
    self.mutant = mutant
    self.failing = failing
  }

  package var calls: [FileSystemCall] { noted.withLock { $0 } }

  package func fileSystem(boot: String = HostProcess.bootIdentifier) -> FileSystem {
    FileSystem(bootIdentifier: boot) { [self] call in
      let verdict = mutant?(call) ?? .proceed
      // What was not done has synced nothing.
      if verdict == .skip { return verdict }
      let place = noted.withLock { calls in
        calls.append(call)
        return calls.count - 1
      }
      return place == failing ? .fail(SystemError.inputOutput) : verdict
    }
  }
}
