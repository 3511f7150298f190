import Platform

/// Makes folders as a power cut may leave them, from a folder that was durable and the calls that changed it.
///
/// What no sync made durable is kept or lost piece by piece: each block of a write, each change of a size, each new name,
/// removal and rename. A rename is atomic. What is kept in a folder that is lost is lost with it. Lost data inside a
/// file's size reads as zeros. The folder itself is always there.
///
/// A call is followed by the path that it names: an open file that was renamed or removed is still known by its old
/// path, until something else has that name.
package struct PowerCut: Sendable {
  package let calls: [FileSystemCall]
  private let path: String
  private let root: DiskPath
  private let failing: Set<Int>
  /// The state after each so many calls, so that none is far.
  private let marks: [DiskCache]
  private static let markDistance = 64

  /// `before` is the folder as it was; the calls name it `path`, and all of them change the tree. `failing`: which of them
  /// failed.
  package init(before: FolderImage, path: String, calls: [FileSystemCall], failing: Set<Int> = []) {
    self.calls = calls
    self.failing = failing
    self.path = path
    root = DiskPath(root: path)
    var cache = DiskCache(before)
    var marks: [DiskCache] = [cache]
    for (place, call) in self.calls.enumerated() {
      cache.follow(call, root: root, isFailing: failing.contains(place))
      if (place + 1) % Self.markDistance == 0 { marks.append(cache) }
    }
    self.marks = marks
  }

  /// A copy of the folder is at `before`.
  package init(before: String, path: String, calls: [FileSystemCall]) throws {
    self.init(before: try FolderImage(of: before), path: path, calls: calls)
  }

  /// Does the work in the folder, and notes its calls.
  package static func recording(
    _ path: String, boot: String = HostProcess.bootIdentifier, _ work: (FileSystem) throws -> Void
  ) throws -> PowerCut {
    let before = try FolderImage(of: path)
    return PowerCut(before: before, path: path, calls: try CrashHarness().trace(boot: boot, work))
  }

  private func cache(at count: Int) -> DiskCache {
    var cache = marks[count / Self.markDistance]
    for place in (count / Self.markDistance * Self.markDistance)..<count {
      cache.follow(calls[place], root: root, isFailing: failing.contains(place))
    }
    return cache
  }

  /// How many effects of the first `count` calls may be lost; `elder`: that were there after so many calls.
  package func pendingCount(at count: Int, elder: Int = .max) -> Int {
    cache(at: count).pending.count { !$0.isDurable && $0.call < elder }
  }

  /// The folder after a power cut when the first `count` calls were done.
  package func image(at count: Int, keeping keep: Keep) -> FolderImage {
    image(of: cache(at: count), keeping: keep)
  }

  private func image(of cache: DiskCache, keeping keep: Keep) -> FolderImage {
    var choices = keep.choices(cache.pending.count { !$0.isDurable }).makeIterator()
    var disk = cache.disk
    for pending in cache.pending where pending.isDurable || choices.next() == true { disk.apply(pending.effect) }
    return disk.image
  }

  /// The folder after the process ended at a call, and the power stayed.
  package func image(endedAt point: CrashHarness.Point) -> FolderImage {
    var cache = cache(at: point.call)
    switch (point.verdict, calls[point.call]) {
    case (.stopAfter, let call): cache.follow(call, root: root)
    case (.stopWithin(let count), .write(let path, let offset, let bytes)):
      cache.follow(.write(path, offset: offset, bytes: Array(bytes.prefix(count))), root: root)
    default: break
    }
    return image(of: cache, keeping: .everything).withoutUnnamed
  }

  /// Makes that folder at `path`, where nothing is yet.
  package func write(to path: String, at count: Int, keeping keep: Keep) throws {
    try image(at: count, keeping: keep).write(to: path)
  }

  /// What is lost then, a line for each effect; for messages of tests.
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
