import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import TestSupport
import Testing

@Suite("Decryption of shared records")
struct EncryptedSharingTests {
  let cloud: TemporaryCloud
  let alice: Person
  let bob: Person
  let carol: Person

  init() throws {
    cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dora"])
    alice = Person(cloud, "alice")
    bob = try Person(cloud, "bob").inShared(zoneOf: alice)
    carol = try Person(cloud, "carol").inShared(zoneOf: alice)
    try alice.makeZone()
  }

  private func under(_ parent: ExactName) -> ParentEdit { .set(parent, zone: nil) }

  private func shareKeys(_ share: ExactName = "Share-1") throws -> JSONValue? {
    let folder = try cloud.directory(alice.folder() + "/keys/shares")
    return try folder.contents(FileName.document(share.string)).map { try JSONValue(parsing: $0) }
  }

  private func user(_ person: Person) throws -> String { try person.service.accounts.userRecordName(by: person.caller) }

  private func keyHolders(_ share: ExactName = "Share-1") throws -> [String] {
    try shareKeys(share)?["people"]?.array?.compactMap { $0["userRecordName"]?.string } ?? []
  }

  // [encryption-share-1]
  @Test(
    "only accepted participants can decrypt shared values, also read-only ones; strangers and pending ones can't")
  func onlyAcceptedParticipantsCanDecryptShared() throws {
    try alice.save(alice.secret("root", "r"))
    try alice.save(alice.secret("child", "c", parent: under("root")))
    try alice.save(alice.secret("outside", "o"))
    let share = try alice.share("root", with: ["bob", "carol"], permission: .readOnly)
    try bob.accept(share)
    #expect(try bob.read("root") == "r" && bob.read("child") == "c")
    #expect(Set(try bob.changes().changed.compactMap { $0.encryptedFields["secret"] }) == [.string("r"), .string("c")])
    #expect(code { try bob.fetch("outside") } == .unknownItem)
    #expect(code { try carol.fetch("root") } == .zoneNotFound)
    let dora = try Person(cloud, "dora").inShared(zoneOf: alice)
    #expect(code { try dora.fetch("root") } == .zoneNotFound)
    // An invited person gets the title, the root and the root's encrypted values by the share's metadata.
    let request = ShareMetadataRequest(url: share.shareDetails?.url ?? "", fetchesRootRecord: true)
    let metadata = try cloud.service.sharing.shareMetadata(request, by: carol.caller)
    #expect(metadata.rootRecord?.encryptedFields == ["secret": .string("r")])
    #expect(code { try cloud.service.sharing.shareMetadata(request, by: dora.caller) } == .unknownItem)
    #expect(try cloud.service.checks.check() == [])
  }

  // [record-save-9]
  @Test("a conflicting save is answered with the decrypted record, also if the same request saves the record's parent")
  func staleBeforeItsParent() throws {
    try alice.save(alice.secret("root", "r"))
    try alice.save(alice.secret("child", "c", parent: under("root")))
    try bob.accept(try alice.share("root", with: ["bob"], permission: .readWrite))
    let child = try bob.fetch("child")
    try alice.save(alice.secret("child", "c2", tag: child.changeTag))
    let root = try bob.fetch("root")
    let response = try cloud.service.records.modifyRecords(
      ModifyRecordsRequest(
        scope: bob.scope,
        saves: [
          bob.secret("child", "late", tag: child.changeTag), bob.secret("root", "r2", tag: root.changeTag),
        ], atomic: false), by: bob.caller)
    let error = failure { _ = try response.saves[0].get() }
    #expect(error?.code == .serverRecordChanged)
    #expect(error?.serverRecord?.encryptedFields == ["secret": .string("c2")])
    #expect(try bob.read("child") == "c2")
    #expect(try alice.read("root") == "r2")
  }

