import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("The lock between processes for readers and writers")
struct FairLockTests {
  let folder: TemporaryFolder
  let directory: Directory
  let lock: FairLock

  init() throws {
    folder = try TemporaryFolder("lock")
    directory = folder.directory
    for name in ["lock", "gate"] { try directory.writeStaged(name, []) }
    lock = FairLock(directory, "lock", gate: (directory, "gate"))
  }

  @Test("readers share the lock, a writer excludes all others, and a timeout names the holder and leaves no lock")
  func readersShareTheLockAWriterExcludes() throws {
    let first = try lock.acquire(.shared, LockWaitPolicy(seconds: 0))
    let second = try lock.acquire(.shared, LockWaitPolicy(seconds: 0))
    try directory.writeStaged("lock", LockHolder(account: "alice", command: "test", process: 7, since: "now").bytes)
    let notices = Mutex<[String]>([])
    #expect(throws: StorageError.self) {
      try lock.acquire(
        .exclusive, LockWaitPolicy(seconds: 0.6, notice: { text in notices.withLock { $0.append(text) } }))
    }
    #expect(notices.withLock { $0.count } == 1)
    #expect(notices.withLock { $0.first?.contains("test (alice, process 7, since now)") } == true)
    first.release()
    second.release()
    let writer = try lock.acquire(.exclusive, LockWaitPolicy(seconds: 10))
    #expect(throws: StorageError.self) { try lock.acquire(.shared, LockWaitPolicy(seconds: 0.05)) }
    writer.release()
    try lock.acquire(.shared, LockWaitPolicy(seconds: 10)).release()
  }

  /// In a process of its own: a process that is short of descriptors closes the cached file.
  @Test("a lock file that was replaced locks nothing, and an instance that opened it before uses the new file")
  func lockFileThatWasReplacedLocksNothing() async {
    await #expect(processExitsWith: .success) {
      let tests = try FairLockTests()
      let (lock, directory) = (tests.lock, tests.directory)
      let before = try lock.acquire(.exclusive, LockWaitPolicy(seconds: 1))
      let old = before.file
      before.release()
      // The open file is cached from one holder to the next.
      let next = try lock.acquire(.exclusive, LockWaitPolicy(seconds: 1))
      #expect(next.file === old)
      next.release()
      for name in ["lock", "gate"] {
        try directory.writeStaged("new", [])
        try directory.rename("new", to: directory, as: name)
      }
      let other = FairLock(directory, "lock", gate: (directory, "gate"))
      let held = try other.acquire(.exclusive, LockWaitPolicy(seconds: 1))
      // A caller without waiting time leaves no thread that takes the lock after its release.
      #expect(throws: StorageError.self) { try lock.acquire(.exclusive, LockWaitPolicy(seconds: 0)) }
      #expect(try lock.acquireIfFree() == nil)
      held.release()
      let waiter = try #require(try lock.acquireIfFree())
      #expect(waiter.file !== old)
      #expect(try other.acquireIfFree() == nil)
      waiter.release()
    }
  }

  /// In a process of its own: a process that is short of descriptors closes the cached file.
  @Test("each of several concurrent holders has an open file of its own")
  func eachOfSeveralConcurrentHolders() async {
    await #expect(processExitsWith: .success) {
      let tests = try FairLockTests()
      let lock = tests.lock
      let waitPolicy = LockWaitPolicy(seconds: 1)
      let readers = try (0..<3).map { _ in try lock.acquire(.shared, waitPolicy) }
      #expect(Set(readers.map { ObjectIdentifier($0.file) }).count == 3)
      readers[0].release()
      // The released file locks nothing any more, and a locked file is not reused.
      let next = try lock.acquire(.shared, waitPolicy)
      #expect(next.file === readers[0].file)
      #expect(throws: StorageError.self) { try lock.acquire(.exclusive, LockWaitPolicy(seconds: 0.05)) }
      for held in readers + [next] { held.release() }
      try lock.acquire(.exclusive, waitPolicy).release()
    }
  }

  @Test("a writer gets the lock among readers that never stop, and all of many writers get it")
  func writerGetsTheLockAmongReaders() throws {
    let stop = Atomic<Bool>(false)
    let readers = Counter()
    for _ in 0..<4 {
      startThread { [lock] in
        while !stop.load(ordering: .relaxed) {
          guard let held = try? lock.acquire(.shared, LockWaitPolicy(seconds: 30)) else { return }
          pause(microseconds: 300)
          held.release()
          _ = readers.next()
        }
      }
    }
    let value = Mutex(0)
    let done = ThreadCondition(0)
    for _ in 0..<8 {
      startThread { [lock] in
        for _ in 0..<10 {
          guard let held = try? lock.acquire(.exclusive, LockWaitPolicy(seconds: 60)) else { break }
          let before = value.withLock { $0 }
          pause(microseconds: 100)
          value.withLock { $0 = before + 1 }
          held.release()
        }
        done.change { $0 += 1 }
      }
    }
    #expect(done.wait(seconds: 120) { $0 == 8 ? true : nil } == true)
    stop.store(true, ordering: .relaxed)
    #expect(value.withLock { $0 } == 80)
    #expect(readers.next() > 10)
    pause(microseconds: 50_000)
  }
}
