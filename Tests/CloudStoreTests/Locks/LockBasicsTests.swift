import FaultInjection
import LocalCloudPlatform
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudStorage

@Suite("Lock holders, notices, waiting callers and the lock of the whole cloud")
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

  /// Expects that the lock is busy. With a waiting time of 0 no thread is left waiting.
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
      #expect(path == directory.path(of: "lock"), sourceLocation: location)
      #expect(waited == seconds, sourceLocation: location)
      if let notice { #expect(notices.withLock { $0 } == [notice], sourceLocation: location) }
    } catch {
      Issue.record("another error: \(error)", sourceLocation: location)
    }
  }

  @Test("the note of a lock's holder can be read again, and its length is a multiple of the block size")
  func noteOfALocksHolder() throws {
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
      #expect(bytes.count % 256 == 0)
      #expect(bytes.last == 0x0A)
      #expect(LockHolder(bytes: bytes) == note)
      #expect(bytes.count - (bytes.lastIndex { $0 != 0x0A } ?? 0) <= 257)
    }
    for text in [
      "", "\n\n", "[]", #"{"command":"c","process":1}"#, #"{"command":"c","since":""}"#, #"{"process":1,"since":""}"#,
    ] { #expect(LockHolder(bytes: Array(text.utf8)) == nil, "\(text)") }
    #expect((30 as Double).secondsText == "30")
    #expect(0.5.secondsText == "0.5")
    #expect((-2 as Double).secondsText == "-2")
  }

  @Test("a waiting caller gets one notice, and only if it asks for notices")
  func waitingCallerGetsOneNotice() throws {
    let texts = Mutex<[String]>([])
    var waitPolicy = LockWaitPolicy(seconds: 3000, notice: { text in texts.withLock { $0.append(text) } })
    #expect(LockWait(waitPolicy).untilNotice <= 0.2)
    waitPolicy.noticeAfter = 2000
    let wait = LockWait(waitPolicy)
    #expect(wait.untilNotice <= 1500)
    #expect(wait.untilNotice > 500)
    #expect(wait.remaining <= 3000)
    #expect(wait.remaining > 2000)
    for _ in 0..<2 { wait.giveNotice("save (process 7)", "/p") }
    #expect(texts.withLock { $0 } == ["waiting up to 3000 s for save (process 7), which holds /p"])
    #expect(wait.untilNotice == .infinity)
    #expect(LockWait(LockWaitPolicy(seconds: 30)).untilNotice == .infinity)
    let brief = LockWait(LockWaitPolicy(seconds: 0.1, notice: { _ in }))
    #expect(brief.untilNotice <= 0.05)
    pause(microseconds: 110_000)
    #expect(brief.untilNotice == 0)
    #expect(brief.remaining <= 0)
  }

  @Test("a lock is awaited while another caller or process waits for its holder")
  func lockIsAwaitedWhileAnotherCaller() throws {
    let lock = fairLock()
    #expect(!lock.isAwaited())
    for waiting in [lock, fairLock()] {
      let held = try lock.acquire(.exclusive, LockWaitPolicy(seconds: 10))
      #expect(!lock.isAwaited())
      let done = ThreadCondition<Bool?>(nil)
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

  @Test("a lock can be released once, and is also released with its last reference")
  func lockCanBeReleasedOnce() throws {
    var held: HeldLock? = try fairLock().acquire(.exclusive, LockWaitPolicy(seconds: 1))
    expectBusy { try fairLock().acquire(.exclusive, $0) }
    #expect(try fairLock().acquireIfFree() == nil)
    held = nil
    held = try fairLock().acquireIfFree()
    held?.release()
    held?.release()
    let other = try fairLock().acquire(.exclusive, LockWaitPolicy(seconds: 1))
    // A second release does not release the lock of the next holder.
    held?.release()
    #expect(try fairLock().acquireIfFree() == nil)
    other.release()
  }

  @Test("acquireMakingFile creates a missing lock file, and acquire does not")
  func acquireMakingFileCreatesAMissingLockFile() throws {
    let held = try FairLock(directory, "new").acquireMakingFile(LockWaitPolicy(seconds: 1))
    #expect(try directory.exists("new") && directory.contents("new") == [])
    try held.file.write([1], at: 0)
    held.release()
    #expect(throws: SystemError.self) {
      try FairLock(directory, "other").acquire(.exclusive, LockWaitPolicy(seconds: 1))
    }
    #expect(try !directory.exists("other"))
  }

  @Test("the cloud's lock can be held shared or exclusively, and its holder can acquire it again")
  func wholeCloud() throws {
    let (first, second) = (rootLock(), rootLock())
    #expect(!first.isHeld)
    try first.withShared(LockWaitPolicy()) {
      #expect(first.isHeld)
      #expect(!second.isHeld)
      try second.withShared(LockWaitPolicy(seconds: 1)) {}
      // The holder does not request the lock again, although another instance waits for exclusive access.
      expectBusy { try second.withExclusive($0) {} }
      try first.withShared(LockWaitPolicy(seconds: 0)) { #expect(first.isHeld) }
      expectBusy { try second.withExclusive($0) {} }
    }
    let answer = try second.withExclusive(LockWaitPolicy(seconds: 1)) {
      #expect(second.isHeld)
      #expect(!first.isHeld)
      let notice = "waiting up to 1 s for another process, which holds \(directory.path(of: "lock"))"
      expectBusy(for: 1, notice: notice) { try first.withShared($0) {} }
      expectBusy { try first.withExclusive($0) {} }
      return try second.withShared(LockWaitPolicy(seconds: 0)) { 7 }
    }
    #expect(answer == 7)
    #expect(!second.isHeld)
    try first.withShared(LockWaitPolicy(seconds: 1)) {}
    try first.withExclusive(LockWaitPolicy(seconds: 1)) {}
  }

  @Test("the last of several threads that share the cloud's lock releases it")
  func lastOfSeveralThreadsThatShare() throws {
    let (first, second) = (rootLock(), rootLock())
    try first.withShared(LockWaitPolicy()) {
      let done = ThreadCondition(false)
      startThread {
        _ = try? first.withShared(LockWaitPolicy()) {}
        done.change { $0 = true }
      }
      #expect(done.wait(seconds: 60) { $0 ? true : nil } == true)
      expectBusy { try second.withExclusive($0) {} }
    }
    try second.withExclusive(LockWaitPolicy(seconds: 1)) {}
  }

  @Test("an error in the body releases the cloud's lock, and missing lock files are created")
  func errorInTheBodyReleasesTheClouds() throws {
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
