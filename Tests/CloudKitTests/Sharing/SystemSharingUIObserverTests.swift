import CloudKit
import LocalCloud
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// The calls of an observer's blocks, in order.
private final class SharingEvents: Sendable {
  struct Call: Sendable {
    var id: CKRecord.ID
    var share: CKShare?
    var error: CKError?
    var isStop = false
    var account: String?

    /// `saved Milk`, `not saved 14`, `stopped`, `not stopped 26`
    var text: String {
      if let error { return (isStop ? "not stopped " : "not saved ") + "\(error.errorCode)" }
      return isStop ? "stopped" : "saved \(share?[CKShare.SystemFieldKey.title] as? String ?? "")"
    }
  }

  private let calls = Mutex<[Call]>([])

  func add(_ call: Call) { calls.withLock { $0.append(call) } }

  var all: [Call] { calls.withLock { $0 } }
  var texts: [String] { all.map(\.text) }

  /// Waits for this number of calls, and returns all of them.
  func first(_ count: Int) async -> [String] {
    for _ in 0..<1000 where all.count < count { try? await Task.sleep(nanoseconds: 20_000_000) }
    return texts
  }

  func follow(_ observer: CKSystemSharingUIObserver) {
    observer.systemSharingUIDidSaveShareBlock = { [self] id, result in
      add(Call(id: id, share: result.value, error: result.problem, account: accountName(ActingIdentity.current)))
    }
    observer.systemSharingUIDidStopSharingBlock = { [self] id, result in
      add(Call(id: id, error: result.problem, isStop: true, account: accountName(ActingIdentity.current)))
    }
  }
}

private func accountName(_ acting: ActingIdentity?) -> String? {
  if case .account(let name)? = acting?.who { name } else { nil }
}

extension Result where Failure == any Error {
  fileprivate var problem: CKError? {
    if case .failure(let error) = self { error as? CKError } else { nil }
  }
}

@Suite("Observers of the system's sharing screen")
struct SystemSharingUIObserverTests {
  private let stage: SharingStage
  private let events = SharingEvents()

  init() async throws { stage = try await SharingStage() }

  private var service: CloudService { stage.cloud.cloud.service }

  private func observer(
    _ events: SharingEvents? = nil, as account: String? = "alice", device: String? = nil,
    container: String = "iCloud.test",
    environment: String? = nil
  ) throws -> CKSystemSharingUIObserver {
    let observer = try LocalCloud.acting(
      as: account, device: device, root: stage.cloud.cloud.path, environment: environment
    ) {
      CKSystemSharingUIObserver(container: CKContainer(identifier: container))
    }
    (events ?? self.events).follow(observer)
    return observer
  }

  // MARK: The screen, as the commands use it

  private func id(_ share: CKShare, owner: String? = nil) -> RecordIdentifier {
    RecordIdentifier(name: ExactName(share.recordID.recordName), zone: ZoneIdentifier(name: "Home", owner: owner))
  }

  /// Alice changes a share's title as the sharing screen does. `tag` is the change tag that the screen knows.
  private func retitle(
    _ share: CKShare, _ title: String, tag: String? = nil, device: String? = nil,
    _ edit: (inout Caller) -> Void = { _ in }
  ) throws {
    var caller = stage.cloud.cloud.caller("alice", device: device)
    let fetch = FetchRecordsRequest(scope: .private, records: [id(share)])
    let record = try service.records.fetchRecords(fetch, by: caller)[0].get()
    let save = RecordSave(
      id: record.id, type: Record.shareType, changeTag: tag ?? record.changeTag,
      fields: ["cloudkit.title": .string(title)], share: ShareSave(record.shareDetails ?? ShareDetails()))
    edit(&caller)
    _ = try service.devices.modifyShare(
      record.id, ModifyRecordsRequest(scope: .private, saves: [save]), by: caller, untold: { Issue.record($0) })
  }

  private func delete(
    _ share: RecordIdentifier, _ scope: DatabaseScope = .private, as account: String = "alice", device: String? = nil
  ) throws {
    let request = ModifyRecordsRequest(scope: scope, deletes: [share])
    _ = try service.devices.modifyShare(
      share, request, by: stage.cloud.cloud.caller(account, device: device), untold: { Issue.record($0) })
  }

  // MARK: Reported changes

  // [share-screen-1]
  @Test("11 CKSystemSharingUIObserver: the blocks are called for each save and the deletion of a share, in order")
  func savesAndStops() async throws {
    let share = try await stage.share()
    let observer = try observer()
    for title in ["One", "Two", "Three"] { try retitle(share, title) }
    try delete(id(share))
    #expect(await events.first(4) == ["saved One", "saved Two", "saved Three", "stopped"])
    for call in events.all {
      #expect(call.id == share.recordID)
      #expect(call.account == "alice")
    }
    let saved = try #require(events.all.first?.share)
    #expect(saved.recordID == share.recordID)
    #expect(saved.url?.absoluteString.hasSuffix("#One") == true)
    #expect(saved.participants.map(\.role) == [.owner])
    #expect(saved.currentUserParticipant?.role == .owner)
    #expect(saved.owner.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(saved.recordChangeTag != nil)
    #expect(saved.modificationDate != nil)
    withExtendedLifetime(observer) {}
  }

