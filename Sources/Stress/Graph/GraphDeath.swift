import Platform
import Synchronization

/// Kills the process of a ``GraphWorker`` before a call that changes one of its files.
final class GraphDeath: Sendable {
  /// The number of calls before the process is killed; nil: it is not to be killed.
  private let remaining = Mutex<Int?>(nil)

  /// The access to the disk that counts the calls.
  var fileSystem: FileSystem {
    FileSystem { [self] _ in
      remaining.withLock { remaining in
        guard let count = remaining else { return }
        if count == 0 { HostProcess.exitNow(9) }
        remaining = count - 1
      }
      return .proceed
    }
  }

  /// - Parameter call: the number of the call, from 0, beginning with the next one.
  func set(before call: Int) { remaining.withLock { $0 = call } }
}
