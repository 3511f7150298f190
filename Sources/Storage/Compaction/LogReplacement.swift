import LocalCloudPlatform

/// Rewrites a log outside journaled folders, without the lines that are superseded.
///
/// The new file is synced before it replaces the log. The sync runs without the log's lock; that lock is never held
/// during a sync. Lines appended since then are copied and synced afterwards.
package struct LogReplacement {
  private let directory: Directory
  private let file: File
  private let name: String
  /// Returns the compacted contents of a log.
  private let compacted: (LogFile) throws -> [UInt8]

  package init(_ directory: Directory, _ file: File, name: String, _ compacted: @escaping (LogFile) throws -> [UInt8]) {
    self.directory = directory
    self.file = file
    self.name = name
    self.compacted = compacted
  }

  private var stagedName: String { "." + name + ".new" }

  /// Returns whether the log was replaced: not while another process replaces it, or appends too much.
  @discardableResult
  package func run(_ waitPolicy: LockWaitPolicy) throws -> Bool {
    let staged = try directory.createFile(stagedName)
    // One process at a time rewrites the log. A file that a killed process left has no owner and is overwritten.
    guard try staged.tryLock(.exclusive) else { return false }
    defer { staged.unlock() }
    guard try directory.identity(of: stagedName) == staged.identity() else { return false }
    var copied = try LogFile(file).end()
    var bytes = try compacted(LogFile(file, limit: copied))
    var size = 0
    try staged.truncate(to: 0)
    for _ in 0..<8 {
      try staged.write(bytes, at: size)
      try staged.sync()
      size += bytes.count
      let held = try FairLock.leaf(directory, name).acquire(.exclusive, waitPolicy)
      defer { held.release() }
      guard try directory.identity(of: name) == file.identity() else { return false }
      bytes = try file.read(at: copied, count: max(0, file.size() - copied))
      if bytes.isEmpty {
        try directory.rename(stagedName, to: directory, as: name)
        return true
      }
      copied += bytes.count
    }
    return false
  }
}
