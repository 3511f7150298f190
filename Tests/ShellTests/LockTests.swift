import LocalCloudPlatform
import LocalCloudStorage
import TestSupport
import Testing

/// Real processes that wait for a real process's lock.
@Suite("Locks between processes", .serialized, .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct LockTests {
  let held: HeldLock

  init() throws { held = try HeldLock() }

  private func expectWell() throws {
    let check = try held.start("check", "--quiet")
    #expect(check.wait() == 0, "\(check.output)\(check.errors)")
    #expect(try held.note.allSatisfy(\.isNewline))
  }

  @Test("the lock file names its holder while it is held, and is blank afterwards")
  func lockFileNamesItsHolder() throws {
    let holder = try #require(try held.holder())
    let note = try held.note
    for part in ["\"account\":\"alice\"", "record save", "\"process\":\(holder.identifier)", "\"since\":\"20"] {
      #expect(note.contains(part), "\(note)")
    }
    held.release()
    #expect(holder.wait() == 0)
    try expectWell()
  }

  @Test(
    "a process that waits for a stopped one prints that once, gives up after the limit, and succeeds once it continues")
  func processThatWaitsForAStopped() throws {
    let holder = try #require(try held.holder())
    holder.signal(.stop)
    held.release()
    let waiter = try held.save("one", timeout: "0.5")
    #expect(waiter.wait() == 11)
    let lines = waiter.errors.split(separator: "\n")
    #expect(lines.filter { $0.contains("waiting up to 0.5 s for") }.count == 1)
    #expect(waiter.errors.contains("Gave up after 0.5 s of waiting for"))
    #expect(waiter.errors.contains("(alice, process \(holder.identifier), since 20"), "\(waiter.errors)")
    let patient = try held.save("two")
    #expect(held.isWaiting(patient))
    holder.signal(.continue)
    #expect(holder.wait() == 0)
    #expect(patient.wait() == 0, "\(patient.errors)")
    try expectWell()
  }

  @Test("the lock of a killed process is free immediately, and the text in its file blocks no other process")
  func lockOfAKilledProcessIsFree() throws {
    let holder = try #require(try held.holder())
    let waiter = try held.save("one")
    #expect(held.isWaiting(waiter))
    holder.kill()
    #expect(holder.wait() == 128 + 9)
    held.release()
    #expect(waiter.wait() == 0, "\(waiter.errors)")
    let next = try held.save("two", timeout: "0")
    #expect(next.wait() == 0, "\(next.errors)")
    try expectWell()
  }

  @Test("a waiting process that is killed or gives up does not block other processes")
  func waitingProcessThatIsKilledOrGives() throws {
    let holder = try #require(try held.holder())
    let waiters = try (0..<3).map { try held.save("w\($0)") }
    for waiter in waiters { #expect(held.isWaiting(waiter)) }
    waiters[0].kill()
    #expect(waiters[0].wait() == 128 + 9)
    let brief = try held.save("brief", timeout: "0.2")
    #expect(brief.wait() == 11)
    held.release()
    #expect(holder.wait() == 0)
    for waiter in waiters.dropFirst() { #expect(waiter.wait() == 0, "\(waiter.errors)") }
    try expectWell()
  }

  @Test("processes that wait while another one deletes the zone report that the zone does not exist")
  func processesThatWaitWhileAnotherOneDeletes() throws {
    let holder = try #require(try held.holder())
    let deletion = try held.start("zone", "delete", "Z", "--yes")
    #expect(held.isWaiting(deletion))
    let waiter = try held.save("late")
    #expect(held.isWaiting(waiter))
    held.release()
    #expect(holder.wait() == 0)
    #expect(deletion.wait() == 0, "\(deletion.errors)")
    // The kernel decides the order. In either case the zone is deleted, and the save has not created it again.
    let status = waiter.wait()
    #expect(status == 0 || status == 13, "\(waiter.errors)")
    if status == 13 { #expect(waiter.errors.contains("zoneNotFound") || waiter.errors.contains("does not exist")) }
    #expect(try !held.database.directory("zones").exists("Z"))
    let check = try held.start("check", "--quiet")
    #expect(check.wait() == 0, "\(check.output)")
  }
}
