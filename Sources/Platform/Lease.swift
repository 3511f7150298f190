/// A file that stays locked by the process that made it: entries with its name belong to a living process, until the
/// lease or the process ends.
///
/// Threads: immutable; safe to use from any.
package final class Lease: Sendable {
  package let name: String
  private let directory: Directory
  private let file: File

  private init(_ name: String, _ directory: Directory, _ file: File) {
    self.name = name
    self.directory = directory
    self.file = file
  }

  /// Nil if the name is taken, or if another process removed the file as a leftover at once: try another name.
  package static func make(_ name: String, in directory: Directory) throws(SystemError) -> Lease? {
    let file: File
    do { file = try directory.createFile(name, exclusively: true) } catch  where error.isExisting { return nil }
    guard try file.tryLock(.exclusive), try directory.identity(of: name) == file.identity() else { return nil }
    return Lease(name, directory, file)
  }

  /// Whether the lease belongs to the parent that this process was forked from.
  package var isInherited: Bool { file.isInherited }

  /// Ends the lease, unless it is the parent's. Call when no entry with its name is left.
  package func end() throws(SystemError) {
    if isInherited { return }
    try directory.remove(name)
    file.unlock()
  }

  /// Runs `body` and ends the lease, if no process holds it; returns false if one does. The lease's file may be
  /// missing.
  package static func reap(
    _ name: String, in directory: Directory, _ body: () throws(SystemError) -> Void
  ) throws(SystemError) -> Bool {
    let file = try directory.fileIfPresent(name)
    if let file, try !file.tryLock(.exclusive) { return false }
    try body()
    // The file is still locked: a process that just made it must not treat it as its own.
    if file != nil { try directory.remove(name) }
    return true
  }
}
