import LocalCloudPlatform

/// Computes the states that a power cut may leave, from a durable folder and the calls that changed it.
///
/// Each unsynced effect reaches the disk or is lost independently: each block of a write, each change of a size, each
/// new name, removal and rename. A rename is atomic. If a folder is lost, its contents are lost with it. Lost data
/// within a file's size reads as zeros. The observed folder itself always exists.
///
/// A call refers to a file by its path. An open file that was renamed or removed is still known by its old path, until
/// another file gets that name.
package struct PowerCut: Sendable {
  package let calls: [FileSystemCall]
  private let path: String
  private let root: DiskPath
  private let failing: Set<Int>
  /// The state after every ``markDistance`` calls, so that any state can be computed from a near one.
  private let marks: [DiskCache]
  private static let markDistance = 64

  /// Creates a power cut. `before` is the folder before the calls, and `path` is its path in the calls. All calls must
  /// change the tree. `failing` holds the indices of the calls that failed.
  package init(before: FolderImage, path: String, calls: [FileSystemCall], failing: Set<Int> = []) {
    self.calls = calls
    self.failing = failing
    self.path = path
    root = DiskPath(root: path)
    var cache = DiskCache(before)
    var marks: [DiskCache] = [cache]
    for (index, call) in self.calls.enumerated() {
      cache.apply(call, root: root, isFailing: failing.contains(index))
      if (index + 1) % Self.markDistance == 0 { marks.append(cache) }
    }
    self.marks = marks
  }

  /// Creates a power cut. `before` is the path of a copy of the folder.
  package init(before: String, path: String, calls: [FileSystemCall]) throws {
    self.init(before: try FolderImage(of: before), path: path, calls: calls)
  }

  /// Runs `work` in the folder and records its calls.
  package static func recording(
    _ path: String, boot: String = HostProcess.bootIdentifier, _ work: (FileSystem) throws -> Void
  ) throws -> PowerCut {
    let before = try FolderImage(of: path)
    return PowerCut(before: before, path: path, calls: try CrashHarness().trace(boot: boot, work))
  }

  private func cache(at count: Int) -> DiskCache {
    var cache = marks[count / Self.markDistance]
    for index in (count / Self.markDistance * Self.markDistance)..<count {
      cache.apply(calls[index], root: root, isFailing: failing.contains(index))
    }
    return cache
  }

  /// The number of effects of the first `count` calls that may be lost. `elder` limits it to effects of calls with a
  /// smaller index.
  package func pendingCount(at count: Int, elder: Int = .max) -> Int {
    cache(at: count).pending.count { !$0.isDurable && $0.call < elder }
  }

  /// The folder after a power cut that follows the first `count` calls.
  package func image(at count: Int, keeping keep: Keep) -> FolderImage {
    image(of: cache(at: count), keeping: keep)
  }

  private func image(of cache: DiskCache, keeping keep: Keep) -> FolderImage {
    var choices = keep.choices(cache.pending.count { !$0.isDurable }).makeIterator()
    var disk = cache.disk
    for pending in cache.pending where pending.isDurable || choices.next() == true { disk.apply(pending.effect) }
    return disk.image
  }

  /// The folder after the process ended at a call and the power stayed on.
  package func image(endedAt point: CrashHarness.Point) -> FolderImage {
    var cache = cache(at: point.call)
    switch (point.verdict, calls[point.call]) {
    case (.stopAfter, let call): cache.apply(call, root: root)
    case (.stopWithin(let count), .write(let path, let offset, let bytes)):
      cache.apply(.write(path, offset: offset, bytes: Array(bytes.prefix(count))), root: root)
    default: break
    }
    return image(of: cache, keeping: .everything).withoutUnnamed
  }

  /// Writes ``image(at:keeping:)`` to `path`, where nothing may exist yet.
  package func write(to path: String, at count: Int, keeping keep: Keep) throws {
    try image(at: count, keeping: keep).write(to: path)
  }

  /// The lost effects, one line for each, for messages of tests.
  package func losses(at count: Int, keeping keep: Keep) -> [String] {
    let pending = cache(at: count).pending.filter { !$0.isDurable }
    return zip(pending, keep.choices(pending.count)).filter { !$1 }.map { pending, _ in
      let summary = CrashHarness.summary(calls[pending.call]).replacing(path + "/", with: "")
      let call = "call \(pending.call), \(summary)"
      return switch pending.effect {
      case .data(_, let offset, let bytes): "\(bytes.count) bytes at \(offset) of \(call)"
      case .size(_, let size): "size \(size) of \(call)"
      case .add, .remove, .move: call
      }
    }
  }
}
