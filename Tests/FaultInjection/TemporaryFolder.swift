import LocalCloudPlatform

/// A folder in the system's temporary folder, for one test or benchmark. It is removed with the last reference to it.
package final class TemporaryFolder: Sendable {
  package let path: String
  package let directory: Directory

  package init(_ name: String = "folder") throws {
    path = ScratchFolder.newPath(name)
    try Directory.make(path: path, in: FileSystem())
    directory = try Directory.open(path: path, in: FileSystem())
  }

  deinit { try? ScratchFolder.remove(path) }

  /// Opens the folder once more, through another file system.
  package func open(_ fileSystem: FileSystem = FileSystem()) throws -> Directory {
    try Directory.open(path: path, in: fileSystem)
  }
}
