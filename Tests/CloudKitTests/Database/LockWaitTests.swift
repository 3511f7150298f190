import CloudKit
import Foundation
import LocalCloud
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Waiting for a lock blocks no thread of the task pool")
struct LockWaitTests {
  let cloud: TestCloud

  init() async throws {
    cloud = try TestCloud()
    try await cloud.acting(as: "alice") { container in
      _ = try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
    }
  }

  @Test("300 saves wait for another process while 1000 other tasks run, and succeed when the lock is released")
  func savesWaitForAnotherProcessWhile1000() async throws {
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let database = try cloud.container(of: "alice").privateCloudDatabase
    let done = ThreadCondition(0)
    let saves = (0..<300).map { number in
      Task {
        // On a busy machine the tasks may need longer than the lock timeout.
        while true {
          do {
            _ = try await database.save(note("n\(number)"))
            break
          } catch let error as CKError where error.code == .zoneBusy {}
        }
        done.change { $0 += 1 }
      }
    }
    let others = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          for _ in 0..<3 { await Task.yield() }
          return 1
        }
      }
      return await group.reduce(0, +)
    }
    #expect(others == 1000)
    // No save can have succeeded yet, so all other tasks ran during the wait.
    #expect(done.change { $0 } == 0)
    lock.release()
    for save in saves { try await save.value }
    #expect(done.change { $0 } == 300)
    #expect(try cloud.cloud.service.checks.check() == [])
  }

  @Test("a cancelled save that waits for the lock does not block other saves")
  func cancelledSaveThatWaitsForTheLock() async throws {
    let lock = try ZoneLock(holding: testZoneID, of: "alice", in: cloud)
    let database = try cloud.container(of: "alice").privateCloudDatabase
    let save = Task { try await database.save(note("n")) }
    try await lock.isAwaited()
    save.cancel()
    lock.release()
    _ = try? await save.value
    _ = try await database.save(note("m"))
    // The cancelled save may still be in the middle of its commit.
    var problems = try cloud.cloud.service.checks.check()
    for _ in 0..<600 where !problems.isEmpty {
      try await Task.sleep(for: .milliseconds(100))
      problems = try cloud.cloud.service.checks.check()
    }
    #expect(problems == [])
  }
}
