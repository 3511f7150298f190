import Platform
import Synchronization
import TestSupport
import Testing

@testable import CloudStore

@Suite("The lock: readers, writers, waiting, giving up")
struct FairLockTests {
  let path = TemporaryCloud.newFolder("lock")
  let directory: Directory
  let lock: FairLock

  init() throws {
    try Directory.make(path: path, in: FileSystem())
    directory = try Directory.open(path: path, in: FileSystem())
    for name in ["lock", "gate"] { try directory.writeStaged(name, []) }
    lock = FairLock(directory, "lock", gate: (directory, "gate"))
  }

  @Test("readers share, a writer is alone; who gives up is told who holds it, and lets it go when it comes")
  func sharing() throws {
    let first = try lock.acquire(.shared, LockPatience(seconds: 0))
    let second = try lock.acquire(.shared, LockPatience(seconds: 0))
    try directory.writeStaged("lock", LockNote(account: "alice", command: "test", process: 7, since: "now").bytes)
    let notices = Mutex<[String]>([])
    #expect(throws: StoreError.self) {
      try lock.acquire(.exclusive, LockPatience(seconds: 0.6, notice: { text in notices.withLock { $0.append(text) } }))
    }
    #expect(notices.withLock { $0.count } == 1)
    #expect(notices.withLock { $0[0].contains("test (alice, process 7, since now)") })
    first.release()
    second.release()
    let writer = try lock.acquire(.exclusive, LockPatience(seconds: 10))
    #expect(throws: StoreError.self) { try lock.acquire(.shared, LockPatience(seconds: 0.05)) }
    writer.release()
    try lock.acquire(.shared, LockPatience(seconds: 10)).release()
    try TemporaryCloud.remove(path)
  }

  @Test("a writer gets its turn among readers that never stop, and all of many threads get theirs")
  func fairness() throws {
    let stop = Atomic<Bool>(false)
    let readers = Counter()
    for _ in 0..<4 {
      startThread { [lock] in
        while !stop.load(ordering: .relaxed) {
          guard let held = try? lock.acquire(.shared, LockPatience(seconds: 30)) else { return }
          pause(microseconds: 300)
          held.release()
          _ = readers.next()
        }
      }
    }
    let value = Mutex(0)
    let done = Condition(0)
    for _ in 0..<8 {
      startThread { [lock] in
        for _ in 0..<10 {
          guard let held = try? lock.acquire(.exclusive, LockPatience(seconds: 60)) else { break }
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
    try? TemporaryCloud.remove(path)
  }
}
