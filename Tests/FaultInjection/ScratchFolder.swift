import LocalCloudPlatform

/// Temporary folders of tests.
package enum ScratchFolder {
  /// A new path in the system's temporary folder. Creates nothing.
  package static func newPath(_ name: String) -> String {
    let folder = HostProcess.environment("TMPDIR") ?? "/tmp"
    let random = hexadecimal(HostProcess.randomBytes(8))
    return "\(folder)/localcloud-\(name)-\(HostProcess.identifier)-\(random)"
  }

  package static func remove(_ path: String) throws {
    let parts = path.split(separator: "/")
    let parent = "/" + parts.dropLast().joined(separator: "/")
    try Directory.open(path: parent, in: FileSystem()).removeTree(String(parts.last ?? ""))
  }
}

/// Temporary folders for tests that need thousands of them. They are in memory if the machine has a file system there:
/// creating and removing them on a disk takes ten times as long.
package enum MemoryFolder {
  private static let parent: String? = {
    let path = "/dev/shm"
    let probe = "localcloud-probe-\(HostProcess.identifier)"
    guard let directory = try? Directory.open(path: path, in: FileSystem()),
      (try? directory.makeDirectory(probe)) == true, (try? directory.removeDirectory(probe)) != nil
    else { return nil }
    return path
  }()

  /// A new path. Remove the folder with ``ScratchFolder/remove(_:)``.
  package static func newPath(_ name: String) -> String {
    let path = ScratchFolder.newPath(name)
    guard let parent, let last = path.split(separator: "/").last else { return path }
    return "\(parent)/\(last)"
  }
}
