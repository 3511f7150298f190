/// A file that its maker keeps locked: what bears its name belongs to a living process, until the lease ends or the
/// process does.
///
/// Threads: immutable; use it from any thread.
package final class Lease: Sendable {
  package let name: String
  private let directory: Directory
  private let file: File

  private init(_ name: String, _ directory: Directory, _ file: File) {
    self.name = name
    self.directory = directory
    self.file = file
  }

  /// Nil if the name is taken, or was taken away at once by somebody who tidies up: try another one.
  package static func make(_ name: String, in directory: Directory) throws(SystemError) -> Lease? {
    let file: File
    do { file = try directory.createFile(name, exclusively: true) } catch  where error.isExisting { return nil }
    guard try file.tryLock(.exclusive), try directory.identity(of: name) == file.identity() else { return nil }
    return Lease(name, directory, file)
  }

  /// To be called when nothing that bears the name is left.
  package func end() throws(SystemError) {
    try directory.remove(name)
    file.unlock()
  }

  /// Runs `body`, and ends the lease, if nobody holds it; answers false if somebody does. There may be none any more.
  package static func reap(
    _ name: String, in directory: Directory, _ body: () throws(SystemError) -> Void
  ) throws(SystemError) -> Bool {
    let file = try directory.fileIfPresent(name)
    if let file, try !file.tryLock(.exclusive) { return false }
    try body()
    // Still locked: whoever made it meanwhile must not take it for theirs.
    if file != nil { try directory.remove(name) }
    return true
  }
}
