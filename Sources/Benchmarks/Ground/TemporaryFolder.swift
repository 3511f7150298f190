import FaultInjection
import Platform
import TestSupport

/// A temporary folder that is removed when the program ends.
final class TemporaryFolder: Sendable {
  let path: String
  let directory: Directory

  init(_ name: String) throws {
    path = ScratchFolder.newPath(name)
    try Directory.make(path: path, in: FileSystem())
    directory = try Directory.open(path: path, in: FileSystem())
    Leftovers.keep(self)
  }

  deinit { try? ScratchFolder.remove(path) }
}
