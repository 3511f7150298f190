import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Share rules")
struct ShareRuleTests: OnNotesStage {
  let stage: NotesStage

  init() throws {
    stage = try NotesStage()
    try alice.save(alice.note("root", "R"))
    try alice.save(alice.note("child", "C", parent: .set("root", zone: nil)))
  }

  private func newShare(_ name: ExactName, root: ExactName) -> RecordSave {
    RecordSave(id: alice.id(name), type: Record.shareType, share: ShareSave(root: root))
  }

  // MARK: Creating

  // [share-create-1]
  @Test("a new share without its root in the same batch makes the whole request fail with invalidArguments")
  func withoutRoot() throws {
    #expect(code { try alice.modify([newShare("s", root: "root")]) } == .invalidArguments)
    #expect(code { try alice.modify([newShare("s", root: "root"), alice.note("other")]) } == .invalidArguments)
    let root = try alice.fetch("root")
    #expect(
      code { try alice.modify([newShare("s", root: "root"), alice.note("root", tag: root.changeTag)], atomic: false) }
        == .invalidArguments)
    #expect(code { try alice.fetch("s") } == .unknownItem)
  }

  @Test("a share with an unknown public permission is refused ([share-public-4])")
  func unknownPermission() throws {
    var share = newShare("s", root: "root")
    share.share?.publicPermission = .unknown
    let response = try alice.modify([share, alice.note("root", tag: try alice.fetch("root").changeTag)])
    #expect(code { try response.saves[0].get() } == .invalidArguments)
  }

  @Test("with an outdated root the root conflicts, and its new share fails with batchRequestFailed ([share-create-4])")
  func staleRoot() throws {
    let response = try alice.modify([newShare("s", root: "root"), alice.note("root", tag: "zz")])
    #expect(code { try response.saves[0].get() } == .batchRequestFailed)
    #expect(code { try response.saves[1].get() } == .serverRecordChanged)
  }

  @Test("a record with a shared ancestor or descendant, or a share of its own, is alreadyShared ([share-tree-6])")
  func recordWithASharedAncestorOrDescendant() throws {
    try alice.save(alice.note("grandchild", "G", parent: .set("child", zone: nil)))
    try alice.share("child", share: "first")
    for root in ["root", "child", "grandchild"] as [ExactName] {
      let record = try alice.fetch(root)
      let response = try alice.modify([alice.note(root, tag: record.changeTag), newShare("second", root: root)])
      #expect(code { try response.saves[1].get() } == .alreadyShared, "\(root)")
    }
    try alice.save(alice.note("sibling", "S", parent: .set("root", zone: nil)))
    try alice.share("sibling", share: "third")
    #expect(try cloud.service.checks.check() == [])
  }

  // [share-create-5]
  @Test(
    "shares are refused in the default zone and the public database, without any change of the records")
  func wrongZones() throws {
    for (scope, expected) in [(DatabaseScope.private, ServiceError.Code.invalidArguments), (.public, .badDatabase)] {
      var person = alice
      person.zone = .default
      person.scope = scope
      try person.save(person.note("r"))
      let root = try person.fetch("r")
      let share = RecordSave(id: person.id("s"), type: Record.shareType, share: ShareSave(root: "r"))
      let whole = RecordSave(
        id: person.id(Record.zoneWideShareName), type: Record.shareType, share: ShareSave(root: nil))
      for saves in [
        [person.note("r", "2", tag: root.changeTag), share], [share, person.note("r", tag: root.changeTag)],
        [person.note("new", "1"), whole],
      ] {
        let response = try person.modify(saves)
        for save in response.saves { #expect(code { try save.get() } == expected) }
        #expect(try person.fetch("r") == root)
        #expect(code { try person.fetch("new") } == .unknownItem)
      }
    }
  }

  // [share-tree-4]
  @Test("a shared root has a share and a GUID, its children have neither; shared again, the root keeps its URL")
  func rootAndURL() throws {
    let share = try alice.share("root")
    let root = try alice.fetch("root")
    #expect(root.share == "Share-1")
    #expect(root.shortGUID == share.shortGUID)
    #expect(try alice.fetch("child").share == nil)
    _ = try alice.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(try alice.fetch("root").share == nil)
    let again = try alice.share("root", share: "Share-2")
    #expect(again.shareDetails?.url == share.shareDetails?.url)
    #expect(try cloud.service.checks.check() == [])
  }

  // MARK: Metadata and acceptance

  // [share-link-2]
  @Test("share metadata is returned to the owner and invited people; a stranger gets unknownItem")
  func metadata() throws {
    let share = try alice.share("root", with: ["bob"])
    let url = share.shareDetails?.url ?? ""
    func metadata(_ person: Person, root: Bool = false) throws -> ShareMetadata {
      try person.service.sharing.shareMetadata(
        ShareMetadataRequest(url: url, fetchesRootRecord: root), by: person.caller)
    }
    let owner = try metadata(alice)
    #expect(owner.role == .owner)
    #expect(owner.status == .accepted)
    #expect(owner.permission == .readWrite)
    let invited = try metadata(bob, root: true)
    #expect(invited.role == .privateUser)
    #expect(invited.status == .pending)
    #expect(invited.permission == .readWrite)
    #expect(invited.root?.name == "root")
    #expect(invited.rootRecord?.fields["text"] == .string("R"))
    #expect(try metadata(bob).rootRecord == nil)
    #expect(code { try metadata(carol) } == .unknownItem)
    #expect(code { try metadata(Person(cloud, nil)) } == .notAuthenticated)
    for bad in [
      "", "https://www.icloud.com/share/none", "https://www.icloud.com/share/../../cloud", "file:///etc/passwd",
    ] {
      #expect(
        code { try bob.service.sharing.shareMetadata(ShareMetadataRequest(url: bad), by: bob.caller) } == .unknownItem,
        "\(bad)"
      )
    }
    // The fragment has no effect.
    let plain = String(url.prefix { $0 != "#" })
    #expect(
      try bob.service.sharing.shareMetadata(ShareMetadataRequest(url: plain), by: bob.caller).share.id.name == "Share-1"
    )
  }

  // [share-link-5]
  @Test("an invitation to an unknown address gives participantMayNeedVerification until an account has that address")
  func invitationToAnUnknownAddressGives() throws {
    let share = try alice.share("root", with: ["later"])
    #expect(share.shareDetails?.participants[1].identity.hasAccount == false)
    #expect(
      code { try carol.service.sharing.shareMetadata(url(share), by: carol.caller) } == .participantMayNeedVerification)
    #expect(code { try carol.accept(share) } == .permissionFailure)
    var changes = AccountChanges()
    changes.emails = ["carol@example.com", "later@example.com"]
    _ = try cloud.service.accounts.setAccount("carol", changes)
    #expect(try carol.service.sharing.shareMetadata(url(share), by: carol.caller).status == .pending)
    try carol.accept(share)
    #expect(try carol.fetch("child").fields["text"] == .string("C"))
    #expect(try cloud.service.checks.check() == [])
  }

  private func url(_ share: Record) -> ShareMetadataRequest { ShareMetadataRequest(url: share.shareDetails?.url ?? "") }

  // [share-join-2]
  @Test("an invited person may accept twice, the owner and strangers may not, and anyone may accept a public share")
  func invitedPersonMayAcceptTwiceTheOwner() throws {
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    let tag = try alice.fetch("Share-1").changeTag
    try bob.accept(share)
    #expect(try alice.fetch("Share-1").changeTag == tag)
    #expect(code { try alice.accept(share) } == .invalidArguments)
    #expect(code { try carol.accept(share) } == .permissionFailure)
    try alice.save(alice.note("open", "O"))
    let link = try alice.share("open", share: "Share-2", publicPermission: .readOnly)
    try carol.accept(link)
    #expect(try carol.fetch("open").fields["text"] == .string("O"))
    #expect(code { try carol.fetch("root") } == .unknownItem)
    #expect(try alice.fetch("Share-2").shareDetails?.participants.map(\.role) == [.owner, .publicUser])
    #expect(
      code { try carol.save(carol.note("open", "x", tag: try carol.fetch("open").changeTag)) } == .permissionFailure)
    #expect(try cloud.service.checks.check() == [])
  }

  // MARK: Permissions of participants

  // [share-write-1]
  @Test("readOnly participants can neither change nor create nor delete records")
  func readOnly() throws {
    try bob.accept(try alice.share("root", with: ["bob"], permission: .readOnly))
    let child = try bob.fetch("child")
    #expect(code { try bob.save(bob.note("child", "x", tag: child.changeTag)) } == .permissionFailure)
    #expect(code { try bob.save(bob.note("n", "x", parent: .set("root", zone: nil))) } == .permissionFailure)
    #expect(code { try bob.modify(delete: ["child"]).deletes[0].get() } == .permissionFailure)
    #expect(try alice.fetch("child").fields["text"] == .string("C"))
  }

  @Test("readWrite participants can delete any record except the root, and can't move records out ([share-write-4])")
  func readWrite() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    try alice.save(alice.note("outside"))
    try alice.save(alice.note("hidden", "h"))
    let child = try bob.fetch("child")
    #expect(code { try bob.save(bob.note("child", tag: child.changeTag, parent: .clear)) } == .permissionFailure)
    #expect(
      code { try bob.save(bob.note("child", tag: child.changeTag, parent: .set("outside", zone: nil))) }
        == .permissionFailure)
    // Records outside the shared tree are treated as missing.
    _ = try bob.modify(delete: ["hidden"]).deletes[0].get()
    #expect(try alice.fetch("hidden").fields["text"] == .string("h"))
    #expect(code { try bob.save(bob.note("hidden", "x", tag: "1")) } == .unknownItem)
    _ = try bob.modify(delete: ["child"]).deletes[0].get()
    #expect(code { try alice.fetch("child") } == .unknownItem)
    #expect(code { try bob.save(bob.note("s", type: Record.shareType)) } == .permissionFailure)
  }

  // [share-leave-2]
  @Test("a participant who deletes the root leaves the share; the record stays, and the same link works again")
  func leavingByRoot() throws {
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    let token = try bob.changes().token
    let database = try bob.databaseChanges().token
    _ = try bob.modify(delete: ["root"]).deletes[0].get()
    #expect(try alice.fetch("root").fields["text"] == .string("R"))
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try bob.databaseChanges(since: database).deleted.map(\.zone) == [bob.zone])
    #expect(try alice.fetch("Share-1").shareDetails?.participants.map(\.acceptance) == [.accepted, .pending])
    try bob.accept(share)
    #expect(code { try bob.changes(since: token) } == .changeTokenExpired)
    #expect(try bob.changes().changed.count == 3)
    #expect(try bob.databaseChanges(since: database).changed == [bob.zone])
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a participant leaves by deleting the share or the zone, or their own entry ([zone-delete-5], [share-leave-1])")
  func otherWaysToLeave() throws {
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    _ = try bob.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    try bob.accept(share)
    try bob.service.zones.modifyZones(ModifyZonesRequest(scope: .shared, deletes: [bob.zone]), by: bob.caller).deletes[
      0
    ]
    .get()
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    try bob.accept(share)
    let mine = try bob.fetch("Share-1")
    let others = (mine.shareDetails?.participants ?? []).filter { $0.role == .owner }
    try bob.save(
      RecordSave(
        id: bob.id("Share-1"), type: Record.shareType, changeTag: mine.changeTag,
        share: ShareSave(root: nil, participants: others)))
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try alice.fetch("root").share == "Share-1")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("in a batch that leaves the share, deletions of its records fail because access has ended ([share-leave-3])")
  func leavingWithChildren() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    let response = try bob.modify(delete: ["Share-1", "child"], atomic: false)
    #expect(code { try response.deletes[0].get() } == nil)
    #expect(code { try response.deletes[1].get() } == .permissionFailure)
    #expect(try alice.fetch("child").fields["text"] == .string("C"))
  }

  // [share-leave-5]
  @Test("after the owner lowers a permission the participant can't write, and after a removal can't read")
  func afterTheOwnerLowersAPermission() throws {
    try bob.accept(try alice.share("root", with: ["bob", "carol"]))
    try carol.accept(try alice.fetch("Share-1"))
    var share = try alice.fetch("Share-1")
    var people = try #require(share.shareDetails?.participants)
    people[1].permission = .readOnly
    func save(_ people: [Participant]) throws {
      share = try alice.save(
        RecordSave(
          id: alice.id("Share-1"), type: Record.shareType, changeTag: share.changeTag,
          share: ShareSave(root: nil, participants: people)))
    }
    try save(people)
    #expect(
      code { try bob.save(bob.note("child", "x", tag: try bob.fetch("child").changeTag)) } == .permissionFailure)
    try save([people[0], people[2]])
    #expect(code { try bob.fetch("child") } == .zoneNotFound)
    #expect(try carol.fetch("child").fields["text"] == .string("C"))
    #expect(code { try bob.accept(share) } == .permissionFailure)
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-save-6], [share-list-4], [share-manage-2]
  @Test("a participant can't edit the list, the owner can't remove themselves, and an outdated share always conflicts")
  func participantCannotEditTheListTheOwner() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    let share = try bob.fetch("Share-1")
    var people = try #require(share.shareDetails?.participants)
    func save(_ person: Person, _ people: [Participant], tag: String, policy: SavePolicy = .changedKeys) throws {
      try person.save(
        RecordSave(
          id: person.id("Share-1"), type: Record.shareType, changeTag: tag,
          share: ShareSave(root: nil, participants: people)), policy: policy)
    }
    people[1].permission = .readOnly
    #expect(code { try save(bob, people, tag: share.changeTag) } == .permissionFailure)
    let mine = try alice.fetch("Share-1")
    let everybody = try #require(mine.shareDetails?.participants)
    #expect(code { try save(alice, [everybody[1]], tag: mine.changeTag) } == .invalidArguments)
    #expect(code { try save(alice, everybody, tag: "zz") } == .serverRecordChanged)
  }

  // [share-people-4]
  @Test("in a public share a participant sees only the owner and themselves, and can still leave by editing the list")
  func leavingAPublicShare() throws {
    let share = try alice.share("root", publicPermission: .readWrite)
    try bob.accept(share)
    try carol.accept(share)
    let seen = try bob.fetch("Share-1")
    let people = try #require(seen.shareDetails?.participants)
    #expect(people.map(\.role) == [.owner, .publicUser])
    func save(_ people: [Participant]) throws {
      try bob.save(
        RecordSave(
          id: bob.id("Share-1"), type: Record.shareType, changeTag: try bob.fetch("Share-1").changeTag,
          share: ShareSave(root: nil, publicPermission: .readWrite, participants: people)))
    }
    try save(people)
    #expect(code { try save([people[1]]) } == .permissionFailure)
    try save([people[0]])
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try carol.fetch("root").fields["text"] == .string("R"))
    #expect(try alice.fetch("Share-1").shareDetails?.participants.map(\.role) == [.owner, .publicUser])
    #expect(try cloud.service.checks.check() == [])
  }

  // MARK: Feeds

  // [change-shared-2], [share-tree-5]
  @Test(
    "a subtree that moves in or out of a share appears as modifications or deletions, though its records are unchanged")
  func subtreeThatMovesInOrOut() throws {
    try alice.save(alice.note("loose"))
    try alice.save(alice.note("leaf", "l", parent: .set("loose", zone: nil)))
    try bob.accept(try alice.share("root", with: ["bob"]))
    let token = try bob.changes().token
    let loose = try alice.fetch("loose")
    try alice.save(alice.note("loose", tag: loose.changeTag, parent: .set("root", zone: nil)))
    let joined = try bob.changes(since: token)
    #expect(Set(joined.changed.map(\.id.name)) == ["loose", "leaf"])
    #expect(try bob.fetch("leaf").fields["text"] == .string("l"))
    #expect(try cloud.service.checks.check() == [])
    try alice.save(alice.note("loose", tag: try alice.fetch("loose").changeTag, parent: .clear))
    let left = try bob.changes(since: joined.token)
    #expect(left.changed.isEmpty)
    #expect(Set(left.deleted.map(\.record.name)) == ["loose", "leaf"])
    #expect(left.deleted.allSatisfy { $0.type == "Note" })
    #expect(try cloud.service.checks.check() == [])
  }

  // [change-shared-3]
  @Test("records of a second share of a zone appear in the participant's same zone, and disappear with that share")
  func secondShare() throws {
    try alice.save(alice.note("second", "2"))
    try alice.save(alice.note("below", "b", parent: .set("second", zone: nil)))
    try bob.accept(try alice.share("root", with: ["bob"]))
    let token = try bob.changes().token
    let share = try alice.share("second", share: "Share-2", with: ["bob"])
    #expect(try bob.changes(since: token).changed.isEmpty)
    try bob.accept(share)
    var names: [ExactName] = []
    var next = token
    while true {
      let page = try bob.changes(since: next, limit: 1)
      names += page.changed.map(\.id.name)
      next = page.token
      if !page.moreComing { break }
    }
    #expect(Set(names) == ["second", "below", "Share-2"])
    #expect(names.count == 3)
    _ = try bob.modify(delete: ["Share-2"]).deletes[0].get()
    let gone = try bob.changes(since: next)
    #expect(Set(gone.deleted.map(\.record.name)) == ["second", "below", "Share-2"])
    #expect(try bob.fetch("child").fields["text"] == .string("C"))
    #expect(try cloud.service.checks.check() == [])
  }

  // [zone-owner-2], [zone-save-4]
  @Test("the shared database refuses own zones, unshared zones, zone saves, and queries without a zone")
  func sharedDatabase() throws {
    try bob.accept(try alice.share("root", with: ["bob"]))
    var own = bob
    own.zone.owner = nil
    #expect(code { try own.fetch("root") } == .invalidArguments)
    #expect(code { try own.makeZone() } == .invalidArguments)
    #expect(code { try bob.makeZone() } == .badDatabase)
    #expect(code { try carol.fetch("root") } == .zoneNotFound)
    var foreign = bob
    foreign.scope = .private
    #expect(code { try foreign.fetch("root") } == .invalidArguments)
    let query = QueryRecordsRequest(scope: .shared, zone: nil, recordType: "Note")
    #expect(code { try bob.service.queries.queryRecords(query, by: bob.caller) } == .invalidArguments)
    let inZone = QueryRecordsRequest(scope: .shared, zone: bob.zone, recordType: "Note", limit: 1)
    let first = try bob.service.queries.queryRecords(inZone, by: bob.caller)
    #expect(first.records.map(\.id.name) == ["child"])
    #expect(first.cursor != nil)
    #expect(try alice.service.zones.list(nil, in: .shared, by: alice.caller).isEmpty)
    #expect(try bob.service.zones.list(nil, in: .shared, by: bob.caller).map { try $0.get().capabilities } == [3])
  }

  // [share-people-4]
  @Test("all participants see all names; addresses are visible to the owner and the person with the address")
  func allParticipantsSeeAllNames() throws {
    try bob.accept(try alice.share("root", with: ["bob", "carol"]))
    let mine = try #require(try alice.fetch("Share-1").shareDetails?.participants)
    #expect(mine.map(\.identity.lookup) == [nil, .email("bob@example.com"), .email("carol@example.com")])
    let theirs = try #require(try bob.fetch("Share-1").shareDetails?.participants)
    #expect(theirs.map(\.identity.lookup) == [nil, .email("bob@example.com"), nil])
    #expect(theirs.map(\.identity.name?.given) == ["Alice", "Bob", "Carol"])
  }

  @Test("deleting a zone ends all of its shares for all participants ([zone-delete-1])")
  func deletingZone() throws {
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    let token = try bob.databaseChanges().token
    try alice.service.zones.modifyZones(ModifyZonesRequest(scope: .private, deletes: [alice.zone]), by: alice.caller)
      .deletes[0].get()
    #expect(try bob.databaseChanges(since: token).deleted.map(\.zone) == [bob.zone])
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(code { try bob.accept(share) } == .unknownItem)
    #expect(try cloud.service.checks.check() == [])
  }
}
