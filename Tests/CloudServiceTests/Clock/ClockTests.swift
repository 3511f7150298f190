import Dispatch
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@testable import LocalCloudService

@Suite("The clock of a cloud")
struct ClockTests {
  /// A machine's clock that moves only when a test moves it.
  private final class Machine: Sendable {
    private let time = Mutex(ClockTests.start)
    var now: Int64 { time.withLock { $0 } }
    func goOn(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  }

  private static let start: Int64 = 1_800_000_000_000
  private static let noon: Int64 = 1_769_860_800_000
  private static let hour: Int64 = 3_600_000

  private let machine = Machine()
  private let cloud: TemporaryCloud
  /// Services in the roles of two processes.
  private let first: CloudService
  private let second: CloudService
  private var alice: Person { Person(cloud, "alice", by: first) }
  private var other: Person { Person(cloud, "alice", device: "phone", by: second) }

  init() throws {
    cloud = try TemporaryCloud()
    first = try Self.process(cloud.path, machine)
    second = try Self.process(cloud.path, machine)
    try alice.makeZone()
  }

  private static func process(_ path: String, _ machine: Machine) throws -> CloudService {
    let cloud = try CloudService.openCloud(path)
    var settings = ServiceSettings()
    settings.clock = CloudClock(in: cloud.root, machine: { machine.now }).now
    return CloudService(cloud: cloud, settings: settings)
  }

  private func damage(_ text: String) throws {
    try first.cloud.root.writeStaged(CloudClock.file, Array(text.utf8))
  }

  @Test("a change of the clock holds from the next request of each running process on ([clock-1])")
  func runningProcesses() throws {
    #expect(try alice.save(alice.note("before")).modified.timestamp == Self.start)
    try first.clock.set(.fixed(Self.noon))
    #expect(try other.save(other.note("a")).modified.timestamp == Self.noon)
    #expect(try second.clock.step(by: Self.hour) == .fixed(Self.noon + Self.hour))
    #expect(try alice.save(alice.note("b")).modified.timestamp == Self.noon + Self.hour)
    #expect(try other.save(other.note("c")).modified.timestamp == Self.noon + Self.hour)
    try second.clock.set(nil)
    #expect(try first.clock.setting() == nil)
    #expect(try alice.save(alice.note("after")).modified.timestamp == Self.start)
  }

  @Test("a fixed clock stands still, and a clock with an offset runs with the machine's clock ([clock-2])")
  func fixedAndRunning() throws {
    try first.clock.set(.fixed(Self.noon))
    machine.goOn(1000)
    #expect(try alice.save(alice.note("a")).modified.timestamp == Self.noon)
    try first.clock.set(.offset(-2 * Self.hour))
    #expect(try alice.save(alice.note("b")).modified.timestamp == Self.start + 1000 - 2 * Self.hour)
    machine.goOn(1000)
    #expect(try alice.save(alice.note("c")).modified.timestamp == Self.start + 2000 - 2 * Self.hour)
  }

  @Test("a time that no clock can show is refused, and the clock stays as it is ([clock-2])")
  func limits() throws {
    let (first, last) = (ClockSetting.times.lowerBound, ClockSetting.times.upperBound - 1)
    let clock = self.first.clock
    #expect(Timestamp.text(milliseconds: first) == "0001-01-01T00:00:00.000Z")
    #expect(Timestamp.text(milliseconds: last) == "9998-12-31T23:59:59.999Z")
    try clock.set(.fixed(last))
    for setting: ClockSetting in [
      .fixed(first - 1), .fixed(last + 1), .fixed(.max), .fixed(.min), .offset(.max), .offset(.min), .offset(last),
    ] {
      #expect(code { try clock.set(setting) } == .invalidArguments, "\(setting)")
    }
    for milliseconds in [1, .max] {
      #expect(code { try clock.step(by: Int64(milliseconds)) } == .invalidArguments, "\(milliseconds)")
    }
    #expect(try clock.setting() == .fixed(last))
    try clock.set(.fixed(first))
    #expect(code { try clock.step(by: .min) } == .invalidArguments)
    #expect(try alice.save(alice.note("a")).modified.timestamp == first)
  }

  @Test("steps at once all count; a step of the machine's clock makes it one with an offset ([clock-3])")
  func stepsAtOnce() throws {
    #expect(try first.clock.step(by: Self.hour) == .offset(Self.hour))
    try first.clock.set(.fixed(Self.noon))
    let clocks = [first.clock, second.clock]
    DispatchQueue.concurrentPerform(iterations: 8) { _ = try? clocks[$0 % 2].step(by: Self.hour) }
    #expect(try first.clock.setting() == .fixed(Self.noon + 8 * Self.hour))
  }

  @Test(
    "with a damaged setting changes fail, and other requests succeed; the setting can be replaced ([clock-4])",
    arguments: [
      "", "{", "[]", "{}", #"{"fixed": 1}"#, #"{"fixed": "noon"}"#, #"{"offset": "1"}"#, #"{"offset": 1.5}"#,
      #"{"offset": 9000000000000000000}"#, #"{"offset": 300000000000000}"#, #"{"offset": 1, "later": 1}"#,
      #"{"fixed": "2026-01-31T12:00:00Z", "offset": 1}"#,
      #"{"fixed": "9999-01-01T00:00:00Z"}"#,
    ])
  func damagedSetting(_ text: String) throws {
    try alice.save(alice.note("a"))
    let token = try alice.changes().token
    try damage(text)
    let failure = error { try alice.save(alice.note("b")) }
    #expect(failure?.code == .internalError)
    #expect(failure?.message.contains("clock.json") == true)
    #expect(code { try first.clock.setting() } == .internalError)
    #expect(code { try first.clock.step(by: 1) } == .internalError)
    #expect(try alice.changes(since: token).changed.isEmpty)
    #expect(try alice.fetch("a").id.name == "a")
    try first.clock.set(.fixed(Self.noon))
    #expect(try alice.save(alice.note("b")).modified.timestamp == Self.noon)
  }

