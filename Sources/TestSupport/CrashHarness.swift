import CloudService
import Platform
import Synchronization

/// Stops a piece of work at each of its calls that change the tree: before the call, after it, and inside each write.
package struct CrashHarness: Sendable {
  package struct Point: Sendable, CustomStringConvertible {
    package var call: Int
    package var verdict: TreeVerdict
    package var text: String

    package var description: String { "\(verdict) call \(call), \(text)" }
  }

  package init() {}

  /// All calls that `work` makes, in order.
  package func trace(_ work: (FileSystem) throws -> Void) rethrows -> [TreeCall] {
    let calls = Mutex<[TreeCall]>([])
    let fileSystem = FileSystem { call in
      calls.withLock { $0.append(call) }
      return .proceed
    }
    try work(fileSystem)
    return calls.withLock { $0 }
  }

  /// Where to stop, given the calls of an undisturbed run.
  package func points(_ calls: [TreeCall]) -> [Point] {
    calls.enumerated().flatMap { place, call in
      var verdicts: [TreeVerdict] = [.stopBefore, .stopAfter]
      if case .write(_, _, let bytes) = call, bytes.count > 1 {
        verdicts += [.stopWithin(1), .stopWithin(bytes.count / 2), .stopWithin(bytes.count - 1)]
      }
      return verdicts.map { Point(call: place, verdict: $0, text: Self.summary(call)) }
    }
  }

  /// Each call once, failing with `code`.
  package func failures(_ calls: [TreeCall], _ code: Int32) -> [Point] {
    calls.enumerated().map { Point(call: $0, verdict: .fail(code), text: Self.summary($1)) }
  }

  /// A file system that gives `verdict` at one call.
  package func fileSystem(stoppingAt point: Point) -> FileSystem {
    let counter = Counter()
    return FileSystem { _ in counter.next() - 1 == Int64(point.call) ? point.verdict : .proceed }
  }

  private static func summary(_ call: TreeCall) -> String {
    switch call {
    case .write(let path, let offset, let bytes): "write \(path) at \(offset), \(bytes.count) bytes"
    case .createFile(let path): "create \(path)"
    case .truncate(let path, let size): "truncate \(path) to \(size)"
    case .rename(let from, let to): "rename \(from) to \(to)"
    case .remove(let path): "remove \(path)"
    case .makeDirectory(let path): "mkdir \(path)"
    case .removeDirectory(let path): "rmdir \(path)"
    case .syncFile(let path): "sync \(path)"
    case .syncDirectory(let path): "sync folder \(path)"
    case .syncFileSystem(let path): "sync all by \(path)"
    }
  }
}
