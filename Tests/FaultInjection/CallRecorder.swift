import LocalCloudPlatform
import Synchronization

/// Records the calls that change the tree, in order. A mutant may skip or alter calls; skipped calls are not recorded.
package final class CallRecorder: Sendable {
  private let recorded = Mutex<[FileSystemCall]>([])
  private let mutant: FileSystem.Observer?
  private let failing: Int?

  /// `failing` is the index of the recorded call that fails.
  package init(_ mutant: FileSystem.Observer?, failing: Int? = nil) {
    self.mutant = mutant
    self.failing = failing
  }

  package var calls: [FileSystemCall] { recorded.withLock { $0 } }

  package func fileSystem(boot: String = HostProcess.bootIdentifier) -> FileSystem {
    FileSystem(bootIdentifier: boot) { [self] call in
      let verdict = mutant?(call) ?? .proceed
      // A skipped call has no effect, so it is not recorded: a skipped sync makes nothing durable.
      if verdict == .skip { return verdict }
      let index = recorded.withLock { calls in
        calls.append(call)
        return calls.count - 1
      }
      return index == failing ? .fail(SystemError.inputOutput) : verdict
    }
  }
}
