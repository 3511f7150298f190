import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// The holder of the commit lease syncs and applies the entries that other processes appended to the journal
/// ([commit-18] to [commit-21]). Here that process is stopped or killed while it has the lease and no lock of the zone.
@Suite(
  "A process that is stopped while it has the commit lease", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct StoppedHolderTests {
  private let cloud: TemporaryCloud
  private let zone = LockWorker.zone

  init() throws {
    cloud = try TemporaryCloud()
    let alice = cloud.caller("alice")
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: alice).saves[0]
      .get()
    // Makes the journal grow before the tests, so that entries appended during a test fit into it.
    for round in 0..<3 { try save("long", String(repeating: "\(round)123456789", count: 3000), cloud.service) }
    let deletion = ModifyRecordsRequest(scope: .private, deletes: [RecordIdentifier(name: "long", zone: zone)])
    _ = try cloud.service.records.modifyRecords(deletion, by: alice).deletes[0].get()
  }

  private func save(_ name: ExactName, _ text: String, _ service: CloudService) throws {
    let save = RecordSave(
      id: RecordIdentifier(name: name, zone: zone), type: "Item", fields: ["text": .string(text)])
    let request = ModifyRecordsRequest(scope: .private, saves: [save], policy: .allKeys)
    _ = try service.records.modifyRecords(request, by: cloud.caller("alice")).saves[0].get()
  }

  private func names(_ service: CloudService) throws -> Set<ExactName> {
    let request = ZoneChangesRequest(scope: .private, zone: zone)
    return Set(try service.feeds.zoneChanges(request, by: cloud.caller("alice")).changed.map(\.id.name))
  }

  private func error(_ body: () throws -> Void) -> ServiceError? {
    do {
      try body()
      return nil
    } catch { return ServiceError(describing: error) }
  }

  /// A service that waits one second, and collects its notices.
  private func waiter(_ notices: ThreadCondition<[String]>) throws -> CloudService {
    var settings = ServiceSettings()
    settings.lockTimeout = 1
    settings.notice = { line in notices.change { $0.append(line) } }
    return try CloudService.open(root: cloud.path, settings: settings)
  }

  /// A child that has the lease and is stopped.
  private func stopped(_ when: String) throws -> ChildProcess {
    let child = try ChildProcess(StressProgram.path, ["turn-worker", cloud.path, when])
    try #require(child.waitForOutput("turn", seconds: 60), "\(child.errors)")
    #if os(Linux)
      // The child prints the line before it stops itself. A signal to continue before the stop would leave it stopped.
      func isStopped() throws -> Bool {
        try String(contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8).contains(") T ")
      }
      for _ in 0..<60_000 where try !isStopped() { pause(microseconds: 1000) }
      try #require(try isStopped())
    #endif
    return child
  }

  /// The lock holder's name where the system reports it; otherwise a text without a name.
  private func name(_ child: ChildProcess) -> String {
    #if os(Linux)
      "Stress (process \(child.identifier))"
    #else
      "another process"
    #endif
  }

  @Test("readers and exclusive writers that wait for a stopped process fail with zoneBusy and its name, without effect")
  func readersAndExclusiveWritersThatWait() throws {
    let child = try stopped("before")
    defer { child.kill() }
    let notices = ThreadCondition([String]())
    let service = try waiter(notices)
    // A deletion of a zone does not join another process's commit.
    let deletion = ModifyZonesRequest(scope: .private, deletes: [zone])
    let errors = [
      error { _ = try names(service) },
      error { try service.zones.modifyZones(deletion, by: cloud.caller("alice")).deletes[0].get() },
    ]
    for error in errors {
      #expect(error?.code == .zoneBusy)
      #expect(error?.cause == .lockTimeout)
      #expect(error?.retryAfter == 1)
      #expect(error?.message == "Gave up after 1 s of waiting for \(name(child)).")
      #expect(error?.path?.hasSuffix("/Notes/.journal/log") == true)
    }
    let messages = notices.change { $0 }
    #expect(messages.count == 2)
    #expect(messages.allSatisfy { $0.hasPrefix("waiting up to 1 s for \(name(child)), which holds ") }, "\(messages)")
    child.signal(.continue)
    #expect(child.wait() == 0, "\(child.errors)")
    #expect(try names(service) == Set(LockWorker.names))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "a joined commit of a stopped process fails with serverResponseLost, and is saved when that process continues")
  func joinedCommitOfAStoppedProcessFails() throws {
    let child = try stopped("before")
    defer { child.kill() }
    let notices = ThreadCondition([String]())
    let service = try waiter(notices)
    let lost = error { try save("mine", "mine", service) }
    #expect(lost?.code == .serverResponseLost)
    #expect(lost?.retryAfter == nil)
    #expect(
      lost?.message
        == "Whether it was saved can't be told yet: for 1 s it has waited for \(name(child)), which commits it.")
    #expect(lost?.hint?.contains("Let that process go on, or end it, and fetch then") == true)
    #expect(notices.change { $0 }.count == 1)
    child.signal(.continue)
    #expect(child.wait() == 0, "\(child.errors)")
    #expect(try names(service) == Set(LockWorker.names + ["mine"]))
    #expect(try cloud.service.checks.check() == [])
  }

  /// The refusal depends on an entry that is not durable yet. It cannot be reported, and nothing is saved.
  @Test("a save that conflicts with an entry of a stopped process fails with zoneBusy instead of the conflict")
  func saveThatConflictsWithAnEntry() throws {
    let child = try stopped("before")
    defer { child.kill() }
    let service = try waiter(ThreadCondition([]))
    let save = RecordSave(id: RecordIdentifier(name: "one", zone: zone), type: "Item")
    let request = ModifyRecordsRequest(scope: .private, saves: [save])
    let refusal = error {
      _ = try service.records.modifyRecords(request, by: cloud.caller("alice")).saves[0].get()
    }
    #expect(refusal?.code == .zoneBusy)
    #expect(refusal?.message.contains(name(child)) == true)
    child.kill()
    _ = child.wait()
    let late = error { _ = try service.records.modifyRecords(request, by: cloud.caller("alice")).saves[0].get() }
    #expect(late?.code == .serverRecordChanged)
  }

  @Test(
    "after a kill the next process completes the killed process's entries and those joined to it",
    arguments: ["before", "after"])
  func afterAKillTheNextProcessCompletes(when: String) throws {
    let child = try stopped(when)
    let service = try waiter(ThreadCondition([]))
    #expect(error { try save("mine", "mine", service) }?.code == .serverResponseLost)
    child.kill()
    #expect(child.wait() == 128 + 9)
    let next = try waiter(ThreadCondition([]))
    #expect(try names(next) == Set(LockWorker.names + ["mine"]))
    try save("later", "later", next)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a save that waits longer than the other process is stopped succeeds")
  func saveThatWaitsLonger() throws {
    let child = try stopped("after")
    defer { child.kill() }
    let notices = ThreadCondition([String]())
    var settings = ServiceSettings()
    settings.notice = { line in notices.change { $0.append(line) } }
    let service = try CloudService.open(root: cloud.path, settings: settings)
    let outcome = ThreadCondition<ServiceError??>(nil)
    let own = self
    startThread {
      let result = own.error { try own.save("mine", "mine", service) }
      outcome.change { $0 = .some(result) }
    }
    #expect(notices.wait(seconds: 60) { $0.isEmpty ? nil : true } == true)
    child.signal(.continue)
    #expect(child.wait() == 0, "\(child.errors)")
    let result = try #require(outcome.wait(seconds: 60) { $0 })
    #expect(result == nil)
    #expect(try names(service) == Set(LockWorker.names + ["mine"]))
  }
}
