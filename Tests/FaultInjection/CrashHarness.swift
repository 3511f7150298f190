import LocalCloudPlatform
import Synchronization

/// Interrupts a piece of work at each call that changes the tree: before the call, after it, and inside each write. It
/// can also make each call fail, including those that only read.
package struct CrashHarness: Sendable {
  package struct Point: Sendable, CustomStringConvertible {
    /// The index of the call among the calls of `scope`.
    package var call: Int
    package var scope = FileSystem.Scope.changes
    package var verdict: InjectedFault
    package var text: String

    package var description: String { "\(verdict) call \(call), \(text)" }
  }

  package init() {}

  /// Runs `work` and returns its calls in order: those that change the tree, or with `allCalls` all of them.
  package func trace(
    allCalls: Bool = false, boot: String = HostProcess.bootIdentifier, _ work: (FileSystem) throws -> Void
  ) rethrows -> [FileSystemCall] {
    let calls = Mutex<[FileSystemCall]>([])
    let fileSystem = FileSystem(bootIdentifier: boot, observing: allCalls ? .allCalls : .changes) { call in
      calls.withLock { $0.append(call) }
      return .proceed
    }
    try work(fileSystem)
    return calls.withLock { $0 }
  }

  /// The points at which to stop, given the calls of an undisturbed run. If not `thoroughly`, only the last call is
  /// stopped after (after any other call equals before the next one), and each write is stopped at one position.
  package func points(_ calls: [FileSystemCall], thoroughly: Bool = true) -> [Point] {
    let calls = calls.filter(\.changesTree)
    return calls.enumerated().flatMap { index, call in
      var verdicts: [InjectedFault] = [.stopBefore]
      if thoroughly || index == calls.count - 1 { verdicts.append(.stopAfter) }
      if case .write(_, _, let bytes) = call, bytes.count > 1 {
        verdicts.append(.stopWithin(bytes.count / 2))
        if thoroughly { verdicts += [.stopWithin(1), .stopWithin(bytes.count - 1)] }
      }
      return verdicts.map { Point(call: index, verdict: $0, text: Self.summary(call)) }
    }
  }

  /// One point for each call. The call fails with `code`. With `allCalls`, `calls` is the trace of all calls.
  package func failures(_ calls: [FileSystemCall], _ code: Int32, allCalls: Bool = false) -> [Point] {
    faults(calls, .fail(code), allCalls: allCalls) { allCalls || $0.changesTree }
  }

  /// One point with `verdict` for each call that is `chosen`. With `allCalls`, `calls` is the trace of all calls.
  package func faults(
    _ calls: [FileSystemCall], _ verdict: InjectedFault, allCalls: Bool = false, where chosen: (FileSystemCall) -> Bool
  ) -> [Point] {
    let scope: FileSystem.Scope = allCalls ? .allCalls : .changes
    return calls.filter { allCalls || $0.changesTree }.enumerated().filter { chosen($1) }.map {
      Point(call: $0, scope: scope, verdict: verdict, text: Self.summary($1))
    }
  }

  /// A file system that injects the point's verdict at its call and lets all other calls proceed.
  package func fileSystem(stoppingAt point: Point) -> FileSystem {
    let counter = Counter()
    return FileSystem(observing: point.scope) { _ in
      counter.next() - 1 == Int64(point.call) ? point.verdict : .proceed
    }
  }

  package static func summary(_ call: FileSystemCall) -> String {
    switch call {
    case .write(let path, let offset, let bytes): "write \(path) at \(offset), \(bytes.count) bytes"
    case .createFile(let path): "create \(path)"
    case .truncate(let path, let size): "truncate \(path) to \(size)"
    case .rename(let from, let to): "rename \(from) to \(to)"
    case .duplicate(let from, let to): "duplicate \(from) as \(to)"
    case .remove(let path): "remove \(path)"
    case .makeDirectory(let path): "mkdir \(path)"
    case .removeDirectory(let path): "rmdir \(path)"
    case .setPermissions(let path, let mode): "chmod \(path) to \(String(mode, radix: 8))"
    case .syncFile(let path): "sync \(path)"
    case .syncDirectory(let path): "sync folder \(path)"
    case .syncFileSystem(let path): "sync all by \(path)"
    case .openFile(let path): "open \(path)"
    case .openDirectory(let path): "open folder \(path)"
    case .read(let path, let offset, let count): "read \(path) at \(offset), \(count) bytes"
    case .list(let path): "list \(path)"
    case .status(let path): "status of \(path)"
    case .tryLock(let path): "try lock \(path)"
    case .waitForLock(let path): "wait for lock \(path)"
    }
  }
}