  @Test("participants who joined before any key existed can read values that are encrypted later, by any participant")
  func participantsWhoJoinedBeforeAnyKeyExisted() throws {
    try alice.save(alice.note("root", "1"))
    try alice.save(alice.note("child", "1", parent: under("root")))
    let share = try alice.share("root", with: ["bob", "carol"])
    for person in [bob, carol] { try person.accept(share) }
    #expect(try cloud.service.accounts.account("carol").keys.isEmpty)
    // Bob, not the owner, creates the first keys of the tree.
    try bob.save(bob.secret("new", "Bob's", parent: under("child")))
    #expect(try alice.read("new") == "Bob's" && carol.read("new") == "Bob's" && bob.on("tablet").read("new") == "Bob's")
    try carol.save(carol.secret("newer", "Carol's", parent: under("new")))
    try alice.save(alice.secret("root", "Alice's", tag: try alice.fetch("root").changeTag))
    for person in [alice, bob, carol] {
      #expect(try person.read("newer") == "Carol's" && person.read("root") == "Alice's")
    }
    #expect(try Set(keyHolders()) == Set([alice, bob, carol].map(user)))
    #expect(try cloud.service.checks.check() == [])
    // After the share ends, the owner can read all values, also Bob's record after it moves out of the tree.
    try alice.modify(delete: ["Share-1"]).deletes[0].get()
    #expect(try shareKeys() == nil)
    #expect(try alice.read("new") == "Bob's" && alice.read("newer") == "Carol's")
    try alice.save(alice.note("new", "moved", tag: try alice.fetch("new").changeTag, parent: .clear))
    #expect(try alice.on("phone").read("new") == "Bob's" && alice.read("newer") == "Carol's")
    #expect(code { try bob.read("new") } == .zoneNotFound)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "participants can read a subtree that moves into the share, but none that moves out ([encryption-share-2])"
  )
  func participantsCanReadASubtreeThatMoves() throws {
    try alice.save(alice.secret("root", "r"))
    try alice.save(alice.secret("loner", "l"))
    try alice.save(alice.secret("leaf", "f", parent: under("loner")))
    try alice.save(alice.note("plain", "p"))
    try alice.save(alice.secret("deep", "d", parent: under("plain")))
    try bob.accept(try alice.share("root", with: ["bob"]))
    for name in ["loner", "plain"] as [ExactName] {
      try alice.save(alice.note(name, "in", tag: try alice.fetch(name).changeTag, parent: under("root")))
    }
    #expect(try bob.read("loner") == "l" && bob.read("leaf") == "f" && bob.read("deep") == "d")
    try bob.save(bob.note("leaf", "1", tag: try bob.fetch("leaf").changeTag, parent: under("deep")))
    #expect(try bob.read("leaf") == "f" && alice.on("phone").read("leaf") == "f")
    try alice.save(alice.note("deep", "out", tag: try alice.fetch("deep").changeTag, parent: .clear))
    #expect(code { try bob.read("deep") } == .unknownItem)
    #expect(code { try bob.read("leaf") } == .unknownItem)
    #expect(try alice.read("leaf") == "f" && alice.read("deep") == "d")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a formerly shared tree stays readable when a larger tree or the whole zone is shared")
  func widerShare() throws {
    try alice.save(alice.note("top", "1"))
    try alice.save(alice.note("root", "1", parent: under("top")))
    try bob.accept(try alice.share("root", with: ["bob"]))
    // This key is sealed only for Alice, and is not below a key that Bob can open.
    try bob.save(bob.secret("child", "Bob's", parent: under("root")))
    #expect(try alice.read("child") == "Bob's")
    try alice.modify(delete: ["Share-1"]).deletes[0].get()
    try carol.accept(try alice.share("top", share: "Share-2", with: ["carol"]))
    #expect(try carol.read("child") == "Bob's")
    try alice.modify(delete: ["Share-2"]).deletes[0].get()
    try bob.accept(try wholeZone(with: ["bob"]))
    #expect(try bob.read("child") == "Bob's" && alice.read("child") == "Bob's")
    #expect(try cloud.service.checks.check() == [])
  }

  private func wholeZone(with people: [String]) throws -> Record {
    try alice.save(
      RecordSave(
        id: alice.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(root: nil, participants: try people.map { try alice.invitation($0) })))
  }

  // [encryption-share-5]
  @Test(
    "in a zone shared as a whole every participant reads every record, also if the zone has only one key",
    arguments: [false, true])
  func zoneWide(isPerZone: Bool) throws {
    var (alice, bob, carol) = (alice, bob, carol)
    if isPerZone {
      (alice.zone.name, bob.zone.name, carol.zone.name) = ("One", "One", "One")
      let request = ModifyZonesRequest(scope: .private, saves: [alice.zone], perZone: [alice.zone])
      #expect(try cloud.service.zones.modifyZones(request, by: alice.caller).saves[0].get().capabilities == 11)
    }
    let share = try alice.save(
      RecordSave(
        id: alice.id(Record.zoneWideShareName), type: Record.shareType,
        share: ShareSave(
          root: nil, participants: [try alice.invitation("bob"), try alice.invitation("carol", .readOnly)])))
    try bob.accept(share)
    try bob.save(bob.secret("bobs", "Bob's"))
    try carol.accept(share)
    try alice.save(alice.secret("alices", "Alice's"))
    try bob.save(bob.secret("below", "b", parent: under("alices")))
    for person in [alice, bob, carol, alice.on("phone"), carol.on("tablet")] {
      #expect(try person.read("bobs") == "Bob's" && person.read("alices") == "Alice's" && person.read("below") == "b")
    }
    let keys = try cloud.directory(alice.folder() + "/keys")
    #expect(try keys.directory("shares").exists("cloudkit.zoneshare.json"))
    #expect(try keys.exists("records") != isPerZone)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "perZone is set when the zone is created, and prevents shares of single records ([zone-save-5], [share-zone-5])")
  func perZone() throws {
    func save(_ zone: ZoneIdentifier, perZone: Bool) throws -> Zone {
      let request = ModifyZonesRequest(scope: .private, saves: [zone], perZone: perZone ? [zone] : [])
      return try cloud.service.zones.modifyZones(request, by: alice.caller).saves[0].get()
    }
    let one = ZoneIdentifier(name: "One")
    #expect(try save(one, perZone: true).encryptionScope == .perZone)
    #expect(try save(one, perZone: true).encryptionScope == .perZone)
    #expect(code { try save(one, perZone: false) } == .serverRejectedRequest)
    #expect(code { try save(alice.zone, perZone: true) } == .serverRejectedRequest)
    #expect(code { try save(.default, perZone: true) } == .serverRejectedRequest)
    #expect(
      try cloud.service.zones.list([one, alice.zone], in: .private, by: alice.caller).map {
        try $0.get().encryptionScope
      }
        == [.perZone, .perRecord])
    var inside = alice
    inside.zone = one
    try inside.save(inside.secret("root", "s"))
    let share = RecordSave(id: inside.id("s"), type: Record.shareType, share: ShareSave(root: "root"))
    let root = inside.note("root", tag: try inside.fetch("root").changeTag)
    #expect(failure { try inside.modify([root, share]).saves[1].get() }?.code == .invalidArguments)
    #expect(try inside.on("phone").read("root") == "s")
  }

  // [encryption-share-4]
  @Test(
    "a person who joins by a public link can read; after the share is closed it has a new key that the link can't open")
  func publicLink() throws {
    try alice.save(alice.secret("root", "r"))
    let share = try alice.share("root", publicPermission: .readWrite)
    let request = ShareMetadataRequest(url: share.shareDetails?.url ?? "", fetchesRootRecord: true)
    #expect(
      try cloud.service.sharing.shareMetadata(request, by: bob.caller).rootRecord?.encryptedFields == [
        "secret": .string("r")
      ])
    try bob.accept(share)
    #expect(try bob.read("root") == "r")
    try bob.save(bob.secret("child", "Bob's", parent: under("root")))
    #expect(try alice.read("child") == "Bob's")
    let before = try shareKeys()
    #expect(before?["links"]?.array?.count == 1)
    try alice.edit { $0.publicPermission = .none }
    #expect(try shareKeys()?["links"] == [] && shareKeys()?["opens"] != before?["opens"])
    #expect(try keyHolders() == [user(alice)])
    #expect(code { try bob.read("root") } == .zoneNotFound)
    #expect(try alice.read("child") == "Bob's")
    #expect(try cloud.service.checks.check() == [])
  }

