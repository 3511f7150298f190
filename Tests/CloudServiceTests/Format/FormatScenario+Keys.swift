import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

extension FormatScenario {
  /// Replaces keys after the removal of a participant, and leaves keys to be replaced after a record left a share and
  /// after a zone's share ended.
  func makeLaterKeys() throws {
    let later = zone("Later")
    try later.makeZone()
    try later.save(later.secret("root", "hidden"))
    try later.save(later.secret("child", "hidden", parent: .set("root", zone: nil)))
    try Person(cloud, "bob").accept(try later.share("root", with: ["bob"]))
    try later.edit { $0.participants.removeLast() }
    try later.save(later.secret("root", "again"), policy: .changedKeys)
    try later.save(later.note("child", parent: .clear), policy: .changedKeys)

    let one = zone("LaterOne")
    let request = ModifyZonesRequest(scope: .private, saves: [one.zone], perZone: [one.zone])
    _ = try cloud.service.zones.modifyZones(request, by: one.caller).saves[0].get()
    try one.save(one.secret("root", "hidden"))
    let share = try one.save(
      RecordSave(
        id: one.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(root: nil, participants: [try one.invitation("bob")])))
    try Person(cloud, "bob").accept(share)
    try one.edit(Record.zoneWideShareName) { $0.participants.removeLast() }
    try one.save(one.secret("root", "again"), policy: .changedKeys)
    try one.modify(delete: [Record.zoneWideShareName]).deletes[0].get()
  }

  /// A device that was throttled once, and will be throttled once more.
  func makeNetwork() throws {
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.container) = (cloud.path, .account("alice"), TemporaryCloud.container)
    acting.device = "tram"
    let session = try Session(acting)
    let request = FetchRecordsRequest(scope: .private, records: [])
    _ = try session.service.records.fetchRecords(request, by: session.caller)
    try session.service.devices.setNetwork(try NetworkCondition(.throttled, retryAfter: 60, times: 2), of: "tram")
    #expect(throws: ServiceError.self) {
      try session.service.records.fetchRecords(request, by: session.caller)
    }
  }

  /// Fault rules with every member, pushes that they changed, and a logged request that met one.
  func makeFaults() throws {
    var settings = cloud.service.settings
    settings.interceptor.faults = FaultSwitch(in: cloud.service.cloud, settings)
    var faulty = Person(cloud, "alice", by: CloudService(cloud: cloud.service.cloud, settings: settings))
    faulty.zone = ZoneIdentifier(name: "Late")
    try faulty.makeZone()
    var (phone, once) = (FaultRule.Conditions(), FaultRule.Schedule())
    (phone.device, once.times) = ("phone", 1)
    let effects: [FaultRule.Effect] = [.pushes(.doubled), .latePushes(0.001), .pushes(.reordered), .pushes(.lost)]
    _ = try cloud.service.faults.add(effects.map { try FaultRule($0, where: phone, once) })
    for name in ["a", "b", "c", "d", "e"] as [ExactName] { try faulty.save(faulty.note(name)) }
    _ = try cloud.service.pushes.list(by: cloud.caller("alice", device: "phone"))
    faulty.zone = ZoneIdentifier(name: "Latest")
    try faulty.makeZone()
    _ = try cloud.service.faults.add([try FaultRule(.latePushes(100_000), where: phone, once)])
    try faulty.save(faulty.note("a"))

    var (every, schedule) = (phone, FaultRule.Schedule())
    (every.operation, every.account, every.container) = (.modifyRecords, "nobody", "iCloud.none")
    (every.environment, every.database, every.zone) = (.production, .shared, "Z")
    (every.recordName, every.recordType) = ("r", "T")
    (schedule.after, schedule.times, schedule.probability, schedule.seed) = (1, 2, 0.5, 3)
    var nobody = FaultRule.Conditions()
    nobody.account = "nobody"
    let others: [FaultRule.Effect] = [.itemError(.zoneBusy), .lostReply(.after), .latency(1), .indexLag(1)]
    var rules = [try FaultRule(.error(.zoneBusy, retryAfter: 1), where: every, schedule)]
    for effect in others { rules.append(try FaultRule(effect, where: nobody)) }
    _ = try cloud.service.faults.add(rules)

    var acting = ActingIdentity()
    (acting.root, acting.who, acting.container) = (cloud.path, .account("alice"), TemporaryCloud.container)
    let session = try Session(
      acting, settings: Settings(acting, variable: { $0 == "LOCALCLOUD_LOG" ? "on" : nil }))
    var fetch = FaultRule.Conditions()
    fetch.operation = .fetchZones
    _ = try cloud.service.faults.add([try FaultRule(.error(.zoneBusy), where: fetch, once)])
    #expect(throws: ServiceError.self) { try session.service.zones.list(nil, in: .private, by: session.caller) }
  }

  /// A clock that stands still, and the files of a trial of the file system.
  func makeClock() throws {
    try cloud.service.clock.set(.fixed(1_800_000_000_000))
    #expect(try FileSystemProbe.defect(in: cloud.service.cloud.root) == nil)
  }

  /// A commit planned upon an unsynced commit, in a journal that is large enough for both.
  func makeCrowd() throws {
    let crowd = zone("Crowd")
    try crowd.makeZone()
    try crowd.save(crowd.note("long", String(repeating: "0123456789", count: 350)))
    let store = try #require(try FaultRunPeople(cloud.service).store(crowd.zone))
    try store.runQueued([
      { try crowd.save(crowd.note("first")) }, { try crowd.save(crowd.note("second")) },
    ])
  }
}
