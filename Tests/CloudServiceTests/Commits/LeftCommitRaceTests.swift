import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Unsynced commits beside other processes")
struct LeftCommitRaceTests {
  /// A service for Alice, in the role of another process, with an observer of its calls.
  private struct Process {
    let service: CloudService
    let alice: Person

    init(_ cloud: TemporaryCloud, _ scope: FileSystem.Scope, _ observer: @escaping FileSystem.Observer) throws {
      service = try CloudService.open(
        root: cloud.path, settings: TemporaryCloud.settings(ids: "beside"),
        fileSystem: FileSystem(observing: scope, observer: observer))
      alice = Person(cloud, "alice", by: service)
    }
  }

  private let cloud: TemporaryCloud
  private let alice: Person
  private let names = (0..<80).map { ExactName("old\($0)") }

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    try alice.makeZone()
    for save in try alice.modify(names.map { alice.note($0, "0") }).saves { _ = try save.get() }
    // The batch leaves the journal with less than a page of room.
    try alice.makeRoom()
  }

  private func store(_ service: CloudService) throws -> ZoneStore { try #require(try FaultRunPeople(service).store()) }

  @Test("a large batch does not write to staging files in use by another process: each record has its own content")
  func largeBatch() throws {
    let isWaiting = ThreadCondition(false)
    let batch = try Process(cloud, .allCalls) { call in
      switch call {
      case .write(let path, _, _) where path.hasSuffix("/staged/0"): isWaiting.change { $0 = true }
      case .tryLock(let path) where path.hasSuffix("/.journal/log"): isWaiting.change { $0 = true }
      default: break
      }
      return .proceed
    }
    let outcome = ThreadCondition(Result<[String], any Error>?.none)
    let attempts = Counter()
    let other = try Process(cloud, .changes) { [names] call in
      // The process has staged the unsynced commit, and is about to rename the file.
      guard case .rename(let from, _) = call, from.hasSuffix("/staged/0"), attempts.next() == 1 else { return .proceed }
      startThread {
        let result = Result {
          let saves = names.map { batch.alice.note($0, "batch \($0)") }
          return try batch.alice.modify(saves, policy: .allKeys).saves.map { try $0.get().changeTag }
        }
        outcome.change { $0 = result }
      }
      _ = isWaiting.wait(seconds: 60) { $0 ? true : nil }
      // Leaves time for an error of the batch that has started.
      pause(microseconds: 20_000)
      return .proceed
    }
    try store(other.service).runQueued([{ try other.alice.save(other.alice.note("left", "mine")) }])
    #expect(try alice.storedText(of: "left") == "mine")
    let tags = try #require(outcome.wait(seconds: 60) { $0 }).get()
    #expect(Set(tags).count == names.count)
    #expect(attempts.next() > 1)
    #expect(isWaiting.change { $0 })
    #expect(try alice.storedText(of: "left") == "mine")
    for name in names { #expect(try alice.storedText(of: name) == "batch \(name)") }
    #expect(try cloud.service.checks.check() == [])
  }

  /// A process with read permission only: opening the journal for writing fails, for reading succeeds.
  private func reader(_ locks: ThreadCondition<Int>) throws -> Process {
    let opened = Counter()
    return try Process(cloud, .allCalls) { call in
      switch call {
      case .openFile(let path) where path.hasSuffix("/Notes/.journal/log") && locks.change { $0 } == 0:
        return opened.next() % 2 == 1 ? .fail(SystemError.accessDenied) : .proceed
      case .tryLock(let path) where path.hasSuffix("/Notes/lock"):
        locks.change { $0 += 1 }
      default: break
      }
      return .proceed
    }
  }

  @Test("a read-only process waits for a process with an unsynced commit, and then reads it")
  func readOnlyProcessWaitsForAProcess() throws {
    let locks = ThreadCondition(0)
    let reader = try reader(locks)
    let outcome = ThreadCondition(Result<Int, any Error>?.none)
    try store(cloud.service).runQueued([
      { try alice.save(alice.note("left", "mine")) },
      {
        startThread {
          let result = Result { try reader.alice.changes().changed.count }
          outcome.change { $0 = result }
        }
        // The reader takes the shared lock, finds the files behind the journal, and asks for the exclusive lock.
        _ = locks.wait(seconds: 60) { $0 >= 2 ? true : nil }
        pause(microseconds: 20_000)
      },
    ])
    #expect(try #require(outcome.wait(seconds: 60) { $0 }).get() == names.count + 1)
    #expect(locks.change { $0 } >= 2)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a read-only process after a killed writer gets an error without a long wait")
  func readingAlone() throws {
    let isStopped = Mutex(false)
    let writer = try Process(cloud, .changes) { _ in isStopped.withLock { $0 } ? .stopBefore : .proceed }
    #expect(throws: (any Error).self) {
      try store(writer.service).runQueued([
        { try writer.alice.save(writer.alice.note("left", "mine")) }, { isStopped.withLock { $0 = true } },
      ])
    }
    let locks = ThreadCondition(0)
    let reader = try reader(locks)
    #expect(code { try reader.alice.changes() } == .serverRejectedRequest)
    #expect(locks.change { $0 } >= 2)
    #expect(try alice.changes().changed.count == names.count + 1)
  }

  @Test("a background compaction starts again if another process changed the log before the lock was taken")
  func compactedTwice() throws {
    var settings = cloud.service.settings
    settings.limits.retainedChanges = 20
    settings.limits.compactedAtOnceBytes = 0
    let attempts = Counter()
    let (path, all) = (cloud.path, names)
    let others = Person(cloud, "alice", by: try CloudService.open(root: path, settings: settings))
    @Sendable func rewrite(_ rounds: Int) throws {
      for round in 0..<rounds {
        let saves = all.prefix(8).map { others.note($0, String(repeating: "\(round) ", count: round)) }
        for save in try others.modify(saves, policy: .allKeys).saves { _ = try save.get() }
      }
    }
    try rewrite(40)
    let failure = Mutex<(any Error)?>(nil)
    let fileSystem = FileSystem { call in
      guard case .createFile(let path) = call, path.hasSuffix("/staged/compacting"), attempts.next() == 1 else {
        return .proceed
      }
      do {
        // The log becomes shorter, and then longer than before.
        let store = try FaultRunPeople(others.service).store()
        try store?.folder.compactBesideOthers(LockWaitPolicy())
        try rewrite(60)
      } catch { failure.withLock { $0 = error } }
      return .proceed
    }
    let service = try CloudService.open(root: path, settings: settings, fileSystem: fileSystem)
    try store(service).folder.compactBesideOthers(LockWaitPolicy())
    #expect(failure.withLock { $0 } == nil)
    #expect(attempts.next() > 1)
    #expect(try cloud.service.checks.check() == [])
    #expect(try alice.changes().changed.count == names.count)
  }

  @Test("files of a killed compaction are removed by the next one")
  func filesOfAKilledCompactionAreRemoved() throws {
    let staged = try cloud.zoneFolder().directory(".journal").directory("staged")
    for name in ["compacted-0", "compacted-7", "compacting"] { try staged.writeStaged(name, Array("left".utf8)) }
    var settings = cloud.service.settings
    settings.limits.retainedChanges = 0
    let service = try CloudService.open(root: cloud.path, settings: settings)
    for save in try alice.modify(names.map { alice.note($0, "1") }, policy: .allKeys).saves { _ = try save.get() }
    try store(service).folder.compactBesideOthers(LockWaitPolicy())
    #expect(try staged.entries().map(\.name) == [])
    #expect(try cloud.service.checks.check() == [])
  }
}
