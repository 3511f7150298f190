import Platform

/// Folders that tests make and remove.
package enum ScratchFolder {
  /// A path in the system's temporary folder that nothing has yet.
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

/// Where tests put folders by the thousand: in memory, if the machine has a file system there. Making and removing them on
/// a disk takes ten times as long.
package enum MemoryFolder {
  private static let parent: String? = {
    let path = "/dev/shm"
    let probe = "localcloud-probe-\(HostProcess.identifier)"
    guard let directory = try? Directory.open(path: path, in: FileSystem()),
      (try? directory.makeDirectory(probe)) == true, (try? directory.removeDirectory(probe)) != nil
    else { return nil }
    return path
  }()

  /// A path that nothing has yet; remove it with ``ScratchFolder/remove(_:)``.
  package static func newPath(_ name: String) -> String {
    let path = ScratchFolder.newPath(name)
    guard let parent, let last = path.split(separator: "/").last else { return path }
    return "\(parent)/\(last)"
  }
}
