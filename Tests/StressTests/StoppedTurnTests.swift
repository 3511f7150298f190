import Foundation
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Who has the turn to commit syncs and applies what others left in the journal ([commit-18] to [commit-21]). Here that
/// process is stopped, or killed, while it has it and no lock of the zone.
@Suite("A process that is stopped while it has the turn to commit", .serialized)
struct StoppedTurnTests {
  private let cloud: TemporaryCloud
  private let zone = TurnWorker.zone

  init() throws {
    cloud = try TemporaryCloud()
    let alice = cloud.caller("alice")
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: alice).saves[0]
      .get()
    // What is left in a journal must not make it grow.
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

  /// Who waits a second, and what it was told meanwhile.
  private func waiter(_ notices: Condition<[String]>) throws -> CloudService {
    var settings = CloudService.Settings()
    settings.lockTimeout = 1
    settings.notice = { line in notices.change { $0.append(line) } }
    return try CloudService.open(root: cloud.path, settings: settings)
  }

  /// A child that has the turn and is stopped.
  private func stopped(_ when: String) throws -> ChildProcess {
    let child = try ChildProcess(StressProgram.path, ["turn-worker", cloud.path, when])
    try #require(child.waitForOutput("turn", seconds: 60), "\(child.errors)")
    #if os(Linux)
      // It says so before it stops itself: who continues it sooner would leave it stopped.
      func isStopped() throws -> Bool {
        try String(contentsOfFile: "/proc/\(child.identifier)/stat", encoding: .utf8).contains(") T ")
      }
      for _ in 0..<60_000 where try !isStopped() { pause(microseconds: 1000) }
      try #require(try isStopped())
    #endif
    return child
  }

  /// As the system tells who has a lock; where it does not, nobody is named.
  private func name(_ child: ChildProcess) -> String {
    #if os(Linux)
      "Stress (process \(child.identifier))"
    #else
      "another process"
    #endif
  }

  @Test("readers and lone writers give up after the limit with zoneBusy, which names it; nothing of theirs is done")
  func busy() throws {
    let child = try stopped("before")
    defer { child.kill() }
    let notices = Condition([String]())
    let service = try waiter(notices)
    // What deletes a zone joins nobody's commit.
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
    let heard = notices.change { $0 }
    #expect(heard.count == 2)
    #expect(heard.allSatisfy { $0.hasPrefix("waiting up to 1 s for \(name(child)), which holds ") }, "\(heard)")
    child.signal(.continue)
    #expect(child.wait() == 0, "\(child.errors)")
    #expect(try names(service) == Set(TurnWorker.names))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "a commit joined to it can't be taken back: serverResponseLost says so, and it is kept once the process goes on")
  func joined() throws {
    let child = try stopped("before")
    defer { child.kill() }
    let notices = Condition([String]())
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
    #expect(try names(service) == Set(TurnWorker.names + ["mine"]))
    #expect(try cloud.service.checks.check() == [])
  }

  /// Refused for what is not durable yet: the refusal can't be told, and nothing is done.
  @Test("who is refused by what waits for the turn is told zoneBusy, not the refusal")
  func refused() throws {
    let child = try stopped("before")
    defer { child.kill() }
    let service = try waiter(Condition([]))
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
    "killed instead, the next process completes what it had, and what was joined to it", arguments: ["before", "after"])
  func killed(when: String) throws {
    let child = try stopped(when)
    let service = try waiter(Condition([]))
    #expect(error { try save("mine", "mine", service) }?.code == .serverResponseLost)
    child.kill()
    #expect(child.wait() == 128 + 9)
    let next = try waiter(Condition([]))
    #expect(try names(next) == Set(TurnWorker.names + ["mine"]))
    try save("later", "later", next)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("who waits longer than it is stopped gets through")
  func patient() throws {
    let child = try stopped("after")
    defer { child.kill() }
    let notices = Condition([String]())
    var settings = CloudService.Settings()
    settings.notice = { line in notices.change { $0.append(line) } }
    let service = try CloudService.open(root: cloud.path, settings: settings)
    let outcome = Condition<ServiceError??>(nil)
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
    #expect(try names(service) == Set(TurnWorker.names + ["mine"]))
  }
}