  // [encryption-share-4]
  @Test("a link for one person gives the key to its first user, and then opens nothing any more")
  func oneTimeLink() throws {
    try alice.save(alice.secret("root", "r"))
    try alice.share("root")
    let edited = try alice.edit { $0.participants.append(cloud.service.sharing.participantByLink()) }
    let details = try #require(edited.shareDetails)
    let link = try #require(details.oneTimeURL(of: details.participants[1]))
    #expect(try shareKeys()?["links"]?.array?.count == 1)
    let request = ShareMetadataRequest(url: link, fetchesRootRecord: true)
    #expect(try cloud.service.sharing.shareMetadata(request, by: bob.caller).rootRecord?.encryptedFields.count == 1)
    try bob.accept(link)
    #expect(try bob.read("root") == "r" && shareKeys()?["links"] == [])
    #expect(code { try carol.accept(link) } == .permissionFailure)
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a person invited by a yet unknown address gets the key from the owner's device when joining")
  func unknownAddress() throws {
    try alice.save(alice.secret("root", "r"))
    let share = try alice.share("root", with: ["nobody"])
    #expect(try keyHolders() == [user(alice)])
    _ = try cloud.service.accounts.verify(.email("nobody@example.com"), url: share.shareDetails?.url, by: bob.caller)
    let request = ShareMetadataRequest(url: share.shareDetails?.url ?? "", fetchesRootRecord: true)
    #expect(
      try cloud.service.sharing.shareMetadata(request, by: bob.caller).rootRecord?.encryptedFields == [
        "secret": .string("r")
      ])
    try bob.accept(share)
    #expect(try bob.read("root") == "r" && bob.on("tablet").read("root") == "r")
    #expect(try Set(keyHolders()) == Set([alice, bob].map(user)))
  }

