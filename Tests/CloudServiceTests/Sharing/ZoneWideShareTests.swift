import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Sharing a whole zone, from creation to its end")
struct ZoneWideShareTests: OnNotesStage {
  let stage: NotesStage

  init() throws { stage = try NotesStage() }

  private func share(
    _ zone: Person, name: ExactName = Record.zoneWideShareName, with people: [(String, SharePermission)] = [],
    publicPermission: SharePermission = .none
  ) throws -> Record {
    let participants = try people.map { account, permission in
      var participant = try zone.service.sharing.participants(for: [.email("\(account)@example.com")], by: zone.caller)[
        0
      ].get()
      participant.permission = permission
      return participant
    }
    return try zone.save(
      RecordSave(
        id: zone.id(name), type: Record.shareType,
        share: ShareSave(root: nil, publicPermission: publicPermission, participants: participants)))
  }

  /// The error code for a hierarchical share of the record `root`; nil for success.
  private func shareOfRoot(_ name: ExactName) throws -> ServiceError.Code? {
    let response = try alice.modify([
      alice.note("root", tag: try alice.fetch("root").changeTag),
      RecordSave(id: alice.id(name), type: Record.shareType, share: ShareSave(root: "root")),
    ])
    return code { try response.saves[1].get() }
  }

  private func fetchZone(_ person: Person) throws -> Zone {
    try person.service.zones.list([person.zone], in: person.scope, by: person.caller)[0].get()
  }

  private func metadata(_ share: Record, _ person: Person) throws -> ShareMetadata {
    try person.service.sharing.shareMetadata(
      ShareMetadataRequest(url: share.shareDetails?.url ?? "", fetchesRootRecord: true), by: person.caller)
  }

  @Test("an ordinary record with the share's name shares nothing, and all other rules still apply")
  func ordinaryRecord() throws {
    try alice.save(alice.note("cloudkit.zoneshare", "1"))
    #expect(try fetchZone(alice).share == nil)
    try alice.save(alice.note("root", "2"))
    try alice.save(alice.note("other", "3"))
    #expect(try shareOfRoot("first") == nil)
    // A record with its own share can't move below another share's root ([share-tree-7]).
    let response = try alice.modify([
      alice.note("other", tag: try alice.fetch("other").changeTag),
      RecordSave(id: alice.id("second"), type: Record.shareType, share: ShareSave(root: "other")),
    ])
    _ = try response.saves.map { try $0.get() }
    let move = alice.note("other", tag: try alice.fetch("other").changeTag, parent: .set("root", zone: nil))
    #expect(code { try alice.save(move) } == .alreadyShared)
    #expect(try alice.service.checks.check().isEmpty)
  }

