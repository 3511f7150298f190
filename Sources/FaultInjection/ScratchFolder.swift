import Platform

/// Folders that tests make and remove.
package enum ScratchFolder {
  /// A path in the system's temporary folder that nothing has yet.
  package static func newPath(_ name: String) -> String {
    let folder = HostProcess.environment("TMPDIR") ?? "/tmp"
    let random = HostProcess.randomBytes(8).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    return "\(folder)/localcloud-\(name)-\(HostProcess.identifier)-\(random)"
  }

  package static func remove(_ path: String) throws {
    let parts = path.split(separator: "/")
    let parent = "/" + parts.dropLast().joined(separator: "/")
    try Directory.open(path: parent, in: FileSystem()).removeTree(String(parts.last ?? ""))
  }
}
