import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("Lock files and zones that are replaced while a save waits")
struct LockFileTests {
  let cloud: TemporaryCloud
  let alice: Person
  let zones: Directory
  private let waiting = ThreadCondition(false)

  init() throws {
    let waiting = waiting
    cloud = try TemporaryCloud { settings in
      settings.notice = { _ in waiting.change { $0 = true } }
    }
    alice = Person(cloud, "alice")
    try alice.makeZone()
    try alice.save(alice.note("a", "1"))
    zones = try Directory.open(
      path: "\(cloud.path)/containers/\(TemporaryCloud.container)/development/private/alice/zones", in: FileSystem())
  }

  private typealias Outcome = Result<Record, ServiceError>

  /// Starts a save on its own thread; returns when the save waits for the lock.
  private func startSave(_ name: ExactName) -> ThreadCondition<Outcome?> {
    let outcome = ThreadCondition<Outcome?>(nil)
    let alice = alice
    startThread {
      let result = Result { try alice.save(alice.note(name, "1")) }.mapError(ServiceError.init(describing:))
      outcome.change { $0 = result }
    }
    #expect(waiting.wait(seconds: 60) { $0 ? true : nil } == true)
    return outcome
  }

  private func end(_ save: ThreadCondition<Outcome?>) throws -> Outcome {
    try #require(save.wait(seconds: 60) { $0 })
  }

  /// Locks a file. Another descriptor acts like another process.
  private func lock(_ file: File) throws -> File {
    #expect(try file.tryLock(.exclusive))
    return file
  }

  @Test("a save that waits while its zone is deleted fails with zoneNotFound, and writes nothing into the old folder")
  func saveThatWaitsWhileItsZone() throws {
    let holder = try lock(try zones.directory("Notes").file("lock"))
    let save = startSave("b")
    try zones.rename("Notes", to: zones, as: ".deleted-by-hand")
    let before = try FolderImage(of: zones.path + "/.deleted-by-hand")
    holder.unlock()
    #expect(code { try end(save).get() } == .zoneNotFound)
    #expect(try FolderImage(of: zones.path + "/.deleted-by-hand").differences(from: before) == [])
    #expect(try !zones.exists("Notes"))
  }

  @Test("a save that waits while its zone is deleted and created again does not change the old folder")
  func madeAnew() throws {
    let holder = try lock(try zones.directory("Notes").file("lock"))
    let save = startSave("b")
    try zones.rename("Notes", to: zones, as: ".old")
    let before = try FolderImage(of: zones.path + "/.old")
    try alice.makeZone()
    holder.unlock()
    let outcome = try end(save)
    #expect(try FolderImage(of: zones.path + "/.old").differences(from: before) == [])
    let isThere = (try? alice.fetch("b")) != nil
    switch outcome {
    case .success: #expect(isThere)
    case .failure(let error): #expect(error.code == .zoneNotFound && !isThere)
    }
    #expect(code { try alice.fetch("a") } == .unknownItem)
    try alice.save(alice.note("c"))
  }

  @Test(
    "a save that waits while the lock file is replaced must get the lock of the new file", arguments: [false, true])
  func saveThatWaitsWhileTheLockFile(newIsHeld: Bool) throws {
    let zone = try zones.directory("Notes")
    let old = try lock(try zone.file("lock"))
    let save = startSave("b")
    try zone.writeStaged("lock.new", [])
    let new = try zone.file("lock.new")
    if newIsHeld { _ = try lock(new) }
    try zone.rename("lock.new", to: zone, as: "lock")
    old.unlock()
    if newIsHeld {
      #expect(save.wait(seconds: 0.3) { $0 } == nil, "it got in by the old file's lock")
      new.unlock()
    }
    _ = try end(save).get()
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a save that waits while the lock file is removed fails with its path; repair creates the file")
  func saveThatWaitsWhileTheLockFileIsRemoved() throws {
    let zone = try zones.directory("Notes")
    let old = try lock(try zone.file("lock"))
    let save = startSave("b")
    try zone.remove("lock")
    old.unlock()
    guard case .failure(let error) = try end(save) else {
      Issue.record("it was saved")
      return
    }
    #expect(error.path?.hasSuffix("Notes/lock") == true, "\(error)")
    #expect(try !cloud.service.checks.check().isEmpty)
    #expect(try cloud.service.repairs.repair().left == [])
    try alice.save(alice.note("b", "1"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("16 threads save 15 records each, and every save succeeds")
  func threadsSave15Records() throws {
    let done = ThreadCondition([Int](repeating: 0, count: 16))
    let alice = alice
    for thread in 0..<16 {
      startThread {
        for number in 0..<15 {
          let saved = (try? alice.save(alice.note(ExactName("t\(thread)-\(number)")))) != nil
          done.change { $0[thread] += saved ? 1 : 1000 }
        }
      }
    }
    let counts = done.wait(seconds: 120) { $0.allSatisfy { $0 >= 15 } ? $0 : nil }
    #expect(counts == [Int](repeating: 15, count: 16))
    #expect(try alice.changes(limit: 200).changed.count == 200)
    #expect(try cloud.service.checks.check() == [])
  }
}
