import Platform
import Synchronization

/// Notes the calls that change the tree, in order, as far as a mutant lets them happen.
final class CallRecorder: Sendable {
  private let noted = Mutex<[TreeCall]>([])
  private let mutant: FileSystem.Observer?

  init(_ mutant: FileSystem.Observer?) { self.mutant = mutant }

  var calls: [TreeCall] { noted.withLock { $0 } }

  func fileSystem(boot: String = HostProcess.bootIdentifier) -> FileSystem {
    FileSystem(bootIdentifier: boot) { [self] call in
      let verdict = mutant?(call) ?? .proceed
      // What was not done has synced nothing.
      if verdict != .skip { noted.withLock { $0.append(call) } }
      return verdict
    }
  }
}
