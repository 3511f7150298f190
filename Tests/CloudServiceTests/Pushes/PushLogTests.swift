import FaultInjection
import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

/// Cases that fault injection does not reach: replays after pushes were delivered or logs were compacted.
@Suite("Pushes: none lost, none duplicated")
struct PushLogTests {
  private func log(_ stage: PushStage, _ device: String = "phone") throws -> [JSONValue] {
    let folder = try Directory.open(path: "\(stage.cloud.path)/devices/\(device)/pushes", in: FileSystem())
    return try (folder.contents("pushes.jsonl") ?? []).split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
  }

  private func takeWaitingPushes(_ stage: PushStage) throws -> Int {
    let location = try stage.cloud.service.pushes.pushLocation(of: stage.phone.caller)
    let lease = try location.cursor.hold()
    let waiting = try location.waiting()
    if let last = waiting.last { try lease.pass(last.sequence) }
    return waiting.count
  }

  private func reopened(_ stage: PushStage, boot: String) throws -> CloudService {
    try CloudService.open(
      root: stage.cloud.path, settings: stage.cloud.service.settings, fileSystem: FileSystem(bootIdentifier: boot))
  }

  @Test(
    "[push-3] a replay after a power cut appends no push that was logged before, delivered or not, compacted or not")
  func replayAfterAPowerCutAppends() throws {
    let stage = try PushStage { $0.limits.retainedChanges = 5 }
    try stage.alice.subscribeToZone()
    for round in 0..<40 { try stage.alice.save(stage.alice.note(ExactName("n\(round)"))) }
    #expect(try log(stage).first?["horizon"] != nil)
    #expect(try takeWaitingPushes(stage) >= 5)
    let before = try log(stage)
    for boot in ["second", "third"] {
      let service = try reopened(stage, boot: boot)
      #expect(try service.pushes.pushLocation(of: stage.phone.caller).waiting() == [])
      #expect(try log(stage) == before)
      #expect(try service.checks.check() == [])
    }
    // After a power cut that removes the log's end, the journal restores the last push, and it is not delivered yet.
    try stage.alice.save(stage.alice.note("late"))
    let folder = try Directory.open(path: "\(stage.cloud.path)/devices/phone/pushes", in: FileSystem())
    let bytes = try folder.contents("pushes.jsonl") ?? []
    try folder.file("pushes.jsonl", .readWrite).truncate(to: bytes.count - 10)
    let service = try reopened(stage, boot: "fourth")
    #expect(try service.pushes.pushLocation(of: stage.phone.caller).waiting().count == 1)
    #expect(try folder.contents("pushes.jsonl") == bytes)
  }

