import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudStorage
@testable import LocalCloudStore

@Suite("Locks: notes, notices, who is awaited, and the lock of the whole cloud")
struct LockBasicsTests {
  let folder: TemporaryFolder
  let directory: Directory

  init() throws {
    folder = try TemporaryFolder("lock-basics")
    directory = folder.directory
    for name in ["lock", "gate"] { try directory.writeStaged(name, []) }
  }

  private func fairLock() -> FairLock { FairLock(directory, "lock", gate: (directory, "gate")) }

  private func rootLock() -> RootLock { RootLock(directory, "lock", gate: "gate") }

  /// With a waiting time of 0 no thread is left waiting.
  private func expectBusy<Result>(
    for seconds: Double = 0, notice: String? = nil, at location: SourceLocation = #_sourceLocation,
    _ body: (LockWaitPolicy) throws -> Result
  ) {
    let notices = Mutex<[String]>([])
    let waitPolicy = LockWaitPolicy(seconds: seconds, notice: { text in notices.withLock { $0.append(text) } })
    do {
      _ = try body(waitPolicy)
      Issue.record("it was free", sourceLocation: location)
    } catch StorageError.busy(let path, _, let waited) {
      #expect(path == directory.path(of: "lock") && waited == seconds, sourceLocation: location)
      if let notice { #expect(notices.withLock { $0 } == [notice], sourceLocation: location) }
    } catch {
      Issue.record("another error: \(error)", sourceLocation: location)
    }
  }

  @Test("notes say who has the lock; they are read again, and have a length of so many blocks")
  func notes() throws {
    let notes = [
      (LockHolder(account: "alice", command: "save", process: 7, since: "now"), "save (alice, process 7, since now)"),
      (LockHolder(account: nil, command: "save", process: 7, since: "now"), "save (process 7, since now)"),
      (LockHolder(account: "alice", command: "save", process: 7), "save (alice, process 7)"),
      (LockHolder(account: nil, command: "", process: -1), " (process -1)"),
    ]
    for (note, text) in notes {
      #expect(note.text == text)
      #expect(LockHolder(bytes: note.bytes) == note)
    }
    for length in 0..<600 {
      let note = LockHolder(account: nil, command: String(repeating: "c", count: length), process: 1)
      let bytes = note.bytes
      #expect(bytes.count % 256 == 0 && bytes.last == 0x0A && LockHolder(bytes: bytes) == note)
      #expect(bytes.count - (bytes.lastIndex { $0 != 0x0A } ?? 0) <= 257)
    }
    for text in [
      "", "\n\n", "[]", #"{"command":"c","process":1}"#, #"{"command":"c","since":""}"#, #"{"process":1,"since":""}"#,
    ] { #expect(LockHolder(bytes: Array(text.utf8)) == nil, "\(text)") }
    #expect((30 as Double).secondsText == "30" && 0.5.secondsText == "0.5" && (-2 as Double).secondsText == "-2")
  }

  @Test("a notice comes once, and only where somebody wants to hear of it")
  func notices() throws {
    let texts = Mutex<[String]>([])
    var waitPolicy = LockWaitPolicy(seconds: 3000, notice: { text in texts.withLock { $0.append(text) } })
    #expect(LockWait(waitPolicy).untilNotice <= 0.2)
    waitPolicy.noticeAfter = 2000
    let wait = LockWait(waitPolicy)
    #expect(wait.untilNotice <= 1500 && wait.untilNotice > 500 && wait.remaining <= 3000 && wait.remaining > 2000)
    for _ in 0..<2 { wait.giveNotice("save (process 7)", "/p") }
    #expect(texts.withLock { $0 } == ["waiting up to 3000 s for save (process 7), which holds /p"])
    #expect(wait.untilNotice == .infinity)
    #expect(LockWait(LockWaitPolicy(seconds: 30)).untilNotice == .infinity)
    let brief = LockWait(LockWaitPolicy(seconds: 0.1, notice: { _ in }))
    #expect(brief.untilNotice <= 0.05)
    pause(microseconds: 110_000)
    #expect(brief.untilNotice == 0 && brief.remaining <= 0)
  }

  @Test("a lock is awaited as long as another caller, or another process, wants what somebody has")
  func awaited() throws {
    let lock = fairLock()
    #expect(!lock.isAwaited())
    for waiting in [lock, fairLock()] {
      let held = try lock.acquire(.exclusive, LockWaitPolicy(seconds: 10))
      #expect(!lock.isAwaited())
      let done = Condition<Bool?>(nil)
      startThread {
        let isHeld = (try? waiting.acquire(.exclusive, LockWaitPolicy(seconds: 60)).release()) != nil
        done.change { $0 = isHeld }
      }
      var isAwaited = false
      for _ in 0..<4000 where !isAwaited {
        pause(microseconds: 5000)
        isAwaited = lock.isAwaited()
      }
      #expect(isAwaited)
      held.release()
      #expect(done.wait(seconds: 60) { $0 } == true)
      #expect(!lock.isAwaited())
    }
    #expect(!FairLock(directory, "lock").isAwaited())
  }

  @Test("a lock that is given back is free, once; one whose last reference goes is, too")
  func given() throws {
    var held: HeldLock? = try fairLock().acquire(.exclusive, LockWaitPolicy(seconds: 1))
    expectBusy { try fairLock().acquire(.exclusive, $0) }
    #expect(try fairLock().acquireIfFree() == nil)
    held = nil
    held = try fairLock().acquireIfFree()
    held?.release()
    held?.release()
    let other = try fairLock().acquire(.exclusive, LockWaitPolicy(seconds: 1))
    // Who has given it back once takes nothing away from the next one.
    held?.release()
    #expect(try fairLock().acquireIfFree() == nil)
    other.release()
  }

  @Test("a log that is locked by itself is made where there is none; any other is not")
  func making() throws {
    let held = try FairLock(directory, "new").acquireMakingFile(LockWaitPolicy(seconds: 1))
    #expect(try directory.exists("new") && directory.contents("new") == [])
    try held.file.write([1], at: 0)
    held.release()
    #expect(throws: SystemError.self) {
      try FairLock(directory, "other").acquire(.exclusive, LockWaitPolicy(seconds: 1))
    }
    #expect(try !directory.exists("other"))
  }

  @Test("the cloud's lock: together with others, or alone, and both again by who has it already")
  func wholeCloud() throws {
    let (first, second) = (rootLock(), rootLock())
    #expect(!first.isHeld)
    try first.withShared(LockWaitPolicy()) {
      #expect(first.isHeld && !second.isHeld)
      try second.withShared(LockWaitPolicy(seconds: 1)) {}
      // Who has it does not ask again, though somebody wants it alone.
      expectBusy { try second.withExclusive($0) {} }
      try first.withShared(LockWaitPolicy(seconds: 0)) { #expect(first.isHeld) }
      expectBusy { try second.withExclusive($0) {} }
    }
    let answer = try second.withExclusive(LockWaitPolicy(seconds: 1)) {
      #expect(second.isHeld && !first.isHeld)
      let notice = "waiting up to 1 s for another process, which holds \(directory.path(of: "lock"))"
      expectBusy(for: 1, notice: notice) { try first.withShared($0) {} }
      expectBusy { try first.withExclusive($0) {} }
      return try second.withShared(LockWaitPolicy(seconds: 0)) { 7 }
    }
    #expect(answer == 7 && !second.isHeld)
    try first.withShared(LockWaitPolicy(seconds: 1)) {}
    try first.withExclusive(LockWaitPolicy(seconds: 1)) {}
  }

  @Test("of several threads that have it together, the last one gives it back")
  func threads() throws {
    let (first, second) = (rootLock(), rootLock())
    try first.withShared(LockWaitPolicy()) {
      let done = Condition(false)
      startThread {
        _ = try? first.withShared(LockWaitPolicy()) {}
        done.change { $0 = true }
      }
      #expect(done.wait(seconds: 60) { $0 ? true : nil } == true)
      expectBusy { try second.withExclusive($0) {} }
    }
    try second.withExclusive(LockWaitPolicy(seconds: 1)) {}
  }

  @Test("a failure within leaves the cloud's lock free, and files that are missing are made")
  func failing() throws {
    struct Failure: Error {}
    for name in ["lock", "gate"] { try directory.remove(name) }
    let (first, second) = (rootLock(), rootLock())
    #expect(throws: Failure.self) { try first.withShared(LockWaitPolicy()) { throw Failure() } }
    #expect(try directory.exists("lock") && directory.exists("gate") && !first.isHeld)
    #expect(throws: Failure.self) { try second.withExclusive(LockWaitPolicy(seconds: 1)) { throw Failure() } }
    for name in ["lock", "gate"] { try directory.remove(name) }
    try rootLock().withExclusive(LockWaitPolicy(seconds: 1)) {}
    #expect(try directory.exists("lock") && directory.exists("gate") && !second.isHeld)
  }
}