  @Test("the share that a block receives can be edited and saved like a fetched one")
  func shareThatABlockReceives() async throws {
    let share = try await stage.share(with: ["bob"])
    let observer = try observer()
    try retitle(share, "Screen")
    #expect(await events.first(1) == ["saved Screen"])
    let saved = try #require(events.all.first?.share)
    #expect(saved.participants.count == 2)
    saved[CKShare.SystemFieldKey.title] = "Program"
    try await stage.mine.save(saved)
    #expect(try await stage.current(share)[CKShare.SystemFieldKey.title] as? String == "Program")
    // The program's own save is not reported.
    try retitle(share, "Again")
    #expect(await events.first(2).last == "saved Again")
    #expect(events.all.count == 2)
    withExtendedLifetime(observer) {}
  }

  @Test("a refused change is reported with the screen's error, and a conflict with the server's share")
  func refusedChangeIsReportedWithTheScreens() async throws {
    let share = try await stage.share()
    let observer = try observer()
    try retitle(share, "Late", tag: "0")
    try delete(RecordIdentifier(name: "share", zone: ZoneIdentifier(name: "Nowhere")))
    #expect(await events.first(2) == ["not saved 14", "not stopped 26"])
    #expect(events.all[0].error?.code == .serverRecordChanged)
    #expect(events.all[1].error?.code == .zoneNotFound)
    let server = try #require(events.all[0].error?.serverRecord as? CKShare)
    let present = try await stage.current(share)
    #expect(server.recordID == share.recordID)
    #expect(server.recordChangeTag == present.recordChangeTag)
    #expect(events.all[1].id == CKRecord.ID(recordName: "share", zoneID: CKRecordZone.ID(zoneName: "Nowhere")))
    withExtendedLifetime(observer) {}
  }

  @Test("a request that is refused as a whole is not reported")
  func wholeRequests() async throws {
    let share = try await stage.share()
    let observer = try observer()
    #expect(throws: ServiceError.self) { try retitle(share, "No") { $0.account = nil } }
    try retitle(share, "Yes")
    #expect(await events.first(1) == ["saved Yes"])
    withExtendedLifetime(observer) {}
  }

