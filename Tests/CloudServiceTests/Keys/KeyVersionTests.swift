import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Values written after a person lost access are sealed under keys that the person never had")
struct KeyVersionTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let carol: Person

  init() throws {
    cloud = try TemporaryCloud()
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    carol = try Person(cloud, "carol").inShared(zoneOf: alice)
  }

  private func under(_ parent: ExactName) -> ParentEdit { .set(parent, zone: nil) }

  enum Kind: CaseIterable { case hierarchy, zone, perZone }

  enum Ending: CaseIterable {
    case removed, removedByAdministrator, leftByShare, leftByZone, leftByList, lowered, blocked, closed, stopped
  }

  /// Shares Alice's zone with `root`, its child `child` and its grandchild `leaf` with Bob and Carol, or publicly.
  private func share(_ kind: Kind, isOpen: Bool = false) throws -> ExactName {
    _ = try cloud.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, saves: [alice.zone], perZone: kind == .perZone ? [alice.zone] : []),
      by: alice.caller
    ).saves[0].get()
    try alice.save(alice.secret("root", "old root"))
    try alice.save(alice.secret("child", "old child", parent: under("root")))
    try alice.save(alice.secret("leaf", "old leaf", parent: under("child")))
    let people = isOpen ? [] : ["bob", "carol"]
    let saved: Record
    if kind == .hierarchy {
      saved = try alice.share("root", with: people, publicPermission: isOpen ? .readWrite : .none)
    } else {
      saved = try alice.save(
        RecordSave(
          id: alice.id(Record.zoneWideShareName), type: Record.shareType,
          share: ShareSave(
            root: nil, publicPermission: isOpen ? .readWrite : .none,
            participants: try people.map { try alice.invitation($0) })))
    }
    for person in [bob, carol] { try person.accept(saved) }
    return saved.id.name
  }

  private func end(_ ending: Ending, _ share: ExactName) throws {
    let bobs = try cloud.service.accounts.userRecordName(by: bob.caller)
    let isBob = { (participant: Participant) in participant.identity.userRecordName == bobs }
    switch ending {
    case .removed: try alice.edit(share) { $0.participants.removeAll(where: isBob) }
    case .removedByAdministrator:
      try alice.edit(share) { $0.participants[2].role = .administrator }
      try carol.edit(share) { $0.participants.removeAll(where: isBob) }
    case .leftByShare: try bob.modify(delete: [share]).deletes[0].get()
    case .leftByZone:
      try cloud.service.zones.modifyZones(ModifyZonesRequest(scope: .shared, deletes: [bob.zone]), by: bob.caller)
        .deletes[0].get()
    case .leftByList: try bob.edit(share) { $0.participants.removeAll(where: isBob) }
    case .lowered: try alice.edit(share) { $0.participants[1].permission = .none }
    case .blocked: try alice.edit(share) { $0.accessRequests.blocked = [$0.participants[1].identity] }
    case .closed: try alice.edit(share) { $0.publicPermission = .none }
    case .stopped: try alice.modify(delete: [share]).deletes[0].get()
    }
  }

  private func expectOld(_ thief: KeyThief, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(
      try thief.loot() == [
        "root.secret": "old root", "child.secret": "old child", "leaf.secret": "old leaf",
      ], "the thief's tools work", sourceLocation: sourceLocation)
  }

  // [encryption-share-3]
  @Test(
    "a copy of a participant's device and of the tree opens no value that is written after the participant lost access",
    arguments: Kind.allCases, Ending.allCases)
  func copyOfAParticipantsDevice(_ kind: Kind, _ ending: Ending) throws {
    let share = try share(kind, isOpen: ending == .closed)
    var thief = try KeyThief(as: bob, into: alice)
    try thief.copy(cloud)
    try expectOld(thief)
    try end(ending, share)
    try thief.copy(cloud)
    try expectOld(thief)

    // A remaining participant writes first, if there is one. Then the owner changes old records and adds new ones.
    let isAlone = ending == .closed || ending == .stopped
    let other = isAlone ? alice : carol
    try other.save(other.secret("child", "new child"), policy: .changedKeys)
    try thief.copy(cloud)
    #expect(try thief.loot() == ["root.secret": "old root", "leaf.secret": "old leaf"])
    try other.save(other.secret("added", "new added", parent: under("leaf")))
    try alice.save(alice.secret("root", "new root"), policy: .changedKeys)
    try alice.save(alice.secret("below", "new below", parent: under("added")))
    var more = RecordSave(id: alice.id("leaf"), type: "Note")
    more.encryptedFields = ["more": .string("new more")]
    try alice.save(more, policy: .changedKeys)
    try thief.copy(cloud)
    // The attacker can still read values that did not change.
    #expect(try thief.loot() == ["leaf.secret": "old leaf"])

    for person in isAlone ? [alice, alice.on("phone")] : [alice, carol, alice.on("phone"), carol.on("tablet")] {
      #expect(try person.read("root") == "new root" && person.read("child") == "new child")
      #expect(try person.read("leaf") == "old leaf" && person.read("added") == "new added")
      #expect(try person.fetch("leaf").encryptedFields["more"] == .string("new more"))
      #expect(try person.read("below") == "new below")
    }
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try cloud.service.checks.check() == [])
    // After a new invitation Bob reads all values.
    if ending == .removed {
      try bob.accept(try alice.edit(share) { $0.participants.append(try alice.invitation("bob")) })
      #expect(try bob.read("leaf") == "old leaf" && bob.read("below") == "new below")
    }
  }

  @Test("each of several removals leads to a new key, and participants can still read the values of all earlier keys")
  func manyTimes() throws {
    let share = try share(.hierarchy)
    var thief = try KeyThief(as: bob, into: alice)
    for round in 0..<5 {
      try thief.copy(cloud)
      try end(.removed, share)
      var save = RecordSave(id: carol.id("leaf"), type: "Note")
      save.encryptedFields = ["round\(round)": .string("\(round)")]
      try carol.save(save, policy: .changedKeys)
      try thief.copy(cloud)
      #expect(try thief.loot()["leaf.round\(round)"] == nil)
      try bob.accept(try alice.edit(share) { $0.participants.append(try alice.invitation("bob")) })
      let all = Dictionary(uniqueKeysWithValues: (0...round).map { ("round\($0)", FieldValue.string("\($0)")) })
      for person in [alice, bob, carol] {
        #expect(
          try person.fetch("leaf").encryptedFields == all.merging(["secret": .string("old leaf")]) { first, _ in first }
        )
      }
    }
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "a record that moves out of a share or into another share gets new keys ([encryption-share-2])",
    arguments: [false, true])
  func recordThatMovesOutOfAShare(intoAnother: Bool) throws {
    _ = try share(.hierarchy)
    try alice.save(alice.secret("other", "old other"))
    try carol.accept(try alice.share("other", share: "Share-2", with: ["carol"]))
    var thief = try KeyThief(as: bob, into: alice)
    try thief.copy(cloud)
    // The move and a new value in one save.
    try alice.save(
      alice.secret("child", "new child", parent: intoAnother ? under("other") : .clear), policy: .changedKeys)
    try alice.save(alice.secret("leaf", "new leaf"), policy: .changedKeys)
    let writer = intoAnother ? carol : alice
    try writer.save(writer.secret("added", "new added", parent: under("leaf")))
    try thief.copy(cloud)
    #expect(try thief.loot() == ["root.secret": "old root"])
    // Records that stay in the share keep the keys that Bob has.
    try alice.save(alice.secret("root", "newer root"), policy: .changedKeys)
    try thief.copy(cloud)
    #expect(try thief.loot() == ["root.secret": "newer root"])
    #expect(
      try alice.read("child") == "new child" && alice.read("leaf") == "new leaf" && alice.read("added") == "new added")
    if intoAnother { #expect(try carol.read("leaf") == "new leaf" && carol.read("child") == "new child") }
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "a batch that removes a participant or ends the share, and saves a value, seals that value under a new key",
    arguments: [false, true])
  func batchThatRemovesAParticipantOrEnds(stopping: Bool) throws {
    let share = try share(.hierarchy)
    var thief = try KeyThief(as: bob, into: alice)
    try thief.copy(cloud)
    let value = alice.secret("leaf", "new leaf", tag: try alice.fetch("leaf").changeTag)
    if stopping {
      _ = try alice.modify([value], delete: [share]).saves[0].get()
    } else {
      let record = try alice.fetch(share)
      var details = try #require(record.shareDetails)
      details.participants.remove(at: 1)
      let list = RecordSave(
        id: record.id, type: Record.shareType, changeTag: record.changeTag, share: ShareSave(details))
      for save in try alice.modify([value, list]).saves { _ = try save.get() }
      #expect(try carol.read("leaf") == "new leaf")
    }
    try thief.copy(cloud)
    #expect(try thief.loot() == ["root.secret": "old root", "child.secret": "old child"])
    #expect(try alice.read("leaf") == "new leaf")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "the number of files that a removal writes does not depend on the number of records", arguments: Kind.allCases)
  func numberOfFilesThatARemovalWrites(_ kind: Kind) throws {
    let share = try share(kind)
    for start in stride(from: 0, to: 600, by: 200) {
      let saves = (start..<start + 200).map { alice.secret(ExactName("n\($0)"), "\($0)", parent: under("leaf")) }
      for save in try alice.modify(saves).saves { _ = try save.get() }
    }
    let folder = alice.folder() + "/"
    func files() throws -> [String: [UInt8]] {
      try FolderImage(of: cloud.path).paths().filter { path, _ in
        path.hasPrefix(folder + "keys/") || path.hasPrefix(folder + "records/")
      }
    }
    let before = try files()
    try end(.removed, share)
    let after = try files()
    let changed = Set(after.filter { before[$0.key] != $0.value }.keys.map { String($0.dropFirst(folder.count)) })
    let name = FileName.document(share.string)
    let target = kind == .hierarchy ? "keys/records/root.json" : "keys/zone.json"
    #expect(changed == ["records/\(name)", "keys/shares/\(name)", target])
    #expect(try carol.read("n599") == "599" && alice.read("n0") == "0")
  }

  private func file(_ path: String) throws -> JSONObject {
    let parts = path.split(separator: "/").map(String.init)
    let folder = try cloud.directory(([alice.folder(), "keys"] + parts.dropLast()).joined(separator: "/"))
    let bytes = try #require(try folder.contents(parts.last ?? ""))
    return try #require(try JSONValue(parsing: bytes).object)
  }

  private func write(_ object: JSONObject, _ path: String) throws {
    let parts = path.split(separator: "/").map(String.init)
    let folder = try cloud.directory(([alice.folder(), "keys"] + parts.dropLast()).joined(separator: "/"))
    try folder.writeStaged(parts.last ?? "", JSONValue.object(object).pretty())
  }

  @Test(
    "before a removal key files have their old form; after it, older programs find no key in them"
  )
  func files() throws {
    let share = try share(.hierarchy)
    #expect(try file("records/root.json").keys == ["recordName", "sequence", "zone"])
    #expect(try file("records/child.json").keys == ["parent", "recordName", "sequence", "zone"])
    #expect(try file("shares/Share-1.json").keys == ["links", "opens", "people", "recordName", "sequence"])
    try end(.removed, share)
    try alice.save(alice.secret("leaf", "new"), policy: .changedKeys)
    #expect(try file("records/leaf.json").keys == ["earlier", "newest", "sequence"])
    #expect(try file("shares/Share-1.json").keys == ["links", "opens", "people", "recordName", "sequence", "version"])
    let bytes = try #require(try cloud.directory(alice.folder() + "/records").contents("leaf.json"))
    #expect(try JSONValue(parsing: bytes)["fields"]?["secret"]?["keyVersion"] == 2)
    #expect(try file("zone.json").keys == ["owner", "sequence"])
  }

  @Test(
    "check finds a missing key version, and a share with a wrong version is repaired by repair and a save")
  func checkFindsAMissingKeyVersion() throws {
    let share = try share(.hierarchy)
    try end(.removed, share)
    try alice.save(alice.secret("leaf", "new"), policy: .changedKeys)
    let whole = try file("records/leaf.json")
    var cut = whole
    cut["newest"] = nil
    cut["earlier"] = nil
    for (key, value) in whole["newest"]?.object ?? [:] { cut[key] = value }
    try write(cut, "records/leaf.json")
    #expect(try cloud.service.checks.check().map(\.text).contains("no key leads to its encrypted values"))
    #expect(code { try alice.fetch("leaf") } == .internalError)
    #expect(try alice.read("root") == "old root")
    try write(whole, "records/leaf.json")
    #expect(try cloud.service.checks.check() == [] && alice.read("leaf") == "new")

    var object = try file("shares/Share-1.json")
    object["version"] = 3
    try write(object, "shares/Share-1.json")
    #expect(try cloud.service.checks.check().map(\.text) == ["it opens version 3 of a key that has others"])
    #expect(code { try carol.fetch("root") } == .internalError)
    #expect(try cloud.service.repairs.repair().left == [])
    try alice.save(alice.note("root", "1"), policy: .changedKeys)
    #expect(try carol.read("root") == "old root" && carol.read("leaf") == "new")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "after key replacements the owner's reset ends the zone, and a participant's reset is undone by joining again"
  )
  func afterKeyReplacementsTheOwnersResetEnds() throws {
    let share = try share(.hierarchy)
    try end(.removed, share)
    try alice.save(alice.secret("leaf", "new"), policy: .changedKeys)
    var thief = try KeyThief(as: carol, into: alice)
    try thief.copy(cloud)
    _ = try cloud.service.keys.resetKeys(of: "carol", container: TemporaryCloud.container)
    #expect(failure { try carol.fetch("leaf") }?.isEncryptedDataReset == true)
    // The key pair that was reset counts as stolen.
    try alice.save(alice.secret("child", "newer"), policy: .changedKeys)
    try carol.accept(try alice.fetch(share))
    #expect(try carol.read("leaf") == "new" && carol.read("root") == "old root" && carol.read("child") == "newer")
    try thief.copy(cloud)
    #expect(try thief.loot()["child.secret"] == nil)
    #expect(try cloud.service.checks.check() == [])
    let reset = try cloud.service.keys.resetKeys(of: "alice", container: TemporaryCloud.container)
    #expect(reset.zones.map(\.zone.name) == ["Notes"])
    #expect(failure { try alice.fetch("root") }?.isEncryptedDataReset == true)
  }

  @Test("without libcrypto a participant can be removed, and no value is sealed until the keys can be replaced")
  func withoutLibrary() throws {
    let share = try share(.hierarchy)
    var thief = try KeyThief(as: bob, into: alice)
    try thief.copy(cloud)
    var settings = cloud.service.settings
    settings.cryptography = { () throws(CryptographyError) in throw .unavailable(["libcrypto.so.3"]) }
    let without = Person(cloud, "alice", by: CloudService(cloud: cloud.service.cloud, settings: settings))
    let record = try alice.fetch(share)
    var details = try #require(record.shareDetails)
    details.participants.remove(at: 1)
    try without.save(
      RecordSave(id: record.id, type: Record.shareType, changeTag: record.changeTag, share: ShareSave(details)))
    #expect(code { try without.save(without.secret("leaf", "x"), policy: .changedKeys) } != nil)
    try carol.save(carol.secret("leaf", "new"), policy: .changedKeys)
    try thief.copy(cloud)
    #expect(try thief.loot()["leaf.secret"] == nil)
    #expect(try alice.read("leaf") == "new" && carol.read("child") == "old child")
    #expect(try cloud.service.checks.check() == [])
  }
}
