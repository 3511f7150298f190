import LocalCloudPlatform

/// A trial of a file system: whether it has exclusive locks, and renames that replace a file.
package enum FileSystemProbe {
  /// A need of clouds that a file system does not meet.
  package enum Defect: Sendable {
    /// Locks do not exclude each other: two processes could write at once.
    case locks
    /// A rename does not replace a file: a process could see half a change.
    case renames
  }

  /// The beginning of the names of the files that are tried. Names that begin with a dot are no part of the cloud
  /// ([file-8]).
  package static let prefix = ".doctor-"

  /// Tries the file system of a folder with two files, and removes them.
  ///
  /// - Returns: nil if clouds can be on the file system.
  package static func defect(in folder: Directory) throws(SystemError) -> Defect? {
    let (first, second) = ("\(prefix)\(HostProcess.identifier)-1", "\(prefix)\(HostProcess.identifier)-2")
    defer {
      _ = try? folder.remove(first)
      _ = try? folder.remove(second)
    }
    try folder.writeStaged(first, [1])
    try folder.writeStaged(second, [2])
    let (holder, other) = (try folder.file(first), try folder.file(first))
    guard try holder.tryLock(.exclusive), try !other.tryLock(.exclusive) else { return .locks }
    holder.unlock()
    let identity = try folder.identity(of: first)
    try folder.rename(first, to: folder, as: second)
    guard try folder.identity(of: second) == identity, try folder.contents(second) == [1], try !folder.exists(first)
    else { return .renames }
    return nil
  }
}
