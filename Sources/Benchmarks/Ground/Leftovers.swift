import Synchronization

/// Temporary folders of benchmarks that are over. They go with the end of the program only: a file system may avoid the
/// places of files that were deleted just now (ext4 does, and searches for others), and the next benchmark would pay.
enum Leftovers {
  private static let kept = Mutex<[any AnyObject & Sendable]>([])

  static func keep(_ folder: any AnyObject & Sendable) { kept.withLock { $0.append(folder) } }

  static func remove() { kept.withLock { $0 = [] } }
}
