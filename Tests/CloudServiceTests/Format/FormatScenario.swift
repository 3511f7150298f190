import LocalCloudDeviceStore
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

/// Records each path of a created file, and each target path of a rename.
final class MadePaths: Sendable {
  private let paths = Mutex<Set<String>>([])

  func fileSystem(
    boot: String = HostProcess.bootIdentifier,
    _ verdict: @escaping @Sendable (FileSystemCall) -> InjectedFault = { _ in .proceed }
  ) -> FileSystem {
    FileSystem(bootIdentifier: boot) { [self] call in
      switch call {
      case .createFile(let path), .rename(_, let path), .duplicate(_, let path): _ = paths.withLock { $0.insert(path) }
      default: break
      }
      return verdict(call)
    }
  }

  func made(below root: String) -> Set<String> {
    Set(paths.withLock { $0 }.filter { $0.hasPrefix(root + "/") }.map { String($0.dropFirst(root.utf8.count + 1)) })
  }
}

/// A small cloud that contains every kind of file and every key.
struct FormatScenario {
  let cloud: TemporaryCloud
  let alice: Person
  let paths = MadePaths()

  init() throws {
    cloud = try TemporaryCloud(fileSystem: paths.fileSystem()) {
      $0.limits.retainedChanges = 20
      $0.limits.checkpointBytes = 8 << 10
    }
    alice = Person(cloud, "alice")
    try makeAccounts()
    try makeRecords()
    try makeShares()
    try makeWhole()
    try makeKeys()
    try makeRequests()
    try makeCompaction()
    try makeZones()
    try makeDevice()
    try makeNetwork()
    try makeSharing()
    try makeOperation()
    try makeCrowd()
    try makeSubscriptions()
    try makeFaults()
    try makeClock()
  }

  /// Makes the request log the previous one, and begins the next one with a copy of its last line.
  private func fillLog() throws {
    let cloud = cloud.service.cloud
    let lines = try cloud.root.contents(RequestLogFile.name) ?? []
    let last = try #require(lines.split(separator: 0x0A).last)
    try RequestLogFile(of: cloud, fullAt: 1).append(last + [0x0A], LockWaitPolicy())
  }