  @Test("check reports a damaged setting, and repair moves it aside ([clock-4])")
  func repairOfTheSetting() throws {
    #expect(try first.checks.check() == [])
    try first.clock.set(.offset(1))
    #expect(try first.checks.check() == [])
    try damage("{")
    #expect(try first.checks.check().map(\.path) == [cloud.path + "/clock.json"])
    let report = try first.repairs.repair()
    #expect(report.done.map(\.path) == [cloud.path + "/clock.json"])
    #expect(report.left == [])
    #expect(try first.clock.setting() == nil)
    #expect(try alice.save(alice.note("a")).modified.timestamp == Self.start)
  }

  @Test("a snapshot does not contain the clock, and its restore does not change it ([clock-6])")
  func snapshots() throws {
    try first.clock.set(.fixed(Self.noon))
    _ = try first.snapshots.save("noon")
    _ = try first.clock.step(by: Self.hour)
    try first.snapshots.restore("noon")
    let restored = try Self.process(cloud.path, machine)
    #expect(try restored.clock.setting() == .fixed(Self.noon + Self.hour))
  }

  @Test("only a reset of the whole cloud removes the setting, and its preview does not ([clock-6])")
  func resets() throws {
    try first.clock.set(.fixed(Self.noon))
    let caller = alice.caller
    for target: ResetTarget in [
      .container(TemporaryCloud.container), .environment(.development, of: TemporaryCloud.container), .account("alice"),
    ] {
      #expect(try first.resets.reset(target, by: caller).isClockReset == false, "\(target)")
    }
    #expect(try first.resets.preview(.all, by: caller).isClockReset)
    #expect(try first.clock.setting() == .fixed(Self.noon))
    try damage("{")
    #expect(try first.resets.reset(.all, by: caller).isClockReset)
    #expect(try first.clock.setting() == nil)
    #expect(try first.resets.reset(.all, by: caller).isEmpty)
  }

  @Test("records, accounts and snapshots have dates of the clock ([clock-7])")
  func dates() throws {
    try first.clock.set(.fixed(Self.noon))
    let record = try alice.save(alice.note("a"))
    #expect(record.created.timestamp == Self.noon)
    #expect(record.modified.timestamp == Self.noon)
    #expect(try first.accounts.addAccount("dora", AccountChanges()).created == Self.noon)
    #expect(try first.snapshots.save("noon").created == Self.noon)
  }

  /// A service on Alice's device. The device is throttled once for 20 seconds and has used up its one failure.
  private func throttledService() throws -> Person {
    try alice.save(alice.note("a"))
    try first.devices.setNetwork(NetworkCondition(.throttled, retryAfter: 20, times: 1), of: "alice-device")
    var settings = first.settings
    NetworkSwitch(of: "alice-device", in: first.cloud, settings).install(in: &settings.interceptor)
    let person = Person(cloud, "alice", by: CloudService(cloud: first.cloud, settings: settings))
    #expect(code { try person.fetch("a") } == .serviceUnavailable)
    #expect(code { try person.fetch("a") } == .requestRateLimited)
    return person
  }

  @Test("throttling ends by the clock ([clock-8])")
  func throttling() throws {
    try first.clock.set(.fixed(Self.noon))
    let person = try throttledService()
    _ = try first.clock.step(by: 19_000)
    #expect(error { try person.fetch("a") }?.retryAfter == 1)
    _ = try first.clock.step(by: 1000)
    #expect(try person.fetch("a").id.name == "a")
  }

  @Test("answers of a long-lived operation are removed by the clock ([clock-8])")
  func storedAnswers() throws {
    let id = "FEDCBA9876543210"
    let caller = alice.caller
    try first.clock.set(.fixed(Self.noon))
    let held = try first.devices.storeOperation(id, [:], isSecret: false, by: caller)
    try first.devices.finishOperation(held, ["events": []], isSecret: false, by: caller)
    held.release()
    _ = try first.clock.step(by: 24 * Self.hour)
    #expect(try first.devices.operationIDs(by: caller) == [id])
    _ = try first.clock.step(by: 1)
    #expect(try first.devices.operationIDs(by: caller) == [])
  }

  @Test("changes made while the clock is back are in the feed after the token ([clock-9])")
  func feedsOfAClockThatGoesBack() throws {
    try first.clock.set(.fixed(Self.noon))
    let saved = try alice.save(alice.note("a", "first"))
    let token = try alice.changes().token
    _ = try first.clock.step(by: -Self.hour)
    let updated = try other.save(other.note("a", "second", tag: saved.changeTag))
    #expect(updated.created.timestamp == Self.noon)
    #expect(updated.modified.timestamp == Self.noon - Self.hour)
    #expect(updated.changeTag != saved.changeTag)
    #expect(code { try other.save(other.note("a", "third", tag: saved.changeTag)) } == .serverRecordChanged)
    let changed = try alice.changes(since: token).changed
    #expect(changed.map(\.id.name) == ["a"])
    #expect(changed.first?.fields["text"] == .string("second"))
  }

  @Test("a throttled period ends when the clock goes back ([clock-10])")
  func throttlingOfAClockThatGoesBack() throws {
    try first.clock.set(.fixed(Self.noon))
    let person = try throttledService()
    _ = try first.clock.step(by: -Self.hour)
    #expect(try person.fetch("a").id.name == "a")
  }
}