  @Test("a removed participant has no key, the share gets a new key, and the others can read on ([encryption-share-3])")
  func removedParticipantHasNoKeyTheShare() throws {
    try alice.save(alice.secret("root", "r"))
    let share = try alice.share("root", with: ["bob", "carol"])
    for person in [bob, carol] { try person.accept(share) }
    let before = try shareKeys()
    let bobs = try user(bob)
    try alice.edit { $0.participants.removeAll { $0.identity.userRecordName == bobs } }
    #expect(try !keyHolders().contains(bobs) && shareKeys()?["opens"] != before?["opens"])
    #expect(try shareKeys()?["isStale"] == nil)
    #expect(code { try bob.fetch("root") } == .zoneNotFound)
    #expect(try carol.read("root") == "r" && alice.read("root") == "r")
    try alice.save(alice.secret("after", "a", parent: under("root")))
    #expect(try carol.read("after") == "a")
    // After a new invitation Bob can read all values again.
    try bob.accept(try alice.edit { $0.participants.append(try alice.invitation("bob")) })
    #expect(try bob.read("after") == "a")
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("a participant who leaves in any of three ways loses the key, and the owner's next save creates a new key")
  func participantWhoLeavesInAnyOfThree() throws {
    try alice.save(alice.secret("root", "r"))
    let share = try alice.share("root", with: ["bob", "carol"])
    try carol.accept(share)
    let bobs = try user(bob)
    for way in 0..<3 {
      try bob.accept(share)
      #expect(try bob.read("root") == "r")
      let before = try shareKeys()
      switch way {
      case 0: try bob.modify(delete: ["Share-1"]).deletes[0].get()
      case 1:
        try cloud.service.zones.modifyZones(
          ModifyZonesRequest(scope: .shared, deletes: [bob.zone]), by: bob.caller
        ).deletes[0].get()
      default: _ = try bob.edit { $0.participants.removeAll { $0.identity.userRecordName == bobs } }
      }
      #expect(try !keyHolders().contains(bobs) && shareKeys()?["isStale"] == true, "way \(way)")
      #expect(try shareKeys()?["opens"] == before?["opens"])
      #expect(code { try bob.fetch("root") } == .zoneNotFound)
      // A save by the owner outside the share does not replace the key.
      try alice.save(alice.note("elsewhere", "\(way)"), policy: .allKeys)
      #expect(try shareKeys()?["isStale"] == true)
      try alice.save(alice.note("root", "\(way)"), policy: .allKeys)
      #expect(try shareKeys()?["isStale"] == nil && shareKeys()?["opens"] != before?["opens"])
      #expect(try carol.read("root") == "r" && alice.on("phone\(way)").read("root") == "r")
    }
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("an administrator gives keys to the people they invite, and takes keys from the people they remove")
  func administratorGivesKeysToThePeopleThey() throws {
    try alice.save(alice.secret("root", "r"))
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    try alice.edit { $0.participants[1].role = .administrator }
    try carol.accept(try bob.edit { $0.participants.append(try bob.invitation("carol")) })
    #expect(try carol.read("root") == "r")
    let (carols, before) = (try user(carol), try shareKeys())
    try bob.edit { $0.participants.removeAll { $0.identity.userRecordName == carols } }
    #expect(try !keyHolders().contains(carols) && shareKeys()?["opens"] != before?["opens"])
    #expect(try alice.read("root") == "r" && bob.read("root") == "r")
    #expect(code { try carol.read("root") } == .zoneNotFound)
  }

  @Test("all participants can read a share's own encrypted values")
  func shareValues() throws {
    try alice.save(alice.note("root", "1"))
    let share = try alice.share("root", with: ["bob"])
    var save = alice.secret("Share-1", "about us", tag: share.changeTag, type: Record.shareType)
    save.share = ShareSave(try #require(share.shareDetails))
    #expect(try alice.save(save).encryptedFields["secret"] == .string("about us"))
    try bob.accept(share)
    #expect(try bob.read("Share-1") == "about us" && bob.on("tablet").read("Share-1") == "about us")
    #expect(try !cloud.holds("about us"))
    #expect(try cloud.service.checks.check() == [])
  }

  @Test(
    "without libcrypto a participant can still be removed, and the key is replaced when libcrypto is available again")
  func withoutLibrary() throws {
    try alice.save(alice.secret("root", "r"))
    let share = try alice.share("root", with: ["bob"])
    try bob.accept(share)
    var settings = cloud.service.settings
    settings.cryptography = { () throws(CryptographyError) in throw .unavailable(["libcrypto.so.3"]) }
    let service = CloudService(cloud: cloud.service.cloud, settings: settings)
    let record = try alice.fetch("Share-1")
    var details = try #require(record.shareDetails)
    details.participants.removeLast()
    let save = RecordSave(
      id: record.id, type: Record.shareType, changeTag: record.changeTag, share: ShareSave(details))
    _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: [save]), by: alice.caller).saves[
      0
    ].get()
    #expect(try keyHolders() == [user(alice)] && shareKeys()?["isStale"] == true)
    #expect(code { try bob.read("root") } == .zoneNotFound)
    try alice.save(alice.note("root", "1"), policy: .allKeys)
    #expect(try shareKeys()?["isStale"] == nil)
    #expect(try cloud.service.checks.check() == [])
  }
}
