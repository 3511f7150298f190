import FaultInjection
import Platform
import TestSupport

/// A folder of a test's own, gone with the last reference.
final class TemporaryFolder: Sendable {
  let path = ScratchFolder.newPath("folder")

  init() throws { try Directory.make(path: path, in: FileSystem()) }

  deinit { try? ScratchFolder.remove(path) }

  func open(_ fileSystem: FileSystem = FileSystem()) throws -> Directory {
    try Directory.open(path: path, in: fileSystem)
  }
}