  // [share-zone-1], [share-zone-2]
  @Test("a zone-wide share covers all present and future records, and their share property stays nil")
  func zoneWideShareCoversAllPresent() throws {
    try alice.save(alice.note("old", "1"))
    try alice.save(alice.note("child", "2", parent: .set("old", zone: nil)))
    let share = try share(alice, with: [("bob", .readWrite)])
    #expect(share.id.name == "cloudkit.zoneshare")
    #expect(share.shareDetails?.root == nil)
    #expect(try alice.fetch("old").share == nil)
    #expect(code { try bob.fetch("old") } == .zoneNotFound)

    try bob.accept(share)
    #expect(try bob.databaseChanges().changed == [bob.zone])
    let first = try bob.changes()
    #expect(Set(first.changed.map(\.id.name)) == ["old", "child", "cloudkit.zoneshare"])
    #expect(try bob.fetch("child").fields["text"] == .string("2"))
    #expect(try bob.fetch("cloudkit.zoneshare").shareDetails?.participants.map(\.acceptance) == [.accepted, .accepted])

    let before = try bob.databaseChanges().token
    try alice.save(alice.note("new", "3"))
    #expect(try bob.databaseChanges(since: before).changed == [bob.zone])
    let second = try bob.changes(since: first.token)
    #expect(second.changed.map(\.id.name) == ["new"])
    #expect(second.deleted.isEmpty)
    try alice.save(alice.note("child", "4", parent: .clear), policy: .allKeys)
    _ = try alice.modify(delete: ["old"]).deletes[0].get()
    let third = try bob.changes(since: second.token)
    #expect(third.changed.map(\.id.name) == ["child"])
    #expect(third.deleted.map(\.record.name) == ["old"])
    #expect(third.deleted.map(\.type) == ["Note"])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "participants with write permission can add, change and delete any record of the zone")
  func participantsWithWritePermissionCanAddChange() throws {
    try alice.save(alice.note("old", "1"))
    let share = try share(alice, with: [("bob", .readWrite), ("carol", .readOnly)])
    try bob.accept(share)
    try carol.accept(share)
    let saved = try bob.save(bob.note("bobs", "b"))
    #expect(try alice.fetch("bobs").changeTag == saved.changeTag)
    try bob.save(bob.note("below", "b", parent: .set("bobs", zone: nil)))
    try bob.save(bob.note("below", "b", tag: try bob.fetch("below").changeTag, parent: .clear))
    #expect(try alice.fetch("below").parent == nil)
    try bob.save(bob.note("old", "2", tag: try bob.fetch("old").changeTag))
    #expect(try carol.fetch("old").fields["text"] == .string("2"))
    _ = try bob.modify(delete: ["old"]).deletes[0].get()
    #expect(code { try alice.fetch("old") } == .unknownItem)

    #expect(code { try carol.save(carol.note("carols", "c")) } == .permissionFailure)
    #expect(code { try carol.save(carol.note("bobs", "c"), policy: .allKeys) } == .permissionFailure)
    #expect(code { try carol.modify(delete: ["bobs"]).deletes[0].get() } == .permissionFailure)
    #expect(Set(try carol.changes().changed.map(\.id.name)) == ["bobs", "below", "cloudkit.zoneshare"])
    #expect(try cloud.service.checks.check() == [])
  }

  // [share-link-3]
  @Test("a zone-wide share's metadata has no root; the zone has its share's name and its own capabilities")
  func metadata() throws {
    let before = try fetchZone(alice)
    #expect(before.share == nil)
    #expect(before.capabilities == 15)
    try alice.save(alice.note("note", "1"))
    let share = try share(alice, with: [("bob", .readOnly)])
    let metadata = try metadata(share, bob)
    #expect(metadata.root == nil)
    #expect(metadata.rootRecord == nil)
    #expect(metadata.status == .pending)
    #expect(metadata.permission == .readOnly)
    #expect(try fetchZone(alice).share == "cloudkit.zoneshare")
    try bob.accept(share)
    #expect(try fetchZone(bob).share == "cloudkit.zoneshare")
    #expect(try fetchZone(bob).capabilities == 3)
    // The answer to a repeated save of the zone has its share too.
    let again = try alice.service.zones.modifyZones(
      ModifyZonesRequest(scope: .private, saves: [alice.zone]), by: alice.caller)
    #expect(try again.saves[0].get().share == "cloudkit.zoneshare")
  }

  @Test("conflicts of both kinds of shares have three different error codes ([share-zone-3])")
  func conflictsOfBothKindsOfShares() throws {
    try alice.save(alice.note("root", "1"))
    let share = try share(alice)
    #expect(code { try self.share(alice) } == .serverRecordChanged)
    #expect(try shareOfRoot("Share-1") == .serverRejectedRequest)
    #expect(try alice.fetch("root").share == nil)
    _ = try alice.modify(delete: [share.id.name]).deletes[0].get()

    try alice.share("root")
    #expect(code { try self.share(alice) } == .invalidArguments)
    #expect(code { try alice.fetch("cloudkit.zoneshare") } == .unknownItem)
    _ = try alice.modify(delete: ["Share-1"]).deletes[0].get()
    _ = try self.share(alice)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a zone-wide and a hierarchical share in one request are both refused")
  func bothAtOnce() throws {
    let root = try alice.save(alice.note("root", "1"))
    let response = try alice.modify([
      alice.note("root", tag: root.changeTag),
      RecordSave(id: alice.id("Share-1"), type: Record.shareType, share: ShareSave(root: "root")),
      RecordSave(id: alice.id("cloudkit.zoneshare"), type: Record.shareType, share: ShareSave(root: nil)),
    ])
    #expect(response.saves.allSatisfy { if case .failure = $0 { true } else { false } })
    #expect(try fetchZone(alice).share == nil)
    #expect(try alice.fetch("root").share == nil)
  }

  @Test("a zone-wide share is refused in the default zone, in a foreign zone and under another name ([share-zone-1])")
  func zoneWideShareIsRefused() throws {
    var inDefault = alice
    inDefault.zone = .default
    #expect(code { try share(inDefault) } == .invalidArguments)
    #expect(code { try share(alice, name: "Share-1") } == .invalidArguments)
    try alice.save(alice.note("root", "1"))
    #expect(try shareOfRoot("cloudkit.zoneshare") == .invalidArguments)
    try bob.accept(try alice.share("root", publicPermission: .readWrite))
    #expect(code { try share(bob) } == .permissionFailure)
    #expect(code { try share(carol) } == .zoneNotFound)
  }

  // [share-end-4], [share-zone-4]
  @Test(
    "after a zone-wide share ends the records stay and participants lose the zone; shared again, it has the same link")
  func afterAZoneWideShareEnds() throws {
    try alice.save(alice.note("note", "1"))
    let first = try share(alice, with: [("bob", .readWrite)])
    try bob.accept(first)
    let token = try bob.changes().token
    let database = try bob.databaseChanges().token
    _ = try alice.modify(delete: [first.id.name]).deletes[0].get()
    #expect(try alice.fetch("note").fields["text"] == .string("1"))
    #expect(code { try bob.fetch("note") } == .zoneNotFound)
    #expect(try bob.databaseChanges(since: database).deleted.map(\.zone) == [bob.zone])
    #expect(code { try metadata(first, bob) } == .unknownItem)
    #expect(try fetchZone(alice).share == nil)

    let second = try share(alice)
    #expect(second.shareDetails?.url == first.shareDetails?.url)
    #expect(code { try bob.accept(second) } == .permissionFailure)
    var record = try alice.fetch(second.id.name)
    let participants = try alice.service.sharing.participants(for: [.email("bob@example.com")], by: alice.caller)
    let list = (record.shareDetails?.participants ?? []) + [try participants[0].get()]
    record = try alice.save(
      RecordSave(
        id: record.id, type: Record.shareType, changeTag: record.changeTag,
        share: ShareSave(root: nil, participants: list)))
    try bob.accept(record)
    #expect(code { try bob.changes(since: token) } == .changeTokenExpired)
    #expect(Set(try bob.changes().changed.map(\.id.name)) == ["note", "cloudkit.zoneshare"])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "a participant leaves by deleting share or zone; after joining again old tokens expire ([change-shared-7])"
  )
  func participantLeavesByDeletingShareOrZone() throws {
    try alice.save(alice.note("note", "1"))
    let share = try share(alice, with: [("bob", .readWrite), ("carol", .readOnly)])
    try bob.accept(share)
    try carol.accept(share)
    let token = try bob.changes().token
    _ = try bob.modify(delete: ["cloudkit.zoneshare"]).deletes[0].get()
    #expect(code { try bob.fetch("note") } == .zoneNotFound)
    try carol.service.zones.modifyZones(ModifyZonesRequest(scope: .shared, deletes: [carol.zone]), by: carol.caller)
      .deletes[
        0
      ]
      .get()
    #expect(code { try carol.fetch("note") } == .zoneNotFound)
    let list = try alice.fetch("cloudkit.zoneshare").shareDetails?.participants ?? []
    #expect(list.map(\.acceptance) == [.accepted, .pending, .pending])
    #expect(try alice.fetch("note").fields["text"] == .string("1"))
    try bob.accept(share)
    #expect(code { try bob.changes(since: token) } == .changeTokenExpired)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a user of the link of a public zone gets its permission, and loses writing when it is lowered")
  func userOfTheLinkOfAPublic() throws {
    let share = try share(alice, publicPermission: .readWrite)
    try bob.accept(share)
    try bob.save(bob.note("bobs", "1"))
    let edited = try alice.save(
      RecordSave(
        id: share.id, type: Record.shareType, changeTag: try alice.fetch(share.id.name).changeTag,
        share: ShareSave(
          root: nil, publicPermission: .readOnly,
          participants: try alice.fetch(share.id.name).shareDetails?.participants ?? [])))
    #expect(edited.shareDetails?.participants.map(\.permission) == [.readWrite, .readOnly])
    #expect(code { try bob.save(bob.note("more", "1")) } == .permissionFailure)
    #expect(try bob.fetch("bobs").fields["text"] == .string("1"))
  }

  @Test("after random changes the owner's and a participant's paged feeds lead to the same records")
  func afterRandomChangesTheOwners() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    try alice.save(alice.note("n0", "0"))
    let share = try share(alice, with: [("bob", .readWrite)])
    try bob.accept(share)
    var (ours, theirs): (Replica, Replica) = (Replica(), Replica())
    for step in 0..<120 {
      let person = Bool.random(using: &random) ? alice : bob
      let name = ExactName("n\(Int.random(in: 0..<12, using: &random))")
      let parent = ExactName("n\(Int.random(in: 0..<12, using: &random))")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: _ = try person.modify(delete: [name])
      case 1: _ = try person.modify([person.note(name, "\(step)", parent: .set(parent, zone: nil))], policy: .allKeys)
      default: _ = try person.modify([person.note(name, "\(step)", parent: .clear)], policy: .allKeys)
      }
      if step % 7 == 0 { try ours.follow(alice, limit: 2) }
      if step % 5 == 0 { try theirs.follow(bob, limit: 3) }
    }
    try ours.follow(alice, limit: 2)
    try theirs.follow(bob, limit: 3)
    var (oursFromNil, theirsFromNil): (Replica, Replica) = (Replica(), Replica())
    try oursFromNil.follow(alice, limit: 5)
    try theirsFromNil.follow(bob, limit: 4)
    #expect(ours.texts == theirs.texts, "seed \(seed)")
    #expect(oursFromNil.texts == ours.texts, "seed \(seed)")
    #expect(theirsFromNil.texts == ours.texts, "seed \(seed)")
    #expect(try cloud.service.checks.check() == [], "seed \(seed)")
  }

  /// The records of a client that follows the feed.
  private struct Replica {
    var token: String?
    var texts: [ExactName: FieldValue] = [:]

    mutating func follow(_ person: Person, limit: Int) throws {
      while true {
        let page = try person.changes(since: token, limit: limit)
        for record in page.changed { texts[record.id.name] = record.fields["text"] ?? .string("share") }
        for deletion in page.deleted { texts[deletion.record.name] = nil }
        token = page.token
        if !page.moreComing { return }
      }
    }
  }

  @Test("a stored link name that can't be a file name is replaced by a new one")
  func hostileLink() throws {
    let zone = try cloud.zoneFolder()
    var object = try #require(try JSONValue(parsing: zone.contents("zone.json") ?? []).object)
    object["shortGUID"] = "../../../../../evil"
    try zone.writeStaged("zone.json", JSONValue.object(object).pretty())
    let url = try share(alice).shareDetails?.url
    #expect(url.map { !$0.contains("..") } == true)
    #expect(try cloud.service.checks.check() == [])
  }
}