  @Test("a participant who leaves by the screen is reported on that device, and not on the owner's")
  func participantWhoLeavesByTheScreen() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let bobs = SharingEvents()
    let observers = try [observer(bobs, as: "bob"), observer()]
    try delete(id(share, owner: stage.theirs.ownerName), .shared, as: "bob")
    #expect(await bobs.first(1) == ["stopped"])
    #expect(bobs.all[0].id == stage.there(share.recordID.recordName))
    try retitle(share, "Alone")
    #expect(await events.first(1) == ["saved Alone"])
    withExtendedLifetime(observers) {}
  }

  // MARK: Observers that receive reports

  // [share-screen-1]
  @Test("an observer gets changes of the screen on its device, in its container and environment only")
  func observerGetsChangesOfTheScreen() async throws {
    let share = try await stage.share()
    let others = SharingEvents()
    _ = try service.devices.signIn("alice", on: "laptop")
    let observers = try [
      observer(), observer(others, as: "bob"), observer(others, container: "iCloud.other"),
      observer(others, environment: "production"),
    ]
    try retitle(share, "On the laptop", device: "laptop")
    try await stage.edit(share) { $0[CKShare.SystemFieldKey.title] = "By the program" }
    try retitle(share, "By the screen")
    #expect(await events.first(1) == ["saved By the screen"])
    // The log is ordered, so an unwanted call would precede this one.
    try delete(id(share))
    #expect(await events.first(2) == ["saved By the screen", "stopped"])
    #expect(others.all.isEmpty)
    withExtendedLifetime(observers) {}
  }

  @Test("each observer gets all calls since its creation, on its own queue and one at a time")
  func eachObserverGetsAllCallsSince() async throws {
    let share = try await stage.share()
    let observers = try [observer()]
    try retitle(share, "Before")
    #expect(await events.first(1) == ["saved Before"])
    let slow = try observer(SharingEvents())
    let state = Mutex((running: 0, most: 0, titles: [String]()))
    let mayGo = Mutex(false)
    slow.systemSharingUIDidSaveShareBlock = { _, result in
      state.withLock {
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      while !mayGo.withLock({ $0 }) { pause(microseconds: 1000) }
      state.withLock {
        $0.running -= 1
        $0.titles.append(result.value?[CKShare.SystemFieldKey.title] as? String ?? "")
      }
    }
    for title in ["One", "Two"] { try retitle(share, title) }
    // The blocked observer does not delay the other one.
    #expect(await events.first(3) == ["saved Before", "saved One", "saved Two"])
    #expect(state.withLock { $0.titles } == [])
    mayGo.withLock { $0 = true }
    for _ in 0..<1000 where state.withLock({ $0.titles.count }) < 2 { try? await Task.sleep(nanoseconds: 20_000_000) }
    #expect(state.withLock { $0.titles } == ["One", "Two"])
    #expect(state.withLock { $0.most } == 1)
    withExtendedLifetime((observers, slow)) {}
  }

  @Test("a released observer, and one whose blocks are removed, get no more calls")
  func releasedObserverAndOneWhoseBlocks() async throws {
    let share = try await stage.share()
    let lasting = try observer()
    let (other, silent) = (SharingEvents(), SharingEvents())
    var observer: CKSystemSharingUIObserver? = try self.observer(other)
    let emptied = try self.observer(silent)
    try retitle(share, "One")
    #expect(await other.first(1) == ["saved One"])
    #expect(await silent.first(1) == ["saved One"])
    #expect(observer?.systemSharingUIDidSaveShareBlock != nil)
    observer = nil
    emptied.systemSharingUIDidSaveShareBlock = nil
    #expect(emptied.systemSharingUIDidSaveShareBlock == nil)
    try retitle(share, "Two")
    try delete(id(share))
    #expect(await events.first(3) == ["saved One", "saved Two", "stopped"])
    #expect(await silent.first(2) == ["saved One", "stopped"])
    #expect(other.texts == ["saved One"])
    withExtendedLifetime((lasting, emptied)) {}
  }

  @Test("after another account signs in on the device, its changes are reported")
  func switchedDevice() async throws {
    let share = try await stage.share(with: ["bob"])
    try await stage.join(stage.bob, share)
    let observer = try observer()
    try retitle(share, "Alice's")
    #expect(await events.first(1) == ["saved Alice's"])
    _ = try service.devices.signIn("bob", on: "alice-device")
    try delete(id(share, owner: stage.theirs.ownerName), .shared, as: "bob", device: "alice-device")
    #expect(await events.first(2) == ["saved Alice's", "stopped"])
    withExtendedLifetime(observer) {}
  }

  @Test("an observer that is created before the account and the device starts when a block is set")
  func observerThatIsCreatedBeforeTheAccount() async throws {
    let observer = try observer(as: "dora")
    #expect(try service.devices.device("dora-device") == nil)
    _ = try service.accounts.addAccount("dora", AccountChanges())
    events.follow(observer)
    let zone = ZoneIdentifier(name: "Home")
    let dora = stage.cloud.cloud.caller("dora")
    _ = try service.zones.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: dora).saves[0].get()
    let share = RecordSave(
      id: RecordIdentifier(name: Record.zoneWideShareName, zone: zone), type: Record.shareType,
      fields: ["cloudkit.title": .string("First")], share: ShareSave(root: nil, participants: []))
    _ = try service.devices.modifyShare(
      share.id, ModifyRecordsRequest(scope: .private, saves: [share]), by: dora, untold: { Issue.record($0) })
    #expect(await events.first(1) == ["saved First"])
    #expect(events.all[0].id.recordName == CKRecordNameZoneWideShare)
    withExtendedLifetime(observer) {}
  }

  @Test("a damaged log does not prevent sharing, and after its repair changes are reported again")
  func damagedLogDoesNotPreventSharing() async throws {
    let share = try await stage.share()
    let observer = try observer()
    for title in ["One", "Two"] { try retitle(share, title) }
    #expect(await events.first(2).count == 2)
    let folder = try Directory.open(
      path: stage.cloud.cloud.path + "/devices/alice-device/sharing", in: FileSystem())
    try folder.writeStaged("events.jsonl", Array("broken\n".utf8))
    let untold = Mutex<[ServiceError]>([])
    let save = RecordSave(id: id(share), type: Record.shareType, share: ShareSave(root: nil, participants: []))
    let request = ModifyRecordsRequest(scope: .private, saves: [save])
    _ = try service.devices.modifyShare(save.id, request, by: stage.cloud.cloud.caller("alice")) { error in
      untold.withLock { $0.append(error) }
    }
    #expect(untold.withLock { $0.map(\.cause) } == [.damage])
    #expect(try service.checks.check().map(\.path) == [folder.path(of: "events.jsonl")])
    #expect(try service.repairs.repair().left == [])
    try retitle(share, "Three")
    #expect(await events.first(3) == ["saved One", "saved Two", "saved Three"])
    withExtendedLifetime(observer) {}
  }
}