  @Test(
    "[push-3] after a process is killed while it logs pushes, the next one appends the missing pushes of that commit")
  func halfOfACommit() throws {
    let stage = try PushStage()
    try stage.alice.subscribe()
    let saves = (0..<3).map { stage.alice.note(ExactName("n\($0)")) }
    // Stops in the middle of the write to the phone's log.
    let fileSystem = FileSystem { call in
      if case .write(let path, _, let bytes) = call, path.hasSuffix("pushes.jsonl") {
        return .stopWithin(bytes.count / 2)
      }
      return .proceed
    }
    let service = try CloudService.open(
      root: stage.cloud.path, settings: stage.cloud.service.settings, fileSystem: fileSystem)
    _ = try? service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: saves), by: stage.alice.caller)
    #expect(try stage.phone.receivedPushes() == ["query created n0"])
    #expect(try takeWaitingPushes(stage) == 1)
    #expect(try stage.alice.changes().changed.count == 3)
    #expect(try stage.phone.receivedPushes() == ["query created n0", "query created n1", "query created n2"])
    #expect(try takeWaitingPushes(stage) == 2)
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test(
    "[push-5] a removed log continues after the last delivered sequence; a damaged log is set aside and blocks no save")
  func lostLogs() throws {
    let stage = try PushStage()
    try stage.alice.subscribeToZone()
    for name in ["a", "b"] as [ExactName] { try stage.alice.save(stage.alice.note(name)) }
    #expect(try takeWaitingPushes(stage) == 2)
    let folder = try Directory.open(path: "\(stage.cloud.path)/devices/phone/pushes", in: FileSystem())
    try folder.remove("pushes.jsonl")
    try stage.alice.save(stage.alice.note("c"))
    #expect(try stage.phone.pushes().map(\.sequence) == [3])
    #expect(try takeWaitingPushes(stage) == 1)
    for damage in ["{\"sequence\": 4}\nnot JSON\n", "{\"sequence\":9,\"userInfo\":{}}\n"] {
      try folder.writeStaged("pushes.jsonl", Array(damage.utf8))
      try stage.alice.save(stage.alice.note(ExactName("d\(damage.count)")))
      #expect(try stage.cloud.service.checks.check().count >= 1)
      #expect(try stage.cloud.service.repairs.repair().left == [])
      try stage.alice.save(stage.alice.note(ExactName("e\(damage.count)")))
      #expect(try takeWaitingPushes(stage) == 1)
    }
    // Another kind of file at the log's path is set aside too.
    try folder.remove("pushes.jsonl")
    try folder.makeDirectory("pushes.jsonl")
    try stage.alice.save(stage.alice.note("f"))
    #expect(try stage.cloud.service.checks.check().count >= 1)
    #expect(try stage.cloud.service.repairs.repair().left == [])
    try stage.alice.save(stage.alice.note("g"))
    #expect(try stage.phone.pushes().last?.zone.name == "Notes")
  }

  @Test("[push-9] one process at a time delivers pushes; the next one continues after the last delivered push")
  func oneProcessAtATimeDeliversPushes() throws {
    let stage = try PushStage()
    try stage.alice.subscribeToZone()
    for name in ["a", "b"] as [ExactName] { try stage.alice.save(stage.alice.note(name)) }
    let location = try stage.cloud.service.pushes.pushLocation(of: stage.phone.caller)
    var first: HeldLease? = try location.cursor.hold()
    let second = ThreadCondition<HeldLease?>(nil)
    let cursor = location.cursor
    startThread {
      let lease = try? cursor.hold()
      second.change { $0 = lease }
    }
    #expect(second.wait(seconds: 0.1) { $0 } == nil)
    try first?.pass(1)
    first = nil
    let lease = try #require(second.wait(seconds: 10) { $0 })
    #expect(try location.waiting().map(\.sequence) == [2])
    try lease.pass(2)
    #expect(try location.waiting() == [])
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test("concurrent writers to one device log each push once, with consecutive sequences")
  func concurrentWritersToOneDeviceLog() throws {
    let stage = try PushStage()
    try stage.alice.subscribeToDatabase()
    let (zones, rounds) = (6, 20)
    let left = ThreadCondition(zones)
    for number in 0..<zones {
      var person = stage.alice
      person.zone = ZoneIdentifier(name: ExactName("Z\(number)"))
      try person.makeZone()
      startThread { [person] in
        // A service of its own, in the role of another process.
        guard let service = try? CloudService.open(root: stage.cloud.path) else { return }
        for round in 0..<rounds {
          _ = try? service.records.modifyRecords(
            ModifyRecordsRequest(scope: .private, saves: [person.note(ExactName("n\(round)"))]), by: person.caller)
        }
        left.change { $0 -= 1 }
      }
    }
    #expect(left.wait(seconds: 120) { $0 == 0 ? true : nil } == true)
    let pushes = try stage.phone.pushes()
    #expect(pushes.map(\.sequence) == (1...Int64(zones * (rounds + 1))).map { $0 })
    let marks = Set(pushes.map { $0.object["commit"] })
    #expect(marks.count == pushes.count)
    #expect(try stage.cloud.service.checks.check() == [])
  }

  @Test("a save without subscribers looks for subscriptions once and creates no file for pushes")
  func saveWithoutSubscribersLooksForSubscriptions() throws {
    let stage = try PushStage()
    let counter = Counter()
    let fileSystem = FileSystem(observing: .allCalls) { call in
      if "\(call)".contains("subscriptions") || "\(call)".contains("/pushes") { _ = counter.next() }
      return .proceed
    }
    let service = try CloudService.open(
      root: stage.cloud.path, settings: stage.cloud.service.settings, fileSystem: fileSystem)
    let saves = (0..<300).map { stage.alice.note(ExactName("n\($0)")) }
    _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: saves), by: stage.alice.caller)
    #expect(counter.next() - 1 == 1)
  }
}