  /// A long-lived operation with its answers, and the request log.
  private func makeOperation() throws {
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.container) = (cloud.path, .account("alice"), TemporaryCloud.container)
    let session = try Session(
      acting, settings: Settings(acting, variable: { $0 == "LOCALCLOUD_LOG" ? "on" : nil }))
    var caller = session.caller
    let group = OperationContext.Group(
      id: "0123456789ABCDEF", name: "import", quantity: 2, expectedSendSize: "kilobytes",
      expectedReceiveSize: "megabytes")
    let id = "FEDCBA9876543210"
    caller.operation = OperationContext(id: id, kind: "CKModifyRecordsOperation", group: group)
    caller.operation?.life = .long
    let service = CloudService(cloud: cloud.service.cloud, settings: session.service.settings)
    let content: JSONObject = ["kind": "CKModifyRecordsOperation"]
    let held = try service.devices.storeOperation(id, content, isSecret: false, by: caller)
    let asked = zone("Asked")
    for save in [asked.note("long", "1"), asked.note("long", "2")] {
      let request = ModifyRecordsRequest(scope: .private, saves: [save], atomic: false)
      _ = try service.records.modifyRecords(request, by: caller)
    }
    try service.devices.finishOperation(held, ["events": []], isSecret: false, by: caller)
    let sealed = try service.devices.storeOperation("FEDCBA9876543211", content, isSecret: true, by: caller)
    try service.devices.finishOperation(sealed, ["events": []], isSecret: true, by: caller)
    try fillLog()
    _ = try service.subscriptions.list(["none"], in: .private, by: caller)
    let many = (0...20).map { asked.id(ExactName("missing-\($0)")) }
    _ = try service.records.fetchRecords(FetchRecordsRequest(scope: .private, records: many), by: caller)
    let owned = ZoneIdentifier(name: "Asked", owner: "_owner")
    _ = try service.zones.list([owned], in: .shared, by: caller)
    _ = try? service.records.fetchRecords(
      FetchRecordsRequest(scope: .private, records: []),
      by: Caller(
        account: nil, container: TemporaryCloud.container))
  }

  /// Saves a snapshot in place of another one, and restores it. The process stops when the marker says so.
  func stopWhileRestoring() throws {
    let fileSystem = paths.fileSystem { call in
      if case .rename(_, let path) = call, path.contains("/.replaced-"), path.hasSuffix("/accounts") {
        return .stopAfter
      }
      return .proceed
    }
    let cloud = try CloudService.openCloud(cloud.path, in: fileSystem)
    for note in ["first", "second"] {
      _ = try cloud.saveSnapshot("saved", note: note, created: 0, replacing: true, LockWaitPolicy())
    }
    try? cloud.restoreSnapshot("saved", LockWaitPolicy())
  }

  func zone(_ name: String) -> Person {
    var person = alice
    person.zone = ZoneIdentifier(name: ExactName(name))
    return person
  }

  private func makeAccounts() throws {
    var changes = AccountChanges()
    changes.phones = ["+15550100"]
    _ = try cloud.service.accounts.setAccount("carol", changes)
    _ = try cloud.service.accounts.requestPermission(by: cloud.caller("carol"))
    _ = try cloud.service.accounts.webAuthToken(apiToken: "key", by: cloud.caller("carol"))
    _ = try cloud.service.schemas.importSchema("DEFINE SCHEMA CREATE ROLE Editors;", by: cloud.caller("carol"))
    _ = try cloud.service.accounts.setMembership(of: "carol", in: "Editors", true, by: cloud.caller("carol"))
  }

  private func makeRecords() throws {
    try alice.makeZone()
    for name in ["a", "b", "c", "gone"] as [ExactName] { try alice.save(alice.note(name, "1")) }
    var location = LocationValue(latitude: 1, longitude: 2)
    (location.altitude, location.course, location.speed) = (3, 4, 5)
    (location.horizontalAccuracy, location.verticalAccuracy, location.timestamp) = (6, 7, Moment(milliseconds: 8))
    let reference = FieldValue.reference(ReferenceValue(record: "a", action: .deleteSelf))
    var child = alice.note("child", "1", parent: .set("a", zone: nil))
    child.fields["place"] = .location(location)
    child.fields["bytes"] = .bytes([1, 2])
    child.fields["owner"] = reference
    child.fields["validated"] = .reference(ReferenceValue(record: "a", action: .validate))
    child.fields["owners"] = .list(.reference, [reference])
    child.fields["numbers"] = .list(.int64, [.int64(1)])
    child.fields["double"] = .double(1)
    child.fields["time"] = .timestamp(Moment(secondsSince2001: 0.1))
    let files = try ["one", "two"].map { try TemporaryFile($0) }
    child.fields["picture"] = .asset(AssetValue(file: files[0].path))
    child.fields["pictures"] = .list(.asset, files.map { .asset(AssetValue(file: $0.path)) })
    let request = ModifyRecordsRequest(scope: .private, saves: [child], clientChangeTokenData: [1, 2, 3])
    _ = try cloud.service.records.modifyRecords(request, by: alice.caller).saves[0].get()
    try alice.modify(delete: ["gone"]).deletes[0].get()
    // A query creates the index keys for the field.
    let query = Query(recordType: "Note", condition: QueryCondition([QueryFilter("text", .equals, .string("1"))]))
    let found = QueryRecordsRequest(scope: .private, zone: alice.zone, query: query)
    _ = try cloud.service.queries.queryRecords(found, by: alice.caller)
    // The default zone of the public database contains each user's own record.
    let user = RecordIdentifier(name: ExactName(try cloud.service.accounts.userRecordName(by: alice.caller)))
    for scope in [DatabaseScope.public, .private] {
      _ = try cloud.service.records.fetchRecords(FetchRecordsRequest(scope: scope, records: [user]), by: alice.caller)[
        0
      ].get()
    }
  }

  /// Bob joins three shares and loses access to two of them. The first removal is already forgotten at the second one.
  private func makeShares() throws {
    let bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    for name in ["a", "b", "c"] as [ExactName] {
      try bob.accept(try alice.share(name, share: ExactName("Share-\(name)"), with: ["bob"]))
    }
    try alice.modify(delete: ["Share-a"]).deletes[0].get()
    for round in 0..<30 { try alice.save(alice.note("c", "\(round)"), policy: .allKeys) }
    try alice.modify(delete: ["Share-b"]).deletes[0].get()
    // The last entries of the journal contain a share with each kind of invitation.
    let carol = try cloud.service.accounts.userRecordName(by: cloud.caller("carol"))
    let people = try cloud.service.sharing.participants(
      for: [.phone("+15550101"), .userRecordName(carol), .email("nobody@example.com")], by: alice.caller
    ).map {
      var participant = try $0.get()
      participant.permission = .readOnly
      return participant
    }
    let root = try alice.fetch("b")
    let share = RecordSave(
      id: alice.id("Share-d"), type: Record.shareType, share: ShareSave(root: "b", participants: people))
    for save in try alice.modify([alice.note("b", tag: root.changeTag), share]).saves { _ = try save.get() }
  }

  /// Keys made by the owner and by a participant, who then leaves; a zone with one key; keys that were reset.
  private func makeKeys() throws {
    let sealed = zone("Sealed")
    try sealed.makeZone()
    try sealed.save(sealed.note("root", "1"))
    let bob = try Person(cloud, "bob").inShared(zoneOf: sealed)
    var guest = bob
    guest.zone.name = "Sealed"
    try guest.accept(try sealed.share("root", publicPermission: .readWrite))
    try guest.save(guest.secret("child", "hidden", parent: .set("root", zone: nil)))
    try guest.modify(delete: ["Share-1"]).deletes[0].get()
    try sealed.save(sealed.secret("own", "hidden"))
    let one = ZoneIdentifier(name: "One")
    _ = try cloud.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, saves: [one], perZone: [one]), by: alice.caller
    ).saves[0].get()
    try makeLaterKeys()
    _ = try cloud.service.keys.resetKeys(of: "carol", container: TemporaryCloud.container)
  }

  /// A share with an accepted, a blocked and a waiting requester, and with a link for one person.
  private func makeRequests() throws {
    var changes = AccountChanges()
    let people = try ["dora", "emil", "fred"].map { name in
      changes.emails = ["\(name)@example.com"]
      changes.givenName = name
      _ = try cloud.service.accounts.addAccount(name, changes)
      return Person(cloud, name)
    }
    let asked = zone("Asked")
    try asked.makeZone()
    try asked.save(asked.note("a", "1"))
    try asked.share("a")
    let share = try asked.edit { $0.accessRequests.areAllowed = true }
    for person in people {
      try cloud.service.sharing.requestAccess(url: share.shareDetails?.url ?? "", by: person.caller)
    }
    try asked.edit { details in
      details.participants.append(try asked.invitation("dora"))
      details.accessRequests.blocked = [details.accessRequests.requesters[1]]
      details.participants.append(
        Participant(
          participantID: "once", identity: UserIdentity(), role: .privateUser, acceptance: .unknown,
          permission: .readOnly))
    }
  }

  /// A zone that is shared as a whole with Bob.
  private func makeWhole() throws {
    let whole = zone("Whole")
    try whole.makeZone()
    try whole.save(whole.note("a", "1"))
    let share = try whole.save(
      RecordSave(
        id: whole.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(root: nil, publicPermission: .readWrite)))
    try Person(cloud, "bob").accept(share)
    _ = try cloud.service.devices.open(url: share.shareDetails?.url ?? "", by: cloud.caller("bob"))
  }

  /// A zone with a journal that ends with a compaction.
  private func makeCompaction() throws {
    let busy = zone("Busy")
    try busy.makeZone()
    for name in ["a", "gone"] as [ExactName] { try busy.save(busy.note(name, "1")) }
    try busy.modify(delete: ["gone"]).deletes[0].get()
    let records = "containers/\(TemporaryCloud.container)/development/private/alice/zones/Busy"
    let folder = try Directory.open(path: "\(cloud.path)/\(records)", in: FileSystem())
    for round in 0..<1000 {
      try busy.save(busy.note("a", "\(round)"), policy: .allKeys)
      if try folder.contents("changes.jsonl")?.starts(with: Array(#"{"forgotten""#.utf8)) == true { return }
    }
  }

  private func makeZones() throws {
    let gone = zone("Gone")
    try gone.makeZone()
    _ = try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [gone.zone]), by: gone.caller)
      .deletes[0].get()
    for name in ["Broken", "Going"] {
      try zone(name).makeZone()
      try zone(name).save(zone(name).note("a", "1"))
    }
    // The zone's journal stores assets and removes one.
    for text in ["three", "four"] { try zone("Broken").savePicture("picture", text) }
  }

  /// A device with a name and a seed.
  private func makeDevice() throws {
    var acting = ActingIdentity()
    (acting.root, acting.who, acting.device) = (cloud.path, .account("alice"), "phone")
    _ = try Session(acting, settings: Settings(acting, seed: "seed")).newRecordName()
  }

  /// Successful and refused changes by the sharing screen of a device, until the log is compacted.
  private func makeSharing() throws {
    let log = try SharingLog(of: "alice-device", in: cloud.service.cloud)
    _ = try log.watch()
    let share = try alice.fetch("Share-d")
    for _ in 0..<41 {
      let request = ModifyRecordsRequest(scope: .private, deletes: [alice.id("no-share")])
      _ = try cloud.service.devices.modifyShare(
        alice.id("no-share"), request, by: alice.caller, untold: { Issue.record($0) })
    }
    let save = RecordSave(
      id: share.id, type: Record.shareType, changeTag: share.changeTag,
      share: ShareSave(share.shareDetails ?? ShareDetails()))
    let request = ModifyRecordsRequest(scope: .private, saves: [save])
    _ = try cloud.service.devices.modifyShare(share.id, request, by: alice.caller, untold: { Issue.record($0) }).saves[
      0
    ].get()
    var error = ServiceError(
      .serverRecordChanged, "message", internalCode: 2004, cause: .storage, hint: "hint", path: "path", retryAfter: 1,
      serverRecord: share)
    error.isEncryptedDataReset = true
    let event = SharingEvent(.notSaved(error), of: share.id, by: "_0", alice.caller, at: 0)
    try log.append(event.object, LockWaitPolicy())
  }

  /// Subscriptions with every property and to every database, with pushes until their log is compacted. The last
  /// entries of some journals contain pushes.
  private func makeSubscriptions() throws {
    let watched = zone("Watched")
    try watched.makeZone()
    var info = NotificationInfo()
    info.alert = NotificationInfo.Text("Body", key: "KEY", arguments: ["text"])
    info.title = NotificationInfo.Text("Title", key: "KEY", arguments: ["text"])
    info.subtitle = NotificationInfo.Text("Subtitle", key: "KEY", arguments: ["text"])
    (info.actionKey, info.launchImage, info.sound, info.category) = ("ACTION", "image", "sound", "category")
    (info.collapseID, info.desiredKeys) = ("collapse", ["text"])
    (info.badges, info.sendsContentAvailable, info.sendsMutableContent) = (true, true, true)
    try watched.subscribe(in: watched.zone, info)
    try zone("Going").subscribeToZone(type: "Note")
    try watched.subscribeToDatabase()
    var (inPublic, bob) = (alice, Person(cloud, "bob"))
    inPublic.scope = .public
    try inPublic.subscribe()
    bob.scope = .shared
    try bob.subscribeToDatabase()
    for round in 0..<60 { try watched.save(watched.note("a", "\(round)"), policy: .allKeys) }
    let location = LocationValue(latitude: 1, longitude: 2)
    try watched.save(RecordSave(id: watched.id("place"), type: "Place", fields: ["at": .location(location)]))
    let near = QueryFilter("at", .near, .location(location), distance: 5)
    let never = QueryCondition([near], isNever: true)
    let query = SubscriptionQuery(recordType: "Place", fires: .changes, condition: never)
    try watched.subscribe(Subscription(id: "never", kind: .query(query)))
    let phone = cloud.caller("alice", device: "phone")
    let pushes = try cloud.service.pushes.pushLocation(of: phone)
    let lease = try pushes.cursor.hold()
    let first = try #require(try pushes.waiting().first)
    try lease.pass(first.sequence)
    _ = try cloud.service.pushes.repeatPushes([first.sequence], by: phone)
    try watched.subscribe(toType: "Tale", id: "once", fires: [.creation, .once])
    let pushed = zone("Told")
    try pushed.makeZone()
    try pushed.save(pushed.note("a", type: "Tale"))
  }

  private func open(_ fileSystem: FileSystem) throws -> CloudService {
    try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
  }

  private func damage(_ path: String) throws {
    let folder = "\(cloud.path)/containers/\(TemporaryCloud.container)/development/\(path)"
    try Directory.open(path: folder, in: FileSystem()).writeStaged("changes.jsonl", Array("broken\n".utf8))
  }

  /// Two other boots, unreadable database logs, and a repair that starts a new history and sets a log aside.
  func breakAndRepair() throws {
    // The clock stood still until now.
    try cloud.service.clock.set(.offset(-1000))
    _ = try open(paths.fileSystem(boot: "another boot"))
    // Makes the cloud look like a copy.
    try Directory.open(path: cloud.path, in: FileSystem()).writeStaged(".origin", [])
    let alice = Person(cloud, "alice", by: try open(paths.fileSystem()))
    for path in ["private/alice", "shared/bob"] { try damage(path) }
    try alice.save(alice.note("c", "again"), policy: .allKeys)
    try damage("private/alice/zones/Broken")
    _ = try open(paths.fileSystem()).repairs.repair()
  }

  /// Stops a process right before it removes a zone's folder.
  func stopWhileDeleting() throws {
    let fileSystem = paths.fileSystem { call in
      if case .rename(_, let new) = call, new.contains("/.deleted-") { return .stopBefore }
      return .proceed
    }
    _ = try? open(fileSystem).zones.modifyZones(
      ModifyZonesRequest(scope: .private, deletes: [zone("Going").zone]), by: alice.caller)
  }
}
