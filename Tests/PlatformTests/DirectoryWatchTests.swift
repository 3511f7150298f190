import FaultInjection
import Foundation
import Testing

@testable import LocalCloudPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite("Watching a folder")
struct DirectoryWatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.open().makeDirectory("inside")
  }

  /// No other object may have the folder open: otherwise the watch learns of the folder's removal late.
  private func watch() throws -> DirectoryWatch { try DirectoryWatch(folder.open().directory("inside")) }

  private func put(_ name: String) throws { try folder.open().directory("inside").writeStaged(name, [1]) }

  @Test("a watch reports files that are created, written, renamed or removed in the folder, and no other event")
  func watchReportsFilesThatAreCreatedWritten() throws {
    let watch = try watch()
    #expect(watch.wait(seconds: 0.01) == .nothing)
    let steps: [() throws -> Void] = [
      { try put("a") }, { try put("a") },
      { try folder.open().directory("inside").rename("a", to: folder.open().directory("inside"), as: "b") },
      { _ = try folder.open().directory("inside").remove("b") },
    ]
    for step in steps {
      try step()
      #expect(watch.wait(seconds: 10) == .changed)
      while watch.wait(seconds: 0.05) == .changed {}
    }
    _ = try folder.open().directory("inside").entries()
    try folder.open().writeStaged("beside", [1])
    #expect(watch.wait(seconds: 0.05) == .nothing)
  }

  @Test("of a parent, a watch reports entries but not what is written to files, also beside a watch of all changes")
  func watchOfAParentReportsEntries() throws {
    let inside = try folder.open().directory("inside")
    try put("a")
    let watch = try DirectoryWatch(WatchedFolders(entriesOf: [inside]))
    try inside.file("a", .readWrite).write([2], at: 1)
    #expect(watch.wait(seconds: 0.05) == .nothing)
    try put("b")
    #expect(watch.wait(seconds: 10) == .changed)
    while watch.wait(seconds: 0.05) == .changed {}
    let all = try DirectoryWatch(inside)
    let entries = try DirectoryWatch(WatchedFolders(entriesOf: [inside]))
    try inside.file("a", .readWrite).write([3], at: 2)
    #expect(all.wait(seconds: 10) == .changed)
    _ = entries
  }

  @Test("a path that leads nowhere yet is watched by its nearest parent, and a folder beside its parent")
  func pathThatLeadsNowhereIsWatched() throws {
    let watched = try WatchedFolders(path: folder.path + "/inside/one/two")
    #expect(watched.folders.isEmpty)
    #expect(watched.parents.count == 1)
    let watch = try DirectoryWatch(watched)
    try folder.open().directory("inside").makeDirectory("one")
    #expect(watch.wait(seconds: 10) == .changed)
    let present = try WatchedFolders(path: folder.path + "/inside")
    #expect(present.folders.count == 1)
    #expect(present.parents.count == 1)
    let both = try DirectoryWatch(present)
    try folder.open().directory("inside").removeDirectory("one")
    #expect(both.wait(seconds: 10) == .changed)
  }

  @Test("events before the wait are not lost, even if the system's queue overflowed")
  func eventsBeforeTheWaitAreNotLost() throws {
    let watch = try watch()
    let inside = try folder.open().directory("inside")
    // Each iteration causes two or three events; the system queues about sixteen thousand.
    for _ in 0..<8000 {
      _ = try inside.createFile("x")
      try inside.remove("x")
    }
    #expect(watch.wait(seconds: 10) == .changed)
    while watch.wait(seconds: 0.05) == .changed {}
    try put("later")
    #expect(watch.wait(seconds: 10) == .changed)
  }

  @Test("a watch reports a removed or moved folder as gone, also after a new folder is made at its path")
  func watchReportsARemovedOrMovedFolder() throws {
    let first = try watch()
    try folder.open().removeDirectory("inside")
    #expect(first.wait(seconds: 10) == .gone)
    try folder.open().makeDirectory("inside")
    #expect(first.wait(seconds: 10) == .gone)
    let second = try watch()
    try folder.open().rename("inside", to: folder.open(), as: "elsewhere")
    #expect(second.wait(seconds: 10) == .gone)
  }

  @Test("a watch on a folder that was removed before reports it as gone immediately")
  func goneBefore() throws {
    let inside = try folder.open().directory("inside")
    try folder.open().removeDirectory("inside")
    #expect(try DirectoryWatch(inside).wait(seconds: 10) == .gone)
  }

  @Test("stop ends the current wait and all later ones")
  func stopEndsTheCurrentWait() throws {
    let watch = try watch()
    let ended = ThreadCondition<DirectoryWatch.Event?>(nil)
    startThread {
      let event = watch.wait()
      ended.change { $0 = event }
    }
    pause(microseconds: 20_000)
    watch.stop()
    #expect(ended.wait(seconds: 10) { $0 } == .stopped)
    try put("a")
    #expect(watch.wait() == .stopped)
  }

  @Test("a signal does not end a wait")
  func signalDoesNotEndAWait() throws {
    let watch = try watch()
    let before = signal(SIGUSR2) { _ in }
    defer { _ = signal(SIGUSR2, before) }
    let waiter = ThreadCondition<pthread_t?>(nil)
    let ended = ThreadCondition<DirectoryWatch.Event?>(nil)
    startThread {
      waiter.change { $0 = pthread_self() }
      let event = watch.wait(seconds: 30)
      ended.change { $0 = event }
    }
    guard let thread = waiter.wait(seconds: 10, { $0 }) else { return }
    for _ in 0..<20 {
      pthread_kill(thread, SIGUSR2)
      pause(microseconds: 2000)
    }
    try put("a")
    #expect(ended.wait(seconds: 10) { $0 } == .changed)
  }

  @Test("all watches of a process share one descriptor, and each watch gets its events")
  func allWatchesOfAProcessShare() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.open()
    let watches = try (0..<1000).map { _ in try DirectoryWatch(directory) }
    #if os(Linux)
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let queues = descriptors.filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == "anon_inode:inotify"
      }
      #expect(queues.count == 1)
    #endif
    _ = try directory.createFile("a")
    #expect(watches.allSatisfy { $0.wait(seconds: 10) == .changed })
    #expect(watches.allSatisfy { $0.wait(seconds: 0) == .nothing })
  }

  @Test("an error for too many watches says so, for every resource that can run out")
  func errorForTooManyWatchesSays() throws {
    let directory = try TemporaryFolder().open()
    // No instance, no descriptor, no watch or no memory is left.
    for code in [EMFILE, ENFILE, ENOSPC, ENOMEM] {
      let error = SystemError.watch(code, directory)
      #expect(error.isOutOfWatches)
      #expect(!error.isNoSpace)
      #expect(error.description.contains("watched folders"))
    }
  }
}
